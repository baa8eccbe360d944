// Draughts: captures walked square by square, what must be captured, kings, clocks for each move, boards of every size.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, button, cell, farewell, openBrowser, openHall, pair, PHONE, plies, stoneAt, until, visitor } from './house.mjs';

let hall;
let browser;
before(async () => {
  hall = await openHall();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await hall?.close();
});

const TEN = 'Draughts, international (10x10)';

/** A table from a position, made by hand: the options of a table have their own tests. */
async function from(page, fen, more = {}) {
  if (page.url() === 'about:blank') await page.goto(hall.url);
  const made = await page.evaluate(
    (body) => fetch('/api/tables', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }).then((r) => r.json()),
    { game: 'draughts/international', how: 'screen', clock: { kind: 'none' }, fen, ...more },
  );
  await page.goto(`${hall.url}/t/${made.id}`);
  await page.waitForSelector('[role=grid]');
}

/** Touches the squares and waits until the hall has played the move. */
async function go(page, ...squares) {
  const before = await plies(page);
  for (const square of squares) await cell(page, square).click();
  await until(() => plies(page), before + 1, squares.join('-'));
}

const chosen = (page) => page.locator('.board .mark.chosen').count();
/** How many squares the drawn walk has. */
const walked = async (page) => ((await page.locator('.board path.path').count()) === 0 ? 0 : (await page.locator('.board path.path').getAttribute('d')).split(/[ML]/).length - 1);
const places = (page) => page.locator('[role=gridcell]').count();

test('a capture around and back to where it began, square by square, by link', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await a.goto(hall.url);
  await from(a, 'W:W33,46:B1,18,19,28,29', { how: 'invite', side: 'first' });
  await b.goto(a.url());
  await b.locator('.sit').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');
  await cell(a, '33').click();
  await until(() => chosen(a), 1, 'the man is chosen');
  await cell(a, '22').click();
  await until(() => walked(a), 2, 'one captured');
  assert.equal(await plies(a), 0, 'and not yet played');
  await cell(a, '13').click();
  await until(() => walked(a), 3, 'two captured');
  assert.equal(await a.locator('.board .piece.dim').count(), 2, 'and as good as gone');
  await cell(a, '24').click();
  await until(() => walked(a), 4, 'three captured');
  await cell(a, '33').click();
  await until(() => plies(b), 1, 'all the way round');
  for (const page of [a, b]) {
    await until(() => stoneAt(page, '33'), page === a ? /white man, last move/i : /白方兵|白方.*最后一步/, 'it is back');
    for (const square of ['18', '19', '28', '29']) assert.match(await stoneAt(page, square), page === a ? /empty/ : /空/);
  }
  assert.match(await a.locator('.ply').first().textContent(), /33x33/);
  await b.reload();
  await b.waitForSelector('[role=grid]');
  assert.equal(await plies(b), 1);
  await farewell(a, b);
});

