// Draughts: captures walked square by square, what must be captured, kings, clocks for each move, boards of every size.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  begin,
  button,
  cell,
  farewell,
  faultsOf,
  openHouse,
  pair,
  PHONE,
  PICTURES,
  pick,
  plies,
  put,
  radio,
  resting,
  shut,
  stoneAt,
  toMove,
  until,
  visitor,
} from './house.mjs';

const { hall, browser } = await openHouse();

const TEN = 'Draughts, international (10x10)';

/** Opens a table from a position by a request: the options of a table have their own tests. */
async function from(page, fen, more = {}) {
  if (page.url() === 'about:blank') await page.goto(hall.url);
  const made = await page.evaluate(
    (body) =>
      fetch('/api/tables', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }).then((r) =>
        r.json(),
      ),
    { game: 'draughts/international', how: 'screen', clock: { kind: 'none' }, fen, ...more },
  );
  await page.goto(`${hall.url}/t/${made.id}`);
  await page.waitForSelector('[role=grid]');
}

const chosen = (page) => page.locator('.board .mark.chosen').count();
/** Returns the number of squares of the drawn walk. */
const walked = async (page) =>
  (await page.locator('.board path.path').count()) === 0
    ? 0
    : (await page.locator('.board path.path').getAttribute('d')).split(/[ML]/).length - 1;
const places = (page) => page.locator('[role=gridcell]').count();

test('a capture around and back to where it began, square by square, by link', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await a.goto(hall.url);
  await from(a, 'W:W33,46:B1,18,19,28,29', { how: 'invite', side: 'first' });
  await b.goto(a.url());
  await b.locator('.sit').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');
  await toMove(a);
  await cell(a, '33').click();
  await until(() => chosen(a), 1, 'the man is chosen');
  await cell(a, '22').click();
  await until(() => walked(a), 2, 'one captured');
  await until(() => plies(a), 0, 'and not yet played');
  await cell(a, '13').click();
  await until(() => walked(a), 3, 'two captured');
  await until(() => a.locator('.board .piece.dim').count(), 2, 'and as good as gone');
  await cell(a, '24').click();
  await until(() => walked(a), 4, 'three captured');
  await cell(a, '33').click();
  await until(() => plies(b), 1, 'all the way round');
  for (const page of [a, b]) {
    await until(() => stoneAt(page, '33'), page === a ? /white man, last move/i : /白方兵|白方.*最后一步/, 'it is back');
    for (const square of ['18', '19', '28', '29']) await until(() => stoneAt(page, square), page === a ? /empty/ : /空/);
  }
  await until(() => a.locator('.ply').first().textContent(), /33x33/);
  await b.reload();
  await b.waitForSelector('[role=grid]');
  await until(() => plies(b), 1);
  await farewell(a, b);
});

