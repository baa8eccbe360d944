// Accounts: a guest signs up by passkey or password, goes on elsewhere, and closes the account. Every place of it is accessible and pictured.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { account, button, farewell, faultsOf, openHouse, PHONE, PICTURES, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();
const PASSWORD = 'correct horse battery';
/** Browsers create passkeys for a host name, not for an IP address. */
const local = () => hall.url.replace('127.0.0.1', 'localhost');

const SAY = {
  en: {
    up: 'New account',
    byPasskey: 'Make the account with a passkey',
    byPassword: 'Make the account with this password',
    kept: 'I have kept them',
    out: 'Sign out',
    in: 'Sign in',
    use: 'Use a passkey',
    make: 'Make a token',
    revoke: 'Revoke',
    remove: 'Remove',
    confirm: 'Confirm',
  },
  zh: {
    up: '注册',
    byPasskey: '用通行密钥注册',
    byPassword: '用这个密码注册',
    kept: '我保存好了',
    out: '退出登录',
    in: '登录',
    use: '用通行密钥',
    make: '生成令牌',
    revoke: '撤销',
    remove: '移除',
    confirm: '确认',
  },
};

/** A device that keeps passkeys and whose owner is always there; with those of another device when they are synchronised. */
async function withAuthenticator(page, credentials = []) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  for (const credential of credentials) await devtools.send('WebAuthn.addCredential', { authenticatorId, credential });
  return async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials;
}

const choose = (page, name) => page.locator('.segments').getByText(name, { exact: true }).click();
const made = (page) => page.locator('#ways').waitFor();

for (const [shape, screen, lang, theme] of [
  ['wide', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
  ['phone', PHONE, 'en', 'contrast'],
]) {
  test(`${shape}, ${lang}, ${theme}: an account with a passkey, on two devices`, async () => {
    const say = SAY[lang];
    const faults = [];
    const see = async (page, place) => {
      faults.push(...(await faultsOf(page, place)));
      await page.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}-${theme}.png`, fullPage: true });
    };
    const a = await visitor(browser, { screen, lang, theme });
    const keys = await withAuthenticator(a);
    await a.goto(`${local()}/`);
    await (await account(a)).getByRole('link').first().click();
    await a.locator('#account-password').waitFor();
    await see(a, 'sign-in');
    await choose(a, say.up);
    const name = `Ada ${shape} ${theme.slice(0, 4)}`;
    await a.locator('#account-name').fill(name);
    await see(a, 'sign-up');
    await button(a, say.byPasskey).click();
    await a.locator('.codes li').nth(7).waitFor();
    await see(a, 'codes');
    await button(a, say.kept).click();
    await made(a);
    await see(a, 'account');
    await a.locator('#token-name').fill('bot');
    await button(a, say.make).click();
    await until(() => a.locator('.secret').textContent(), /^qg_[2-9a-z]{32}$/);
    await button(a, say.revoke).click();
    await until(() => button(a, say.revoke).count(), 0);

    // The hall shows their name, which leads to their page.
    await a.goto(`${local()}/`);
    await a.locator('.bar').getByRole('button', { name }).waitFor();
    await see(a, 'hall-signed-in');
    await (await account(a)).getByRole('link').first().click();
    await until(() => a.evaluate(() => location.pathname.startsWith('/@/')), true);

    const b = await visitor(browser, { screen, lang, theme });
    await withAuthenticator(b, await keys());
    await b.goto(`${local()}/account/sign-in`);
    await button(b, say.use).click();
    await until(
      () =>
        b.evaluate(() =>
          fetch('/api/me')
            .then((r) => r.json())
            .then((me) => me.player.name),
        ),
      name,
    );
    await b.goto(`${local()}/account`);
    await made(b);
    await until(() => b.locator('.lines').nth(1).locator('li').count(), 2, 'two devices');
    await button(b, say.out).first().click();
    await until(
      () =>
        b.evaluate(() =>
          fetch('/api/me')
            .then((r) => r.json())
            .then((me) => me.kind),
        ),
      'guest',
    );
    assert.deepEqual(faults, []);
    await farewell(a, b);
  });
}

test('under an IP address it is the password, and a page says why', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/account/sign-in`);
  await a.getByText('Passkeys need https and a name').waitFor();
  await choose(a, SAY.en.up);
  await a.locator('#account-name').fill('Bob');
  await a.locator('#account-password').fill('short');
  a.expected = [/400 .*\/api\/account/];
  await button(a, SAY.en.byPassword).click();
  await a.locator('[role=alert]', { hasText: 'at least 10 letters' }).waitFor();
  await a.locator('#account-password').fill(PASSWORD);
  await button(a, SAY.en.byPassword).click();
  await button(a, SAY.en.kept).click();
  await made(a);

  const b = await visitor(browser);
  b.expected = [/403 .*\/api\/session/];
  await b.goto(`${hall.url}/account/sign-in`);
  await b.locator('#account-name').fill('bob');
  await b.locator('#account-password').fill('wrong horse battery');
  await b.locator('form .primary').click();
  await b.locator('[role=alert]', { hasText: 'do not fit together' }).waitFor();
  await b.locator('#account-password').fill(PASSWORD);
  await b.keyboard.press('Enter');
  await until(() => b.evaluate(() => location.pathname), '/');
  // The first device signs the second one out.
  await a.reload();
  await button(a, 'Sign out all others').click();
  await until(() => a.locator('.lines').nth(1).locator('li').count(), 1);
  await until(
    () =>
      b.evaluate(() =>
        fetch('/api/me')
          .then((r) => r.json())
          .then((me) => me.kind),
      ),
    'guest',
  );
  // The account is closed, and its name is free.
  await a.locator('details summary').click();
  await a.locator('#closing').fill('bob');
  await a.locator('details .danger').click();
  await until(() => a.evaluate(() => location.pathname), '/');
  await until(
    () =>
      a.evaluate(() =>
        fetch('/api/me')
          .then((r) => r.json())
          .then((me) => me.kind),
      ),
    'guest',
  );
  await farewell(a, b);
});
