// Accounts elsewhere: a guest signs up by one, signs in by it on another device, confirms by it, and calls it off. The provider is
// the test's own.

import assert from 'node:assert/strict';
import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { button, farewell, faultsOf, openBrowser, openHall, PHONE, PICTURES, until, visitor, WIDE } from './house.mjs';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
/** The account that is signed in at the provider. */
let who = { sub: '1', name: 'ada' };
/** The parameters of each request, by code. */
const asked = new Map();
const server = createServer((request, response) => {
  const url = new URL(request.url, issuer);
  const say = (value) => response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (url.pathname.startsWith('/.well-known/')) {
    say({
      issuer,
      authorization_endpoint: `${issuer}/ask`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    });
  } else if (url.pathname === '/keys') say({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] });
  else if (url.pathname === '/ask') {
    const back = (told) =>
      `${url.searchParams.get('redirect_uri')}?${new URLSearchParams({ ...told, state: url.searchParams.get('state') })}`;
    const code = String(asked.size);
    asked.set(code, url.searchParams);
    response
      .setHeader('content-type', 'text/html')
      .end(
        `<!doctype html><title>Club</title><a href="${back({ code }).replaceAll('&', '&amp;')}">Allow</a> ` +
          `<a href="${back({ error: 'access_denied' }).replaceAll('&', '&amp;')}">Refuse</a>`,
      );
  } else if (url.pathname !== '/token') {
    response.statusCode = 204;
    response.end();
  } else {
    let body = '';
    request.on('data', (data) => (body += data));
    request.on('end', () => {
      const told = new URLSearchParams(body);
      const wish = asked.get(told.get('code'));
      const challenge = createHash('sha256').update(told.get('code_verifier')).digest('base64url');
      if (!wish || challenge !== wish.get('code_challenge')) {
        response.statusCode = 400;
        return say({ error: 'invalid_grant' });
      }
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: issuer,
        aud: 'qiguan',
        sub: who.sub,
        iat: now,
        exp: now + 300,
        nonce: wish.get('nonce'),
        preferred_username: who.name,
      };
      const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const signed = `${part({ alg: 'RS256', kid: 'k' })}.${part(claims)}`;
      const signature = createSign('RSA-SHA256').update(signed).sign(privateKey).toString('base64url');
      say({ access_token: 'x', token_type: 'bearer', id_token: `${signed}.${signature}` });
    });
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const issuer = `http://127.0.0.1:${server.address().port}`;
after(() => server.close());

const folder = mkdtempSync(join(tmpdir(), 'qiguan-openid-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const config = join(folder, 'hall.toml');
writeFileSync(config, `[openid]\nissuer = "${issuer}"\nclient_id = "qiguan"\nname = "Club"\n`);
const hall = await openHall('--config', config);
after(() => hall.close());
const browser = await openBrowser();
after(() => browser.close());

const SAY = {
  en: {
    on: 'Go on with Club',
    make: 'Make the account',
    kept: 'I have kept them',
    elsewhere: 'Account elsewhere (Club)',
    add: 'Add your account at Club',
    again: 'Back to signing in',
    cancelled: 'Nothing has changed here',
  },
  zh: {
    on: '通过Club继续',
    make: '注册',
    kept: '我保存好了',
    elsewhere: '其他网站的账号 (Club)',
    add: '添加你在Club的账号',
    again: '返回登录',
    cancelled: '这里没有任何改变',
  },
};

for (const [shape, screen, lang, theme, sub] of [
  ['wide', WIDE, 'en', 'light', '1'],
  ['phone', PHONE, 'zh', 'dark', '2'],
]) {
  test(`${shape}, ${lang}, ${theme}: an account by an account elsewhere, on two devices`, async () => {
    const say = SAY[lang];
    const faults = [];
    const see = async (page, place) => {
      faults.push(...(await faultsOf(page, place)));
      await page.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}-${theme}.png`, fullPage: true });
    };
    who = { sub, name: `ada${sub}` };
    const a = await visitor(browser, { screen, lang, theme });
    await a.goto(`${hall.url}/account/sign-in`);
    await button(a, say.on).waitFor();
    await see(a, 'openid-sign-in');
    // Called off there: a word of why, and the way back.
    await button(a, say.on).click();
    await a.getByRole('link', { name: 'Refuse' }).click();
    await a.locator('[role=alert]', { hasText: say.cancelled }).waitFor();
    await see(a, 'openid-cancelled');
    await a.getByRole('link', { name: say.again }).click();
    await button(a, say.on).click();
    await a.getByRole('link', { name: 'Allow' }).click();
    await until(() => a.locator('#account-name').inputValue(), `ada${sub}`);
    await see(a, 'openid-name');
    assert.equal(await a.evaluate(() => location.search), '', 'neither code nor state stays in the address');
    await a.locator('#account-name').fill(`Ada ${sub}`);
    await button(a, say.make).click();
    await button(a, say.kept).click();
    await a.locator('.lines').first().getByText(say.elsewhere).waitFor();

    const b = await visitor(browser, { screen, lang, theme });
    await b.goto(`${hall.url}/account/sign-in`);
    await button(b, say.on).click();
    await b.getByRole('link', { name: 'Allow' }).click();
    await b
      .locator('.bar')
      .getByRole('button', { name: `Ada ${sub}` })
      .waitFor();
    // Another one is added; the same one belongs to this account alone.
    who = { sub: `${sub}0`, name: 'other' };
    await b.goto(`${hall.url}/account`);
    await button(b, say.add).click();
    await b.getByRole('link', { name: 'Allow' }).click();
    await until(() => b.locator('.lines').first().getByText(say.elsewhere).count(), 2);
    await see(b, 'openid-account');
    assert.deepEqual(faults, []);
    await farewell(a, b);
  });
}