test('the same round trip by one touch more, by dragging, and the other way round', async () => {
  const a = await visitor(browser);
  await from(a, 'W:W33,46:B1,18,19,28,29');
  // A second touch of a chosen piece gives it up: nothing is captured by mistake.
  await toMove(a);
  await cell(a, '33').click();
  await until(() => chosen(a), 1, 'chosen');
  await cell(a, '33').click();
  await until(() => chosen(a), 0, 'let go');
  await until(() => plies(a), 0);
  // The circle touched the other way round is the same move.
  await put(a, '33', '24', '13', '22', '33');
  await until(() => stoneAt(a, '18'), /empty/);
  await button(a, 'Take back').click();
  await until(() => plies(a), 0, 'taken back');
  await until(() => stoneAt(a, '18'), /black man/i);
  // Carried around with the mouse.
  await toMove(a);
  const point = async (square) => {
    const box = await resting(cell(a, square));
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await a.mouse.move(...(await point('33')));
  await a.mouse.down();
  for (const square of ['22', '13', '24', '33']) await a.mouse.move(...(await point(square)), { steps: 6 });
  await a.mouse.up();
  await until(() => plies(a), 1, 'dragged around');
  await until(() => stoneAt(a, '29'), /empty/);
  await farewell(a);
});

test('one of three captures must be chosen; anything else is answered with what must be captured', async () => {
  const a = await visitor(browser);
  await from(a, 'W:W33,50:B1,17,19,20,28,29');
  await toMove(a);
  await cell(a, '50').click();
  await until(() => a.locator('.note').textContent(), '2 pieces must be captured: move 33.', 'why not');
  await until(() => a.locator('.board .flash').count(), 1, 'the piece that must is pointed at');
  await until(
    async () => {
      const [at, flash] = [await cell(a, '33').boundingBox(), await a.locator('.board .flash').boundingBox()];
      return (
        Math.abs(at.x + at.width / 2 - flash.x - flash.width / 2) < 2 && Math.abs(at.y + at.height / 2 - flash.y - flash.height / 2) < 2
      );
    },
    true,
    'where it stands',
  );
  await cell(a, '33').click();
  await until(() => a.locator('.board .flash').count(), 0);
  // The three ways, and where each ends.
  await until(
    async () => (await a.locator('[role=gridcell].may').evaluateAll((all) => all.map((e) => e.ariaLabel.split(',')[0]))).sort().join(' '),
    '11 13 15 22 24',
    'the ways',
  );
  await cell(a, '28').click();
  await until(() => a.locator('.note').textContent(), '2 pieces must be captured: move 33.', 'a wrong square says so again');
  await put(a, '33', '24', '13');
  await until(() => stoneAt(a, '19'), /empty/);
  await until(() => stoneAt(a, '20'), /black man/i);
  for (const [end, taken] of [
    ['15', ['20', '29']],
    ['11', ['17', '28']],
  ]) {
    await button(a, 'Take back').click();
    await until(() => plies(a), 0, 'taken back');
    await put(a, '33', end);
    for (const square of taken) await until(() => stoneAt(a, square), /empty/, `${end}: ${square}`);
  }
  await button(a, 'Settings').click();
  await radio(a, '中文');
  await shut(a);
  await button(a, '悔棋').click();
  await until(() => plies(a), 0, 'taken back');
  await toMove(a);
  await cell(a, '50').click();
  await until(() => a.locator('.note').textContent(), /必须.*2.*33|33.*2/, 'in Chinese, too');
  await farewell(a);
});

test('a man becomes a king that looks and is called like one', async () => {
  const a = await visitor(browser);
  await from(a, 'W:W7,50:B1');
  await put(a, '7', '2');
  await until(() => stoneAt(a, '2'), /white king, last move/i);
  const crowned = a.locator('.board .piece .king, .board .piece [class*=crown]');
  await until(async () => (await crowned.count()) >= 1, true, 'it is drawn otherwise than a man');
  await put(a, '1', '6');
  await put(a, '2', '35');
  await until(() => stoneAt(a, '35'), /white king/i, 'and flies');
  for (const left of [2, 1]) {
    await button(a, 'Take back').click();
    await until(() => plies(a), left, 'one back');
  }
  await button(a, 'Take back').click();
  await until(() => stoneAt(a, '7'), /white man/i, 'a man again');
  await button(a, 'Redo').click();
  await until(() => stoneAt(a, '2'), /white king/i, 'a king again');
  await farewell(a);
});

/**
 * A game with this number of seconds for each move, one move each; `null` if the pages were too slow and the clock
 * ended it before.
 */
async function moveEach(seconds) {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await a.goto(hall.url);
  await a
    .locator('.card', { has: a.getByRole('heading', { name: 'Draughts', exact: true }) })
    .locator('.options')
    .click();
  await radio(a, 'Invite');
  await radio(a, 'White');
  await pick(a.locator('.new-game input[value=per-move]'));
  await a.locator('.new-game .numbers input').fill(String(seconds));
  await a.locator('.new-game button.primary').click();
  await a.waitForURL(/\/t\//);
  await b.goto(await a.locator('.share input').inputValue());
  await b.locator('.sit').click();
  for (const [mover, from, to] of [
    [a, '32', '28'],
    [b, '19', '23'],
  ]) {
    const before = await plies(mover);
    const over = async () => (await mover.locator('.banner').count()) > 0;
    await until(async () => (await over()) || /^●/.test(await mover.title()), true, 'the mover is to move');
    for (const square of [from, to])
      if (!(await over()))
        await cell(mover, square)
          .click({ timeout: 5_000 })
          .catch(() => undefined);
    await until(async () => (await over()) || (await plies(mover)) > before, true, 'it is played, or too late');
    if ((await plies(mover)) === before) return farewell(a, b).then(() => null);
  }
  return [a, b];
}

test('a clock for each move: whoever thinks too long loses', async () => {
  // A machine that is slow itself gets more time for each move.
  const [a, b] = (await moveEach(3)) ?? (await moveEach(12)) ?? (await moveEach(60)) ?? [];
  assert.ok(a, 'there was time for one move each');
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  await until(() => a.locator('.banner p').textContent(), /time/i);
  await b.locator('.banner', { hasText: '你赢了' }).waitFor();
  await until(() => b.locator('.banner p').textContent(), /超时/);
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
    await until(() => places(a), squares, game);
    await until(() => a.locator('[role=gridcell]').first().getAttribute('aria-label'), new RegExp(`^${corner},`), game);
    if (first) await put(a, ...first);
  }
  await farewell(a);
});

test('on a phone the widest board is played with a finger, the board turned', async () => {
  const a = await visitor(browser, { screen: PHONE, confirm: 'auto' });
  const b = await visitor(browser);
  await pair(b, a, hall.url, 'Draughts, Canadian (12x12)', { side: 'White' });
  await until(() => a.locator('[role=gridcell]').first().getAttribute('aria-label'), /^72,/);
  await put(b, '43', '37');
  await toMove(a);
  await cell(a, '25').tap();
  await cell(a, '31').tap();
  // On a board whose squares are narrower than a finger, the page asks first.
  await until(async () => (await plies(b)) === 2 || (await button(a, 'Play it').count()) > 0, true, 'played, or asked');
  if ((await plies(b)) === 1) await button(a, 'Play it').tap();
  await until(() => plies(b), 2, 'played');
  await until(() => a.evaluate(() => document.documentElement.scrollWidth), 360, 'nothing sticks out');
  const size = () =>
    a
      .locator('.board .names text')
      .first()
      .evaluate((e) => parseFloat(getComputedStyle(e).fontSize) * e.getScreenCTM().a);
  await until(async () => (await size()) > 7, true, 'the numbers can be read');
  await farewell(a, b);
});

for (const [lang, screen, family, english, from, deck] of [
  ['en', undefined, 'Draughts', 'Draughts, English (checkers)', 'Opening drawn from', 'the 3-move deck (156)'],
  ['zh', PHONE, '国际跳棋', '英式跳棋（西洋跳棋，Checkers）', '抽签开局', '三步开局表（156）'],
]) {
  test(`a table draws its opening, and says which (${lang})`, async () => {
    const page = await visitor(browser, { lang, ...(screen && { screen }) });
    await page.goto(hall.url);
    await page
      .locator('.card', { has: page.getByRole('heading', { name: family, exact: true }) })
      .locator('.options')
      .click();
    await page.locator('.variants summary').click();
    const variants = page.locator('.variants label');
    await variants.filter({ hasText: english }).first().click();
    const choice = page.getByLabel(from);
    await choice.selectOption({ label: deck });
    await page.locator('.new-game small.muted').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: `${PICTURES}/draw-form-${lang}.png` });
    await page.locator('.new-game button.primary').click();
    await page.waitForURL(/\/t\//);
    await page.waitForSelector('[role=grid]');
    const told = await page.evaluate((id) => fetch(`/api/tables/${id}`).then((r) => r.json()), page.url().split('/').pop());
    assert.match(told.table.opening, /^\d+.*: \d+-\d+ \d+[-x]\d+ \d+[-x]\d+$/);
    await until(() => page.locator('body').textContent(), new RegExp(told.table.opening.replace(/[()]/g, '\\$&')), 'the page says so');
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: `${PICTURES}/draw-table-${lang}.png` });
    await farewell(page);
  });
}
