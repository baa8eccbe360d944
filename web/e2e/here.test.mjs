// Being here: a challenge begins wherever both are, a bell on every page, a page that is put aside, a game that nobody begins.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, faultsOf, openHouse, PHONE, PICTURES, signUp, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();

async function account(name, options) {
  const page = await visitor(browser, { gomoku: 'freestyle', ...options });
  await signUp(hall, page, name);
  return page;
}

const BLITZ = { game: 'gomoku/freestyle', clock: { kind: 'fischer', base_ms: 300_000, increment_ms: 3000 } };

/** Asks the hall as the page would. */
const ask = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => {
      const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(path, body === undefined ? {} : how);
      return answer.status === 204 ? null : answer.json();
    },
    [path, body],
  );

for (const [shape, screen, lang, words] of [
  ['wide', WIDE, 'en', { accept: 'Accept', bell: /waits? for you/ }],
  ['phone', PHONE, 'zh', { accept: '接受', bell: /等着你/ }],
]) {
  test(`${shape}, ${lang}: a challenge with a clock begins though both are on other pages than the lobby`, async () => {
    const names = [`Ada ${shape}`, `Bea ${shape}`];
    const a = await account(names[0], { screen, lang });
    const b = await account(names[1], { screen, lang });
    await b.goto(`${hall.url}/puzzles`);
    await a.goto(`${hall.url}/@/${encodeURIComponent(names[1])}`);
    await a.locator('.company').waitFor();
    // The bell rings where one is, and the one who has sent it need not be in the lobby.
    await until(async () => {
      await ask(a, `/api/challenge/${encodeURIComponent(names[1])}`, BLITZ);
      return b.locator('button.bell.rings').count();
    }, 1);
    assert.match(await b.locator('button.bell').getAttribute('aria-label'), words.bell);
    await b.locator('button.bell').focus();
    await b.keyboard.press('Enter');
    const list = b.locator('dialog[open] li');
    await list.first().waitFor();
    await b.screenshot({ path: `${PICTURES}/bell-${shape}-${lang}.png` });
    assert.deepEqual(await faultsOf(b, 'bell'), []);
    await button(b, words.accept).first().click();
    await Promise.all([a, b].map((page) => page.waitForURL(/\/t\//)));
    assert.equal(new URL(a.url()).pathname, new URL(b.url()).pathname, 'one table for both');
    await Promise.all([a, b].map((page) => page.locator('.strip [role=timer]').first().waitFor()));
    await a.screenshot({ path: `${PICTURES}/first-move-${shape}-${lang}.png` });
    await Promise.all([a.close(), b.close()]);
  });
}

test('a page that was put aside for the back button is gone at once, and is back with it', async () => {
  const a = await account('Cay', { screen: WIDE, lang: 'en' });
  const b = await account('Dea', { screen: WIDE, lang: 'en' });
  const wish = { ...BLITZ, how: 'open', side: 'first', options: { size: 15 } };
  const { id } = await ask(a, '/api/tables', wish);
  await a.goto(`${hall.url}/t/${id}`);
  await a.locator('[role=grid]').waitFor();
  await b.goto(`${hall.url}/t/${id}`);
  await b.locator('[role=grid]').waitFor();
  const here = () => b.locator('.strip .dot.here').count();
  await until(here, 1, 'the other is there');
  await a.goto('about:blank');
  await until(here, 0, 'and has gone');
  await a.goBack();
  await until(here, 1, 'and is back');
  await Promise.all([a.close(), b.close()]);
});
