// E-mail: an address is confirmed at one's account, a lost password is set by a letter, and letters are stopped. The mail server
// is the test's own.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { button, faultsOf, farewell, openBrowser, openHall, PHONE, PICTURES, until, visitor, WIDE, signUp } from './house.mjs';

/** The letters that the mail server received: recipient and words. */
const got = [];
const server = createServer((socket) => {
  let rest = '';
  let letter = null;
  let to = '';
  const say = (line) => socket.write(`${line}\r\n`);
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    const lines = (rest + data).split('\r\n');
    rest = lines.pop();
    for (const line of lines) {
      if (letter && line === '.') {
        const [, body] = letter.join('\n').split(/\n\n(.*)/s);
        got.push({ to, body: Buffer.from(body, 'base64').toString() });
        letter = null;
        say('250 taken');
      } else if (letter) letter.push(line);
      else if (line.startsWith('RCPT')) {
        to = /<(.*)>/.exec(line)[1];
        say('250 yes');
      } else if (line === 'DATA') {
        letter = [];
        say('354 go on');
      } else if (line === 'QUIT') socket.end('221 bye\r\n');
      else say('250 yes');
    }
  });
  say('220 mail.example');
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
after(() => server.close());

const folder = mkdtempSync(join(tmpdir(), 'qiguan-mail-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const config = join(folder, 'hall.toml');
const settings = `server = "127.0.0.1"\nport = ${server.address().port}\ntls = "none"\nfrom = "Qiguan <hall@hall.example>"`;
writeFileSync(config, `[mail]\n${settings}\npublic_url = "https://hall.example"\n`);
const hall = await openHall('--config', config);
after(() => hall.close());
const browser = await openBrowser();
after(() => browser.close());

/** Returns the target of a link of that sort in the newest letter to `to`. */
async function link(to, what) {
  const found = () => {
    const letters = got.filter((one) => one.to === to);
    return new RegExp(`https://hall\\.example(/account/mail#${what}=\\S+)`).exec(letters.at(-1)?.body ?? '')?.[1];
  };
  await until(() => found() !== undefined, true, `a letter to ${to} with a link to ${what}`);
  return hall.url + found();
}

const SAY = {
  en: {
    address: 'Address',
    send: 'Send the link',
    digest: 'A letter when slow games wait',
    confirm: 'Confirm',
    lost: 'Forgotten your password?',
    set: 'Set a new password',
    password: 'New password',
    stop: 'No more letters',
    again: 'Allow letters again',
  },
  zh: {
    address: '邮箱',
    send: '发送链接',
    digest: '有慢棋等我时来信',
    confirm: '确认',
    lost: '忘记密码？',
    set: '设置新密码',
    password: '新密码',
    stop: '不再接收',
    again: '重新允许来信',
  },
};

for (const [shape, screen, lang, theme] of [
  ['desk', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
]) {
  test(`${shape}, ${lang}, ${theme}: an address is confirmed, and brings somebody back`, async () => {
    const say = SAY[lang];
    const who = `Ann${shape}${lang}`;
    const address = `${who.toLowerCase()}@example.org`;
    const page = await visitor(browser, { screen, lang, theme });
    const picture = (name) => page.screenshot({ path: join(PICTURES, `mail-${name}-${shape}-${lang}.png`) });
    const told = () => page.evaluate(() => fetch('/api/mail').then((answer) => answer.json()));
    await signUp(hall, page, who);
    await page.goto(`${hall.url}/account`);
    await page.getByLabel(say.address, { exact: true }).fill(address);
    await button(page, say.send).click();
    await until(async () => (await told()).unconfirmed, address, 'the letter is on its way');
    const confirm = await link(address, 'confirm');
    await page.goto(hall.url);
    await page.goto(confirm);
    await button(page, say.confirm).waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the link is not kept');
    assert.equal((await told()).address, undefined, 'nothing before a click');
    assert.deepEqual(await faultsOf(page, 'confirming'), []);
    await picture('confirm');
    await button(page, say.confirm).click();
    await until(async () => (await told()).address, address, 'it is confirmed');
    await page.goto(`${hall.url}/account`);
    const digest = page.getByRole('switch', { name: say.digest });
    await digest.waitFor();
    await digest.click();
    await until(async () => (await told()).digest, true, 'the digest is on');
    assert.deepEqual(await faultsOf(page, 'account'), []);
    await digest.scrollIntoViewIfNeeded();
    await picture('account');

    const other = await visitor(browser, { screen, lang, theme });
    await other.goto(`${hall.url}/account/sign-in`);
    await other.getByRole('link', { name: say.lost }).click();
    await other.getByLabel(say.address, { exact: true }).fill(address);
    assert.deepEqual(await faultsOf(other, 'lost'), []);
    await other.screenshot({ path: join(PICTURES, `mail-lost-${shape}-${lang}.png`) });
    await button(other, say.send).click();
    const recover = await link(address, 'recover');
    await other.goto(hall.url);
    await other.goto(recover);
    await other.getByLabel(say.password).fill(`${who} knows 8 more`);
    assert.deepEqual(await faultsOf(other, 'recovery'), []);
    await other.screenshot({ path: join(PICTURES, `mail-recover-${shape}-${lang}.png`) });
    await button(other, say.set).click();
    await other.getByRole('switch', { name: say.digest }).waitFor();
    const known = () => page.evaluate(() => fetch('/api/account').then((answer) => answer.status));
    page.expected.push(/401|403/);
    assert.equal(await known(), 401, 'the other device is signed out');

    const stop = await link(address, 'stop');
    await other.goto(hall.url);
    await other.goto(stop);
    await button(other, say.stop).click();
    await button(other, say.again).waitFor();
    const digests = () => other.evaluate(() => fetch('/api/mail').then((answer) => answer.json())).then((mail) => mail.digest);
    assert.equal(await digests(), false);
    assert.deepEqual(await faultsOf(other, 'stopped'), []);
    await other.screenshot({ path: join(PICTURES, `mail-stop-${shape}-${lang}.png`) });
    await button(other, say.again).click();
    await button(other, say.stop).waitFor();
    await farewell(page, other);
  });
}
