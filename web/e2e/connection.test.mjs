// Connections are cut and halls are killed; no page is reloaded and no move is lost or doubled.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, cell, farewell, mark, openHouse, pair, plies, put, stoneAt, toMove, unreloaded, until, visitor } from './house.mjs';

const GAME = 'Gomoku, standard';
/** The errors that a browser reports while the hall is away. */
const AWAY = [/WebSocket connection to/, /net::ERR_/];
const { hall, browser } = await openHouse();

test('the network goes: the page says so, keeps the board and the move, and catches up', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  a.expected = AWAY;
  await pair(a, b, hall.url, GAME);
  await mark(a);
  await put(a, 'h8');
  await until(() => plies(b), 1, 'b sees it');
  await a.context().setOffline(true);
  await a.locator('.offline').waitFor();
  await put(b, 'h9');
  await until(() => stoneAt(a, 'h8'), /Black stone/, 'the board stays');
  await until(() => plies(a), 1);
  await a.context().setOffline(false);
  await until(() => stoneAt(a, 'h9'), /White stone, last move/, 'what was missed is there');
  await a.locator('.offline').waitFor({ state: 'detached' });

  // A move made while away is shown as being sent, and arrives once.
  await toMove(a);
  await a.context().setOffline(true);
  await a.locator('.offline').waitFor();
  await cell(a, 'i8').click();
  await a.locator('.ghost.sending').waitFor();
  await until(() => a.locator('.note').textContent(), /Sending/);
  await until(() => plies(b), 2);
  await a.context().setOffline(false);
  await until(() => stoneAt(b, 'i8'), /Black stone/, 'the move arrives');
  await until(() => plies(a), 3, 'and is confirmed');
  assert.ok(await unreloaded(a));
  await farewell(a, b);
});

test('what is said while the network is away is kept, and what others said is there afterwards', async () => {
  const [a, b] = [await visitor(browser), await visitor(browser)];
  a.expected = AWAY;
  await pair(a, b, hall.url, GAME);
  for (const page of [a, b]) {
    await button(page, 'Menu').click();
    await button(page, 'Talk').click();
    await page.locator('.chat select').waitFor();
  }
  await a.context().setOffline(true);
  await a.locator('.offline').waitFor();
  await a.locator('.chat input').fill('Are you there?');
  await button(a, 'Say').click();
  await until(() => a.locator('.chat [role=status]').textContent(), /Connection lost/);
  assert.equal(await a.locator('.chat input').inputValue(), 'Are you there?');
  await b.locator('.chat select').selectOption('good-game');
  await until(() => b.locator('.chat .lines b').count(), 1);
  await a.context().setOffline(false);
  await until(() => a.locator('.chat .lines li').textContent(), /Good game/, 'what was missed is there');
  await until(() => a.locator('.chat [role=status]').textContent(), '');
  await button(a, 'Say').click();
  await until(() => a.locator('.chat input').inputValue(), '', 'now it is sent');
  await farewell(a, b);
});

test('the hall is killed and comes back: both go on, nothing is lost', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  a.expected = b.expected = AWAY;
  await pair(a, b, hall.url, GAME, { clock: 'Byo-yomi' });
  await mark(a);
  await mark(b);
  await put(a, 'h8');
  await put(b, 'h9');
  await put(a, 'i8');
  await toMove(b);
  await hall.kill();
  for (const page of [a, b]) await page.locator('.offline').waitFor();
  await cell(b, 'i9').click();
  await b.locator('.ghost.sending').waitFor();
  await hall.again();
  await until(() => stoneAt(a, 'i9'), /White stone, last move/, 'the move made meanwhile is played');
  await until(() => plies(b), 4, 'once');
  await put(a, 'j8');
  await until(() => plies(b), 5, 'the game goes on');
  assert.ok((await unreloaded(a)) && (await unreloaded(b)), 'nobody reloaded');
  await farewell(a, b);
});

test('a move that rests on an older board is rolled back, with the reason', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  a.expected = AWAY;
  const link = await pair(a, b, hall.url, GAME);
  await put(a, 'h8');
  await put(b, 'h9');
  // The same player sits at a second screen.
  const too = await visitor(browser, { storageState: await a.context().storageState() });
  await too.goto(link);
  await until(() => too.locator('.note').textContent(), /Your move/, 'the second screen has the seat');
  await toMove(a);
  await a.context().setOffline(true);
  await a.locator('.offline').waitFor();
  await cell(a, 'i8').click();
  await a.locator('.ghost.sending').waitFor();
  await put(too, 'j9');
  await put(b, 'j8');
  await a.context().setOffline(false);
  await until(() => a.locator('.note').textContent(), /board has changed/, 'the reason is told');
  await until(() => a.locator('.ghost.sending').count(), 0);
  await until(() => stoneAt(a, 'i8'), /empty/);
  await until(() => stoneAt(a, 'j8'), /White stone/);
  await put(a, 'i8');
  await farewell(a, b, too);
});

test('without a hall the kept shell opens, says so, and says what can be done meanwhile', async () => {
  const a = await visitor(browser);
  a.expected = AWAY;
  await a.goto(hall.url);
  await a
    .locator('.card')
    .first()
    .getByRole('button', { name: /^One screen/ })
    .click();
  await a.waitForSelector('main.table [role=grid]');
  await a.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const shell = () =>
    a.evaluate(async () => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().map((r) => new URL(r.url).pathname);
    });
  await until(async () => (await shell()).includes('/'), true, 'what was used is kept, with its page');
  const readable = async () => (await shell()).filter((p) => /\/(Rules-.*\.(js|css)|en-rules-)/.test(p)).length;
  await until(readable, 3, 'the rest comes one by one, the rules first');
  assert.ok(
    (await shell()).every((p) => !p.startsWith('/api')),
    'the shell only',
  );
  await hall.kill();
  await a.goto(hall.url);
  await a.locator('.note.problem', { hasText: 'cannot be reached' }).waitFor();
  await a.locator('.away', { hasText: 'What works' }).waitFor();
  assert.equal(await a.getByText('Nobody is waiting').count(), 0, 'nobody knows');
  await a.locator('.away').getByRole('link', { name: 'Xiangqi: the rules' }).click();
  await a.locator('main.rules', { hasText: 'general' }).waitFor();
  await a.goBack();
  await hall.again();
  await a.locator('.card .play').first().waitFor();
  await a.locator('.away').waitFor({ state: 'detached' });
  await farewell(a);
});

test('one file that is refused keeps no other from being kept', async () => {
  const a = await visitor(browser);
  a.expected = [...AWAY, /429|Failed to load/];
  let refused = 0;
  await a.context().route('**/assets/Account-*.js', (route) => {
    refused += 1;
    return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '' });
  });
  await a.goto(`${hall.url}/rules/gomoku`);
  const kept = (part) =>
    a.evaluate(async (what) => {
      const keys = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
      return keys.flat().filter((r) => r.url.includes(what)).length;
    }, part);
  await until(() => refused > 0, true, 'one is refused');
  await until(() => kept('/Authors-'), 2, 'others come');
  assert.equal(await kept('/Account-'), 1, 'its styles');
  await farewell(a);
});