test('the same round trip by one touch more, by dragging, and the other way round', async () => {
  const a = await visitor(browser);
  await from(a, 'W:W33,46:B1,18,19,28,29');
  // Touched once it is chosen, touched again it is let go: nothing is captured by mistake.
  await cell(a, '33').click();
  await cell(a, '33').click();
  await until(() => chosen(a), 0, 'let go');
  assert.equal(await plies(a), 0);
  // Whoever thinks of the circle the other way round gets it, too.
  await go(a, '33', '24', '13', '22', '33');
  assert.match(await stoneAt(a, '18'), /empty/);
  await button(a, 'Take back').click();
  await until(() => plies(a), 0, 'taken back');
  assert.match(await stoneAt(a, '18'), /black man/i);
  // Carried around with the mouse.
  const point = async (square) => {
    const box = await cell(a, square).boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await a.mouse.move(...(await point('33')));
  await a.mouse.down();
  for (const square of ['22', '13', '24', '33']) await a.mouse.move(...(await point(square)), { steps: 6 });
  await a.mouse.up();
  await until(() => plies(a), 1, 'dragged around');
  assert.match(await stoneAt(a, '29'), /empty/);
  await farewell(a);
});

test('one of three captures must be chosen; anything else is answered with what must be captured', async () => {
  const a = await visitor(browser);
  await from(a, 'W:W33,50:B1,17,19,20,28,29');
  await cell(a, '50').click();
  await until(() => a.locator('.note').textContent(), '2 pieces must be captured: move 33.', 'why not');
  await until(() => a.locator('.board .flash').count(), 1, 'the piece that must is pointed at');
  const at = await cell(a, '33').boundingBox();
  const flash = await a.locator('.board .flash').boundingBox();
  assert.ok(Math.abs(at.x + at.width / 2 - flash.x - flash.width / 2) < 2 && Math.abs(at.y + at.height / 2 - flash.y - flash.height / 2) < 2);
  await cell(a, '33').click();
  assert.equal(await a.locator('.board .flash').count(), 0);
  // The three ways, and where each ends.
  await until(async () => (await a.locator('[role=gridcell].may').evaluateAll((all) => all.map((e) => e.ariaLabel.split(',')[0]))).sort().join(' '), '11 13 15 22 24', 'the ways');
  await cell(a, '28').click();
  await until(() => a.locator('.note').textContent(), '2 pieces must be captured: move 33.', 'a wrong square says so again');
  await go(a, '33', '24', '13');
  assert.match(await stoneAt(a, '19'), /empty/);
  assert.match(await stoneAt(a, '20'), /black man/i);
  for (const [end, taken] of [['15', ['20', '29']], ['11', ['17', '28']]]) {
    await button(a, 'Take back').click();
    await until(() => plies(a), 0, 'taken back');
    await go(a, '33', end);
    for (const square of taken) assert.match(await stoneAt(a, square), /empty/, `${end}: ${square}`);
  }
  await button(a, 'Settings').click();
  await a.getByRole('radio', { name: '中文' }).check({ force: true });
  await a.keyboard.press('Escape');
  await button(a, '悔棋').click();
  await until(() => plies(a), 0, 'taken back');
  await cell(a, '50').click();
  await until(() => a.locator('.note').textContent(), /必须.*2.*33|33.*2/, 'in Chinese, too');
  await farewell(a);
});

test('a man becomes a king that looks and is called like one', async () => {
  const a = await visitor(browser);
  await from(a, 'W:W7,50:B1');
  await go(a, '7', '2');
  assert.match(await stoneAt(a, '2'), /white king, last move/i);
  const crowned = a.locator('.board .piece .king, .board .piece [class*=crown]');
  assert.ok((await crowned.count()) >= 1, 'it is drawn otherwise than a man');
  await go(a, '1', '6');
  await go(a, '2', '35');
  assert.match(await stoneAt(a, '35'), /white king/i, 'and flies');
  await button(a, 'Take back').click();
  await button(a, 'Take back').click();
  await until(() => plies(a), 1, 'two back');
  await button(a, 'Take back').click();
  await until(() => stoneAt(a, '7'), /white man/i, 'a man again');
  await button(a, 'Redo').click();
  await until(() => stoneAt(a, '2'), /white king/i, 'a king again');
  await farewell(a);
});

test('a clock for each move: whoever thinks too long loses', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await a.goto(hall.url);
  await a.locator('.card', { has: a.getByRole('heading', { name: 'Draughts', exact: true }) }).locator('.options').click();
  await a.getByRole('radio', { name: 'Invite', exact: true }).check({ force: true });
  await a.getByRole('radio', { name: 'White', exact: true }).check({ force: true });
  await a.locator('.new-game input[value=per-move]').check({ force: true });
  await a.locator('.new-game .numbers input').fill('2');
  await a.locator('.new-game button.primary').click();
  await a.waitForURL(/\/t\//);
  await b.goto(await a.locator('.share input').inputValue());
  await b.locator('.sit').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');
  await go(a, '32', '28');
  await until(() => plies(b), 1, 'seen');
  await go(b, '19', '23');
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  assert.match(await a.locator('.banner p').textContent(), /time/i);
  await b.locator('.banner', { hasText: '你赢了' }).waitFor();
  assert.match(await b.locator('.banner p').textContent(), /超时/);
  await farewell(a, b);
});

test('boards of 64, 100 and 144 squares open from the hall, with their own numbers', async () => {
  const a = await visitor(browser);
  for (const [game, squares, first, corner] of [
    ['Draughts, Russian', 32, ['c3', 'd4'], 'b8'],
    ['Draughts, Canadian (12x12)', 72, ['43', '37'], '1'],
    ['Draughts, Turkish (dama)', 64, null, 'a8'],
    [TEN, 50, ['32', '28'], '1'],
  ]) {
    await begin(a, hall.url, game, { how: 'One screen' });
    assert.equal(await places(a), squares, game);
    assert.match(await a.locator('[role=gridcell]').first().getAttribute('aria-label'), new RegExp(`^${corner},`), game);
    if (first) await go(a, ...first);
  }
  await farewell(a);
});

test('on a phone the widest board is played with a finger, the board turned', async () => {
  const a = await visitor(browser, { screen: PHONE, confirm: 'auto' });
  const b = await visitor(browser);
  await pair(b, a, hall.url, 'Draughts, Canadian (12x12)', { side: 'White' });
  assert.match(await a.locator('[role=gridcell]').first().getAttribute('aria-label'), /^72,/);
  await go(b, '43', '37');
  await until(() => plies(a), 1, 'seen');
  await cell(a, '25').tap();
  await cell(a, '31').tap();
  if ((await plies(a)) === 1 && (await button(a, 'Play it').count()) > 0) await button(a, 'Play it').tap();
  await until(() => plies(b), 2, 'played');
  assert.equal(await a.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing sticks out');
  const size = await a.locator('.board .names text').first().evaluate((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a);
  assert.ok(size > 7, `the numbers can be read: ${size}`);
  await farewell(a, b);
});
