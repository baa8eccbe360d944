// Two people play gomoku by link: takeback, reload, a win, a rematch; others look on.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, cell, farewell, mark, openHouse, pair, PHONE, plies, put, stoneAt, toMove, unreloaded, until, visitor } from './house.mjs';

const GAME = 'Gomoku, standard';
const { hall, browser } = await openHouse();

test('a whole game by link, with a takeback, a reload and a rematch', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  await pair(a, b, hall.url, GAME, { clock: 'Fischer' });
  await mark(a);

  await put(a, 'h8');
  await until(() => stoneAt(b, 'h8'), /Black stone, last move/, 'the other side sees the stone');
  await put(b, 'h9');
  await put(a, 'a1');
  await until(() => a.locator('.clock.runs').count(), 1, 'one clock runs');

  // A takeback is asked for, declined, asked for again after a move and allowed.
  await button(a, 'Take back').click();
  await b.locator('.strip.far .offer', { hasText: 'asks to take back' }).waitFor();
  await button(b, 'Decline').click();
  await a.locator('.offer').waitFor({ state: 'detached' });
  await until(() => a.locator('.note').textContent(), /White does not agree to take back/, 'who asked can read the answer');
  await until(() => plies(a), 3);
  await put(b, 'b1');
  await put(a, 'c1');
  await button(a, 'Take back').click();
  await b.locator('.strip.far').getByRole('button', { name: 'Accept' }).click();
  await until(() => plies(a), 4, 'the move is taken back');
  await until(() => stoneAt(b, 'c1'), /empty/, 'the stone is gone on the other screen');

  await put(a, 'i8');
  await b.reload();
  await b.waitForSelector('[role=grid]');
  await until(() => stoneAt(b, 'i8'), /Black stone, last move/);
  await put(b, 'i9');
  await put(a, 'j8');
  await put(b, 'j9');
  await put(a, 'k8');
  await put(b, 'k9');
  await put(a, 'l8');

  await a.locator('.banner', { hasText: 'You win' }).waitFor();
  await b.locator('.banner', { hasText: 'You lose' }).waitFor();
  await until(() => a.locator('.banner').textContent(), /five in a row/i);
  for (const name of ['h8', 'i8', 'j8', 'k8', 'l8']) await until(() => stoneAt(b, name), /winning row/);
  await until(() => b.locator('[aria-live=polite]').textContent(), /Black wins/);

  await mark(b);
  const old = a.url();
  await a.locator('.banner').getByRole('button', { name: 'Rematch' }).click();
  await b.locator('.banner').getByRole('button', { name: 'Accept the rematch' }).click();
  await until(() => a.url() !== old && a.url() === b.url(), true, 'both are at the new table');
  assert.ok((await unreloaded(a)) && (await unreloaded(b)), 'nobody reloaded');
  await a.waitForSelector('[role=grid]');
  const begins = async () => (await Promise.all([a, b].map((page) => page.title()))).findIndex((title) => /^●/.test(title));
  await until(begins, /^[01]$/, 'somebody begins');
  const [first, second] = (await begins()) === 0 ? [a, b] : [b, a];
  await put(first, 'h8');
  await until(() => stoneAt(second, 'h8'), /Black stone/, 'the rematch is played');
  await farewell(a, b);
});

test('one who looks on sees the moves and cannot play', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  const c = await visitor(browser, { lang: 'zh' });
  const link = await pair(a, b, hall.url, GAME);
  await c.goto(link);
  await c.waitForSelector('[role=grid]');
  await put(a, 'h8');
  await until(() => stoneAt(c, 'h8'), /黑方棋子/, 'the third sees the stone');
  await cell(c, 'h9').click();
  await put(b, 'i9');
  await until(() => stoneAt(c, 'i9'), /白方棋子/, 'and the next one');
  await until(() => stoneAt(c, 'h9'), /空/);
  await until(() => c.getByRole('button', { name: '认输' }).count(), 0);
  await until(() => a.locator('.watchers').count(), 1, 'the players see that somebody looks on');
  await farewell(a, b, c);
});

test('draw, swap and resignation are agreed or asked once', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  await pair(a, b, hall.url, GAME);
  await put(a, 'h8');
  await button(a, 'Menu').click();
  await button(a, 'Offer to swap sides').click();
  await b.locator('.strip.far').getByRole('button', { name: 'Accept' }).click();
  await until(() => a.locator('.strip.near').getAttribute('aria-label'), /^White/, 'the sides are swapped');
  await put(a, 'i9');

  await button(b, 'Offer draw').click();
  await a.locator('.strip.far .offer', { hasText: 'offers a draw' }).waitFor();
  await button(a, 'Decline').click();
  await b.locator('.offer').waitFor({ state: 'detached' });

  await button(b, 'Resign').click();
  await button(b, 'No').click();
  await until(() => b.locator('.banner').count(), 0, 'no is no');
  await button(b, 'Resign').click();
  await b.locator('.actions').getByRole('button', { name: 'Resign' }).click();
  await a.locator('.banner', { hasText: 'You win' }).waitFor();
  await until(() => a.locator('.banner').textContent(), /resignation/i);
  await farewell(a, b);
});

