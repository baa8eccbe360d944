// Notices to a visitor who is elsewhere: the switch in the account, quiet hours, and the notice in the browser. The
// browser's own push service cannot be reached from here, so the test plays its part: it makes a subscription, and
// delivers.

import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { faultsOf, farewell, openBrowser, openHall, PHONE, PICTURES, until, visitor, WIDE, signUp } from './house.mjs';

const folder = mkdtempSync(join(tmpdir(), 'qiguan-notices-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const config = join(folder, 'hall.toml');
writeFileSync(config, '[notices]\nloopback = true\n');
const hall = await openHall('--config', config);
after(() => hall.close());
const browser = await openBrowser();
after(() => browser.close());

/** The requests that the push service received. */
const got = [];
const service = createServer((request, response) => {
  request.resume().on('end', () => {
    got.push({ path: request.url, headers: request.headers });
    response.writeHead(201).end();
  });
});
await new Promise((done) => service.listen(0, '127.0.0.1', done));
after(() => service.close());

/** A subscription, as a browser's push service would make it. */
function subscription(name) {
  const key = createECDH('prime256v1');
  const p256dh = key.generateKeys().toString('base64url');
  return { endpoint: `http://127.0.0.1:${service.address().port}/${name}`, keys: { p256dh, auth: randomBytes(16).toString('base64url') } };
}

async function account(name, options) {
  const page = await visitor(browser, options);
  await page.context().grantPermissions(['notifications', 'clipboard-read', 'clipboard-write']);
  await page.addInitScript((made) => {
    let now = null;
    const toJSON = () => made;
    const unsubscribe = () => Promise.resolve((now = null) === null);
    PushManager.prototype.getSubscription = () => Promise.resolve(now ?? (sessionStorage.getItem('told') ? { toJSON, unsubscribe } : null));
    PushManager.prototype.subscribe = () => {
      sessionStorage.setItem('told', '1');
      return Promise.resolve((now = { toJSON, unsubscribe }));
    };
  }, subscription(name));
  await signUp(hall, page, name);
  return page;
}

const SAY = {
  en: { here: 'In this browser', quiet: 'Quiet hours', from: 'From', to: 'To', told: 'It is your turn' },
  zh: { here: '在这个浏览器中通知', quiet: '免打扰时段', from: '从', to: '到', told: '轮到你走了' },
};

for (const [shape, screen, lang, theme] of [
  ['desk', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
]) {
  test(`${shape}, ${lang}, ${theme}: told in this browser, but not at night`, async () => {
    const say = SAY[lang];
    const who = `Ann${shape}${lang}`;
    const page = await account(who, { screen, lang, theme });
    const from = await account(`Bob${shape}${lang}`, { lang });
    await page.goto(`${hall.url}/account`);
    const here = page.getByRole('switch', { name: say.here });
    await here.waitFor();
    assert.equal(await here.isChecked(), false);
    assert.equal(await page.getByRole('switch', { name: say.quiet }).count(), 0, 'nothing to be quiet about');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    // What the hall says: a switch shows what was clicked before that.
    const told = () => page.evaluate(() => fetch('/api/notices').then((answer) => answer.json()));
    await here.click();
    await until(async () => (await told()).devices, 1, 'it is on');
    await page.reload();
    await until(() => here.isChecked(), true, 'it is kept');

    await page.getByRole('switch', { name: say.quiet }).click();
    await page.getByLabel(say.from, { exact: true }).fill('23:15');
    await page.getByLabel(say.from, { exact: true }).blur();
    await until(async () => (await told()).quiet?.from_min, 23 * 60 + 15, 'quiet hours are kept');
    assert.equal((await told()).quiet.to_min, 8 * 60);
    assert.deepEqual(await faultsOf(page, 'notices'), []);
    const above = await page.evaluate(() => {
      const section = document.querySelector('section[aria-labelledby=notices]');
      return section.getBoundingClientRect().top - section.previousElementSibling.getBoundingClientRect().bottom;
    });
    assert.ok(above >= 0, `it lies over what stands before it, by ${-above} px`);
    await here.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(PICTURES, `notices-${shape}-${lang}.png`) });
    await page.getByRole('switch', { name: say.quiet }).click();
    await until(async () => (await told()).quiet, undefined, 'no quiet hours any more');

    // Another player challenges her while she is on no page of the hall.
    page.expected.push(/favicon/);
    const place = page.url();
    await page.goto(`${hall.url}/health`);
    const challenge = await from.evaluate(
      (whom) =>
        fetch(`/api/challenge/${whom}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ game: 'gomoku/freestyle', clock: { kind: 'per-move', turn_ms: 86_400_000 } }),
        }).then((answer) => answer.status),
      who,
    );
    assert.ok(challenge < 300, String(challenge));
    const arrived = () => got.find((g) => g.path === `/${who}`);
    await until(() => arrived() !== undefined, true, 'the push service got it');
    assert.equal(arrived().headers['content-encoding'], 'aes128gcm');
    await page.goto(place);

    // What the browser does with a notice that its push service delivers.
    const devtools = await page.context().newCDPSession(page);
    const registered = new Promise((done) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => registrations[0] && done(registrations[0])),
    );
    await devtools.send('ServiceWorker.enable');
    const { registrationId } = await registered;
    const data = JSON.stringify({ title: say.told, body: 'Gomoku', url: '/t/abc', tag: 'abc' });
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: hall.url, registrationId, data });
    const shown = () =>
      page.evaluate(() =>
        navigator.serviceWorker.ready.then((r) => r.getNotifications()).then((all) => all.map((n) => [n.title, n.tag, n.data.url])),
      );
    await until(shown, [[say.told, 'abc', '/t/abc']], 'the browser shows it');

    await here.click();
    await until(async () => (await told()).devices, 0, 'it is off');
    assert.equal(await here.isChecked(), false);
    await farewell(page, from);
  });
}
