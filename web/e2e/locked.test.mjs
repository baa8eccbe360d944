// Locked chess by link: steps, leaning, withdrawing, a whole game to its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { button, farewell, openHouse, pair, plies, put, toMove, until, visitor } from './house.mjs';

const GAME = 'Locked chess';
const { hall, browser } = await openHouse();

const arrow = (page, way) => page.locator(`.arrow.Arrow${way}`);
async function press(page, way) {
  await toMove(page);
  const before = await plies(page);
  await arrow(page, way).click();
  await until(() => plies(page), before + 1, `${way} is played`);
}
const stones = (page, side) =>
  page.locator('[role=gridcell]').evaluateAll(
    (cells, s) =>
      cells
        .map((c) => c.getAttribute('aria-label'))
        .filter((l) => l.includes(`${s} stone`))
        .map((l) => l.split(',')[0]),
    side,
  );

test('a turn of five steps, with arrows, a stone and withdrawing', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  await pair(a, b, hall.url, GAME);
  await until(() => stones(a, 'Black'), ['d4', 'e5', 'h8', 'i9']);

  // Hovering leans the whole army, and moves nothing.
  await arrow(a, 'Up').hover();
  await until(() => a.locator('.board .ghost').count(), 4);
  await until(() => a.locator('.board .piece.leans').count(), 4);
  await press(a, 'Up');
  await until(() => stones(b, 'Black'), ['d3', 'e4', 'h7', 'i8']);
  await until(() => a.locator('.chips .done').count(), 1);
  await until(() => plies(b), 1);

  // The same axis is not offered again; the other side cannot press anything.
  await arrow(b, 'Left').click({ force: true });
  await until(() => b.locator('.note').textContent(), /other side’s turn/, 'it says why');
  await until(() => plies(b), 1);
  await press(a, 'Left');
  await until(() => a.locator('.board .target.ring').count(), 4, 'every own stone may be chosen');
  await put(a, 'c3');
  await until(() => a.locator('.board .mark.chosen').count(), 1, 'it is marked');

  await button(a, 'Withdraw').click();
  await until(() => plies(a), 2, 'the choice is withdrawn');
  await put(a, 'g7');
  await until(() => plies(b), 3, 'another stone is chosen');
  // A single stone may also be sent by touching where it goes.
  await put(a, 'g6');
  await until(() => plies(b), 4, 'the fourth step');
  await press(a, 'Right');
  await until(async () => (await stones(b, 'Black')).join(), 'c3,d4,h6,h8', 'the turn is done');
  await until(() => b.locator('.strip.near').getAttribute('class'), /turn/, 'the turn passes after five steps');
  await until(() => a.locator('.moves').textContent(), /↑\s*←\s*g7\s*↑\s*→/);
  await farewell(a, b);
});

test('a blocked direction shows what is in the way, and says so', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  await button(a, `${GAME}: play on this screen`).click();
  await a.waitForSelector('[role=grid]');
  // Up until the edge: Black goes up and left, a stone back and forth, and White answers likewise.
  let seen = false;
  for (let i = 0; i < 120 && !seen; i += 1) {
    await toMove(a);
    const open = await a.locator('.arrow:not([aria-disabled=true])').count();
    const blocked = a.locator('.arrow[aria-label*=blocked]').first();
    if ((await blocked.count()) > 0) {
      await blocked.hover();
      await a.locator('.board .blocker').first().waitFor();
      await blocked.click({ force: true });
      await until(() => a.locator('.note').textContent(), /blocked/);
      seen = true;
      break;
    }
    const before = await plies(a);
    if (open > 0) await a.locator('.arrow:not([aria-disabled=true])').first().click();
    else await a.locator('[role=gridcell][aria-label*="may be chosen"]').first().click();
    await until(async () => (await plies(a)) > before || (await a.locator('.arrow.armed').count()) > 0, true, 'it goes on');
    if ((await a.locator('.arrow.armed').count()) > 0) await a.keyboard.press('Escape');
  }
  assert.ok(seen, 'a blocked direction was met');
  await farewell(a);
});

test('a whole game by link, played at random to its end, with reloads', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  await pair(a, b, hall.url, GAME);
  let seed = 20261121;
  const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
  let warned = false;
  for (let step = 0; ; step += 1) {
    assert.ok(step < 2500, 'random play ends');
    let mover;
    await until(
      async () => {
        for (const page of [a, b]) if (/^●/.test(await page.title())) mover = page;
        return mover !== undefined || (await a.locator('.banner').count()) > 0;
      },
      true,
      'one of the two is to move',
    );
    if (!mover) break;
    if (step === 23) {
      await mover.reload();
      await toMove(mover);
    }
    const before = await plies(mover);
    const arrows = mover.locator('.arrow:not([aria-disabled=true])');
    const cells = mover.locator('[role=gridcell][aria-label*="may be chosen"]');
    const traps = mover.locator('.arrow.warned');
    if (step > 40 && (await traps.count()) > 0) {
      // A choice that locks oneself is marked, and asks once.
      await traps.first().click();
      await until(() => mover.locator('.note').textContent(), /loses at once/i);
      assert.equal(await plies(mover), before, 'the first press only asks');
      warned = true;
      await traps.first().click();
    } else if ((await arrows.count()) > 0) {
      await arrows.nth(random(await arrows.count())).click();
    } else {
      const n = await cells.count();
      const one = cells.nth(random(n));
      await one.click();
    }
    // A choice that loses at once asks first, wherever it is made.
    const asks = async () => (await mover.locator('.note-row button').count()) > 0;
    await until(async () => (await plies(mover)) === before + 1 || (await asks()), true, `step ${step}`);
    if ((await plies(mover)) === before) await mover.keyboard.press('Escape');
    const watcher = mover === a ? b : a;
    await until(() => plies(watcher), await plies(mover), 'both see the same');
  }
  assert.ok(warned, 'a warning was met');
  await b.locator('.banner').waitFor();
  const words = async () =>
    [await a.locator('.banner h2').textContent(), await b.locator('.banner h2').textContent()]
      .map((w) => w.split(' ').slice(0, 2).join(' '))
      .sort();
  await until(words, ['You lose', 'You win']);
  await until(async () => isDeepStrictEqual(await stones(a, 'White'), await stones(b, 'White')), true, 'both see the same end');
  await farewell(a, b);
});

test('a turn with the keyboard alone: arrows press, and find the stones', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  await button(a, `${GAME}: play on this screen`).click();
  await a.waitForSelector('[role=grid]');
  const key = async (k, n) => {
    await toMove(a);
    await a.keyboard.press(k);
    await until(() => plies(a), n, k);
  };
  await key('ArrowUp', 1);
  await until(() => a.locator('[aria-live=polite]').textContent(), /Black: Up.*across/, 'the step and the next question are said');
  await key('ArrowLeft', 2);
  const focus = () => a.evaluate(() => document.activeElement.getAttribute('aria-label') ?? '');
  await key('ArrowDown', 2);
  await until(() => focus(), /^c3, Black stone/, 'an arrow goes to the stones');
  await key('ArrowDown', 2);
  await until(() => focus(), /^d4, Black stone/, 'and from stone to stone');
  await key('Enter', 3);
  await key('ArrowDown', 4);
  await key('ArrowRight', 5);
  await until(() => stones(a, 'Black'), ['c3', 'e5', 'g7', 'h8']);
  await until(() => a.locator('.strip.far').getAttribute('class'), /turn/, 'White is to move');
  await farewell(a);
});