test('a wrong touch is answered under the board, in words, and changes nothing', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  await button(a, `${GAME}: play on this screen`).click();
  await put(a, 'h8');
  await toMove(a);
  await cell(a, 'h8').click();
  await until(() => a.locator('.note').textContent(), /h8 already has a black stone/, 'the reason is told');
  await until(() => plies(a), 1);
  await a.keyboard.press('Escape');
  await until(() => a.locator('.note').textContent(), /White to move/);
  await farewell(a);
});

test('on one screen moves are taken back and played again', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  await button(a, `${GAME}: play on this screen`).click();
  for (const name of ['h8', 'h9', 'i8']) await put(a, name);
  await button(a, 'Take back').click();
  await until(() => plies(a), 2, 'one move is back');
  await button(a, 'Take back').click();
  await until(() => plies(a), 1, 'two moves are back');
  await button(a, 'Redo').click();
  await until(() => plies(a), 2, 'one is played again');
  await button(a, 'Redo').click();
  await until(() => stoneAt(a, 'i8'), /Black stone/, 'and the other');
  await until(() => button(a, 'Redo').isDisabled(), true);
  await farewell(a);
});

test('looking back while the game goes on, by click and by key', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  await pair(a, b, hall.url, GAME);
  await put(a, 'h8');
  await put(b, 'h9');
  await put(a, 'i8');
  await a.locator('[data-ply="1"]').click();
  await until(() => stoneAt(a, 'h9'), /empty/, 'the board of ply 1 is shown');
  await put(b, 'i9');
  await until(() => plies(a), 4, 'the game goes on');
  await until(() => stoneAt(a, 'i9'), /empty/);
  await a.keyboard.press(']');
  await until(() => stoneAt(a, 'h9'), /White stone, last move/, 'one move on');
  await a.keyboard.press('Home');
  await until(() => stoneAt(a, 'h8'), /empty/, 'the start');
  await button(a, 'Back to now').click();
  await until(() => stoneAt(a, 'i9'), /White stone, last move/, 'now');
  await put(a, 'j8');
  await farewell(a, b);
});

test('a record is saved, opened again, and the position copied', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  await button(a, `${GAME}: play on this screen`).click();
  for (const name of ['h8', 'h9', 'i8']) await put(a, name);
  const table = a.url();
  for (const format of ['JSON', 'text', 'SGF']) {
    await button(a, 'Menu').click();
    const [download] = await Promise.all([a.waitForEvent('download'), a.getByRole('link', { name: format, exact: true }).click()]);
    const file = await download.path();
    await a.goto(hall.url);
    await a.locator('.import input').setInputFiles({
      name: download.suggestedFilename(),
      mimeType: 'text/plain',
      buffer: await (await import('node:fs/promises')).readFile(file),
    });
    await a.waitForURL(/\/t\//);
    await until(() => stoneAt(a, 'i8').catch(() => ''), /Black stone, last move/, `${format} comes back`);
    await a.goto(table);
    await a.waitForSelector('[role=grid]');
  }
  await button(a, 'Menu').click();
  await a.getByRole('button', { name: /Copy the position/ }).click();
  await until(() => a.getByRole('button', { name: /Copy the position/ }).textContent(), /Copied/, 'it says so');
  await until(() => a.evaluate(() => navigator.clipboard.readText()), /w$/);
  await farewell(a);
});

test('on a phone, where cells are small, the first touch only shows', async () => {
  const a = await visitor(browser, { gomoku: 'freestyle', screen: PHONE, confirm: 'auto' });
  await a.goto(hall.url);
  await button(a, 'Gomoku, freestyle: play on this screen').tap();
  await toMove(a);
  await cell(a, 'h8').tap();
  await a.locator('.ghost.armed').waitFor();
  await until(() => stoneAt(a, 'h8'), /empty/);
  await cell(a, 'h9').tap();
  await cell(a, 'h9').tap();
  await until(() => stoneAt(a, 'h9'), /Black stone/, 'the second touch plays');
  await toMove(a);
  await cell(a, 'i9').tap();
  await button(a, 'Play it').tap();
  await until(() => stoneAt(a, 'i9'), /White stone/, 'so does the button');
  await button(a, 'Moves').tap();
  await a.locator('.side.open .moves').waitFor();
  await until(() => a.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing sticks out');
  await farewell(a);
});
