// The home: who waits on the time tiles, turns in slow games, what there is today, and pieces that newcomers can read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, faultsOf, farewell, openHouse, PHONE, PICTURES, resting, signUp, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();
const TALL = { ...PHONE, viewport: { width: 390, height: 844 } };
const chip = (page, name) => page.locator('.play .chip', { has: page.getByText(name, { exact: true }) });

test('a time tile says how many wait, on the home and on the page of the game', async () => {
  const [a, b] = [await visitor(browser), await visitor(browser, { lang: 'zh' })];
  await b.goto(hall.url);
  await chip(b, '连珠').click();
  const tile = b.locator('.times button', { hasText: '10+5' });
  await until(() => tile.locator('small').textContent(), '中速棋');
  await a.goto(`${hall.url}/renju`);
  await a.locator('.times button', { hasText: '10+5' }).click();
  await until(() => tile.locator('small').textContent(), '1 人在等');
  assert.match(await tile.textContent(), /连珠/, 'a screen reader hears of which game');
  await chip(b, '五子棋').click();
  await until(() => tile.locator('small').textContent(), '中速棋', 'another game');
  await chip(b, '连珠').click();
  await until(() => tile.locator('small').textContent(), '1 人在等');
  await button(a, 'Stop looking').click();
  await until(() => tile.locator('small').textContent(), '中速棋', 'nobody waits any more');
  // Who sees somebody wait needs one click more.
  await a.locator('.times button', { hasText: '10+5' }).click();
  await until(() => tile.locator('small').textContent(), '1 人在等');
  await tile.click();
  await Promise.all([a, b].map((page) => page.waitForURL(/\/t\//)));
  assert.equal(a.url(), b.url());
  await farewell(a, b);
});

for (const [shape, screen, lang] of [
  ['wide', WIDE, 'en'],
  ['phone', TALL, 'zh'],
]) {
  test(`${shape}, ${lang}: the puzzle of the day and a map come without moving anything`, async () => {
    const a = await visitor(browser, { screen, lang });
    await a.goto(hall.url);
    const cards = a.locator('.cards');
    await a.locator('.card').nth(4).waitFor();
    const before = await resting(cards);
    await a.locator('.today .board-card').nth(1).waitFor();
    const after = await resting(cards);
    assert.ok(Math.abs(after.y - before.y) <= 1, `${JSON.stringify(before)}, then ${JSON.stringify(after)}`);
    assert.deepEqual(await faultsOf(a, 'home'), []);
    await a.screenshot({ path: `${PICTURES}/home-today-${shape}-${lang}.png`, fullPage: true });
    await a.locator('.today .board-card').first().click();
    await a.waitForURL(/\/puzzles\/./);
    await a.locator('[role=grid]').waitFor();
    await a.goBack();
    await a.locator('.today .board-card').nth(1).click();
    await a.waitForURL(/\/maps\/./);
    await farewell(a);
  });
}

test('whoever comes back sees the turn that waits, with its board, before anything else', async () => {
  const [a, b] = [await visitor(browser), await visitor(browser)];
  await signUp(hall, a, 'Ada waits');
  await signUp(hall, b, 'Ben moves');
  const id = await a.evaluate(async () => {
    const wish = { game: 'gomoku/renju', how: 'invite', clock: { kind: 'per-move', turn_ms: 259_200_000 }, side: 'second' };
    const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) };
    return (await (await fetch('/api/tables', how)).json()).id;
  });
  await a.goto(`${hall.url}/t/${id}`);
  await a.locator('[role=grid]').waitFor();
  await b.goto(`${hall.url}/t/${id}`);
  await b.locator('button.sit').click();
  await b.locator('.sit').waitFor({ state: 'detached' });
  await b.goto(hall.url);
  const turn = b.locator('.continue .board-card');
  await until(() => turn.textContent(), /Renju.*Ada waits.*2 d 23 h/);
  const [waits, play] = [await resting(turn), await resting(b.locator('section.play'))];
  assert.ok(waits.y + waits.height <= play.y, 'above the play panel');
  await until(() => b.title(), /^\(1\)/);
  assert.deepEqual(await faultsOf(b, 'a turn'), []);
  await b.screenshot({ path: `${PICTURES}/home-turn.png` });
  await turn.click();
  await b.waitForURL(new RegExp(`/t/${id}`));
  await farewell(a, b);
});

test('a challenge that came while one was away stands on the home', async () => {
  const [a, b] = [await visitor(browser), await visitor(browser)];
  await signUp(hall, a, 'Cleo asks');
  await signUp(hall, b, 'Dan was away');
  // Only those who are here can be challenged: he goes just after that.
  await b.goto(`${hall.url}/people`);
  await until(
    () =>
      a.evaluate(async () => {
        const wish = { game: 'gomoku/renju', clock: { kind: 'fischer', base_ms: 300_000, increment_ms: 3000 } };
        const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) };
        return (await fetch('/api/challenge/Dan%20was%20away', how)).ok;
      }),
    true,
  );
  await b.goto(hall.url);
  await until(() => b.locator('.challenged').textContent(), /Cleo asks/);
  // She is told on the line of her page, once it stands.
  const line = a.waitForEvent('websocket');
  await a.goto(hall.url);
  await (await line).waitForEvent('framereceived');
  await b.locator('.challenged').getByRole('button', { name: 'Accept', exact: true }).click();
  await Promise.all([a, b].map((page) => page.waitForURL(/\/t\//)));
  await farewell(a, b);
});

test('who reads no Chinese sees pictures on the pieces, and finds the characters; who does sees characters', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  await a.locator('.card .sign.drawn').first().waitFor();
  await a.locator('.faces').getByRole('button', { name: 'Characters' }).click();
  await until(() => a.locator('.card .sign.drawn').count(), 0);
  await a.reload();
  await a.locator('.card .sign').first().waitFor();
  assert.equal(await a.locator('.card .sign.drawn').count(), 0, 'it is kept');
  const b = await visitor(browser, { lang: 'zh' });
  await b.goto(hall.url);
  await b.locator('.card .sign').first().waitFor();
  assert.equal(await b.locator('.card .sign.drawn, .faces').count(), 0);
  await farewell(a, b);
});
