// Openings that make gomoku fair, renju's forbidden points, and what a learner is shown.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  axe,
  begin,
  button,
  cell,
  farewell,
  faultsOf,
  openHouse,
  pair,
  PHONE,
  pick,
  PICTURES,
  plies,
  put,
  resting,
  shut,
  stoneAt,
  toMove,
  until,
  visitor,
  WIDE,
} from './house.mjs';

const SMALL = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const SWAP2 = { family: 'Gomoku', opening: 'Swap2' };
const TARAGUCHI = { family: 'Gomoku', opening: 'Taraguchi-10' };
const { hall, browser } = await openHouse();

const question = (page) => page.locator('.choices').textContent();
const side = (page, where = 'near') => page.locator(`.strip.${where}`).getAttribute('aria-label');
/** Returns the classes of the stone beside a player's name. */
const colour = (page, where) => page.locator(`.strip.${where} .mark-of .body`).getAttribute('class');
/** Returns the stone that is shown under the mouse. */
const ghost = async (page, name) => {
  await cell(page, name).hover();
  return page.locator('.ghost.hover .body').getAttribute('class');
};

/** Presses an answer and waits until the hall has it. */
async function answer(page, name) {
  await toMove(page);
  const before = await plies(page);
  await page.locator('.answers').getByRole('button', { name, exact: true }).click();
  await until(() => plies(page), before + 1, `${name} is chosen`);
}

/** Waits until the pages show `count` moves. */
const heard = (count, ...pages) => Promise.all(pages.map((p) => until(() => plies(p), count, `${count} moves are known`)));

/** Two players, the second of them Chinese, and the three stones of swap2. */
async function threeStones(second = {}) {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh', ...second });
  await pair(a, b, hall.url, 'Gomoku, standard', SWAP2);
  for (const name of ['h8', 'i9', 'c3']) await put(a, name);
  await heard(3, a, b);
  return [a, b];
}

test('swap2: one player puts three stones of both colours, and each is told what is asked', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await pair(a, b, hall.url, 'Gomoku, standard', SWAP2);
  await until(() => question(a), /Your turn.*Step 1 of 3.*first a black one/);
  await until(() => question(b), /轮到黑方.*第 1 步，共 3 步.*先下一个黑子/);
  await until(() => ghost(a, 'h8'), /dark/);
  await put(a, 'h8');
  await until(() => question(a), /Step 2 of 3.*white stone/);
  await until(() => ghost(a, 'i9'), /light/, 'the second stone is a white one, whoever puts it');
  await put(a, 'i9');
  await until(() => stoneAt(b, 'i9'), /白方棋子/, 'it is white on the other screen');
  await until(() => ghost(a, 'c3'), /dark/);

  // Until the opponent has acted, the stone can be taken back.
  await button(a, 'Withdraw').click();
  await until(() => plies(a), 1, 'the white stone is back');
  await put(a, 'j10');
  await cell(b, 'a1').click();
  await until(() => b.locator('.answers button').count(), 0, 'who waits has nothing to press');
  await put(a, 'c3');
  await until(() => question(b), /由你决定.*执黑、执白（下一手轮到白方），还是再下两子/, 'the other one is asked');
  await until(() => question(a), /White decides.*White is told/, 'and the first one knows');
  await until(() => a.locator('.choices button').count(), 0);

  // A touch of the board is not an answer.
  await cell(b, 'a1').click();
  await until(() => b.locator('.note').textContent(), /请先回答问题/, 'it says what to do');
  await until(() => plies(b), 3);
  await farewell(a, b);
});

test('swap2: the second player takes White, and White goes on', async () => {
  const [a, b] = await threeStones();
  await answer(b, '执白');
  await heard(4, a, b);
  await until(() => side(a), /^Black/);
  await until(() => colour(b, 'near'), /light/);
  await until(() => a.locator('.choices').count(), 0, 'nothing is asked any more');
  await put(b, 'd4');
  await until(() => stoneAt(a, 'd4'), /White stone/, 'White has played');
  await put(a, 'e5');
  await until(() => stoneAt(a, 'e5'), /Black stone/);
  await farewell(a, b);
});

test('swap2: the second player takes Black, and the first goes on with White', async () => {
  const [a, b] = await threeStones();
  await answer(b, '执黑');
  await heard(4, a, b);
  await until(() => side(a), /^White/, 'the first player has White');
  await until(() => side(b), /^黑方/);
  await until(() => colour(a, 'near'), /light/);
  await until(() => colour(a, 'far'), /dark/);
  await until(() => stoneAt(a, 'h8'), /Black stone/, 'the stones stay what they are');
  await until(() => ghost(a, 'd4'), /light/);
  await put(a, 'd4');
  await until(() => stoneAt(b, 'd4'), /白方棋子/, 'a white stone');
  // Black, who is the second player, makes five with h8.
  for (const [mine, other] of [
    ['h7', 'a15'],
    ['h6', 'c15'],
    ['h5', 'e15'],
    ['h4', null],
  ]) {
    await put(b, mine);
    await until(() => stoneAt(a, mine), /Black stone/, `${mine} is played`);
    if (other) await put(a, other);
    if (other) await until(() => stoneAt(b, other), /白方/, `${other} is played`);
  }
  await b.locator('.banner', { hasText: '你赢了' }).waitFor();
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  await farewell(a, b);
});

for (const [name, expected] of [
  ['Play White', /^White/],
  ['Play Black', /^Black/],
]) {
  test(`swap2: two more stones, and the first player is asked: ${name}`, async () => {
    const [a, b] = await threeStones();
    await answer(b, '再下两子');
    await until(() => question(b), /轮到你.*第 1 步，共 2 步.*先下一个白子/);
    await until(() => ghost(b, 'd4'), /light/);
    await put(b, 'd4');
    await until(() => ghost(b, 'e12'), /dark/);
    await put(b, 'e12');
    await heard(6, a, b);
    await until(() => question(a), /You decide.*Which colour/);
    await until(() => question(b), /由黑方决定/);
    await until(() => a.locator('.answers button').count(), 2, 'no further stones');
    await answer(a, name);
    await heard(7, a, b);
    await until(() => side(a), expected, 'the first player has the colour');
    const white = name === 'Play White' ? a : b;
    await put(white, 'o1');
    await until(() => stoneAt(a, 'o1'), /White stone/, 'White goes on');
    await b.reload();
    await b.waitForSelector('[role=grid]');
    await until(() => b.locator('.moves').textContent(), /再下两子/, 'a choice keeps its name');
    await until(() => side(b), name === 'Play White' ? /^黑方/ : /^白方/);
    await farewell(a, b);
  });
}

test('swap2 on one screen, taken back and played otherwise', async () => {
  const a = await visitor(browser);
  await begin(a, hall.url, 'Gomoku, standard', { how: 'One screen', ...SWAP2 });
  for (const name of ['h8', 'i9', 'c3']) await put(a, name);
  await until(() => question(a), /White decides/);
  await answer(a, 'Play Black');
  await until(() => side(a), /^White/);
  await button(a, 'Take back').click();
  await until(() => plies(a), 3, 'the choice is back');
  await until(() => side(a), /^Black/, 'and so is the colour');
  await answer(a, 'Put two more stones');
  await put(a, 'd4');
  await put(a, 'e12');
  await until(() => question(a), /Black decides/);
  await answer(a, 'Play White');
  await put(a, 'f6');
  await until(() => stoneAt(a, 'f6'), /White stone/);
  await put(a, 'f7');
  await until(() => stoneAt(a, 'f7'), /Black stone/);
  await farewell(a);
});

test('taraguchi-10: swap or stay after every stone, the fifth in the middle 9x9', async () => {
  const a = await visitor(browser, { gomoku: 'renju' });
  const b = await visitor(browser, { lang: 'zh', gomoku: 'renju' });
  await pair(a, b, hall.url, 'Renju', TARAGUCHI);
  await toMove(a);
  await cell(a, 'a1').click();
  await until(() => a.locator('.note').textContent(), /centre, h8, not on a1/, 'the first stone has one place');
  await put(a, 'h8');
  await heard(1, a, b);
  await until(() => question(a), /White decides/);
  await answer(b, '交换');
  await heard(2, a, b);
  await until(() => side(b), /^黑方/, 'the second player has Black');
  // Now the first player is White, and the second white stone stands beside the centre.
  await until(() => question(a), /Your turn.*white stone.*beside the centre/);
  await until(() => a.locator('.area').count(), 8, 'eight places are tinted');
  await cell(a, 'h11').click();
  await until(() => a.locator('.note').textContent(), /h11 is outside the middle 3×3/, 'the rest is refused in words');
  await put(a, 'h9');
  await heard(3, a, b);
  await answer(b, '不交换');
  await heard(4, a, b);
  await put(b, 'h10');
  // The name of the opening, in each one's language.
  await until(() => a.locator('.caption').textContent(), 'Opening 1D, Kansei (cold star)', 'the opening is named');
  await until(() => b.locator('.caption').textContent(), /寒星/);
  await answer(a, 'Swap colours');
  await heard(6, a, b);
  await until(() => side(a), /^Black/, 'swapped again');
  await until(() => question(b), /7×7/);
  await put(b, 'k11');
  await heard(7, a, b);
  await until(() => question(a), /You decide.*You would play Black/);
  await until(() => a.locator('.answers button').count(), 3);
  await answer(a, 'Stay');
  await toMove(a);
  await cell(a, 'a1').click();
  await until(() => a.locator('.note').textContent(), /outside the middle 9×9/, 'the fifth stone stays in the middle');
  await put(a, 'e5');
  await heard(9, a, b);
  await answer(b, '不交换');
  await heard(10, a, b);
  await put(b, 'a1');
  await until(() => stoneAt(a, 'a1'), /White stone/, 'play goes on anywhere');
  await until(() => a.locator('.choices').count(), 0);
  await farewell(a, b);
});

test('taraguchi-10: ten fifth moves, none the image of another, and one is picked', async () => {
  const a = await visitor(browser, { gomoku: 'renju' });
  const b = await visitor(browser, { lang: 'zh', gomoku: 'renju', screen: SMALL });
  await pair(a, b, hall.url, 'Renju', TARAGUCHI);
  await put(a, 'h8');
  await heard(1, a, b);
  await answer(b, '不交换');
  await put(b, 'h9');
  await heard(3, a, b);
  await answer(a, 'Stay');
  await put(a, 'h10');
  await heard(5, a, b);
  await answer(b, '不交换');
  await put(b, 'h11');
  await heard(7, a, b);
  await answer(a, 'Offer ten fifth moves');
  await until(() => question(a), /Step 1 of 10/);
  await put(a, 'g8');
  await until(() => stoneAt(a, 'g8'), /empty, .*offered/);
  await until(() => b.locator('.ghost.offer .body.dark').count(), 1, 'the other one sees what is offered');
  // i8 is g8 in the mirror.
  await toMove(a);
  await cell(a, 'i8').click();
  await until(() => a.locator('.note').textContent(), /i8 leads to the same position as g8/, 'refused with its reason');
  await until(() => plies(a), 9);
  // An offer is taken back and another one made.
  await put(a, 'a1');
  await button(a, 'Withdraw').click();
  await until(() => plies(a), 9, 'one offer is back');
  for (const name of ['g9', 'g10', 'f8', 'f9', 'e8', 'e9', 'd8', 'd9']) await put(a, name);
  await until(() => question(a), /Step 10 of 10/);
  await until(() => question(b), /轮到黑方.*第 10 步，共 10 步/);
  await a.screenshot({ path: `${PICTURES}/offers-wide-en.png` });
  await until(async () => [...(await axe(a, 'offers')), ...(await axe(b, 'offers'))], []);
  await put(a, 'c8');
  await heard(18, a, b);
  await until(() => question(b), /轮到你.*选留一个打点/);
  await until(() => question(a), /White to move.*Pick the offered/);
  await b.screenshot({ path: `${PICTURES}/pick-phone-zh.png` });
  await cell(b, 'o1').click();
  await until(() => b.locator('.note').textContent(), /o1 不是打点/, 'only an offered one may be picked');
  await put(b, 'f9');
  await until(() => stoneAt(a, 'f9'), /Black stone/, 'the picked stone stays, a black one');
  await until(() => stoneAt(a, 'g8'), /empty/);
  await until(() => a.locator('.ghost.offer').count(), 0);
  await put(b, 'g8');
  await until(() => stoneAt(a, 'g8'), /White stone/, 'and White goes on');
  await farewell(a, b);
});

/** Black has two threes that would meet on h8. */
const DOUBLE = ['f8', 'a1', 'g8', 'o1', 'h9', 'a15', 'h10'];

test('the board stays under the pointer, however long what is said beside it', async () => {
  for (const screen of [WIDE, { viewport: { width: 900, height: 700 } }, PHONE]) {
    const a = await visitor(browser, { gomoku: 'renju', screen });
    await begin(a, hall.url, 'Renju', { how: 'One screen', family: 'Gomoku' });
    const grid = a.locator('[role=grid]');
    for (const place of ['h8', 'a15', 'g8', 'b15', 'i9', 'o15', 'i10', 'n15']) await put(a, place);
    await toMove(a);
    const before = await resting(grid);
    await a.evaluate(() => scrollTo(0, 0));
    // A forbidden double three: the first touch only warns.
    const at = await cell(a, 'i8').boundingBox();
    const [x, y] = [at.x + at.width / 2, at.y + at.height / 2];
    await a.mouse.click(x, y);
    await a.locator('.note.problem').waitFor();
    assert.deepEqual(await resting(grid), before, 'the board stands where it stood');
    const under = await a.evaluate(([x, y]) => document.elementFromPoint(x, y).getAttribute('aria-label'), [x, y]);
    assert.match(under, /^i8,/);
    await a.mouse.click(x, y);
    await until(() => stoneAt(a, 'i8'), /Black stone/, 'the second touch plays there');
    await until(() => plies(a), 9);
    await farewell(a);
  }
});

test('renju: a forbidden point is marked, warned of, and loses', async () => {
  const a = await visitor(browser, { gomoku: 'renju' });
  const b = await visitor(browser, { gomoku: 'renju', lang: 'zh' });
  await pair(a, b, hall.url, 'Renju', { family: 'Gomoku' });
  for (const [i, name] of [...DOUBLE, 'o15'].entries()) {
    await put(i % 2 === 0 ? a : b, name);
    await heard(i + 1, a, b);
  }
  await until(() => stoneAt(a, 'h8'), /empty, forbidden/);
  await cell(a, 'h8').click();
  await until(() => a.locator('.note').textContent(), /loses at once: Black made a double three/, 'the warning tells why');
  await until(() => plies(a), 8);
  await a.keyboard.press('Escape');
  await cell(a, 'h8').click();
  await until(() => a.locator('.note').textContent(), /loses at once/, 'it is warned of again');
  assert.equal(await plies(a), 8);
  await cell(a, 'h8').click();
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  await until(() => a.locator('.banner').textContent(), /double three, which is forbidden/);
  await b.locator('.banner', { hasText: '你赢了' }).waitFor();
  await until(() => b.locator('.banner').textContent(), /三三禁手/);
  await farewell(a, b);
});

test('threats are shown on request, and not to one who plays somebody', async () => {
  const a = await visitor(browser, { gomoku: 'renju' });
  await begin(a, hall.url, 'Renju', { how: 'One screen', family: 'Gomoku' });
  for (const name of DOUBLE) await put(a, name);
  await until(() => stoneAt(a, 'h8'), /^h8, empty$/, 'nothing is marked while White is to move');
  await button(a, 'Menu').click();
  await button(a, 'Show threats').click();
  await until(() => stoneAt(a, 'h8'), /forbidden/, 'the point Black must not take');
  await until(() => a.locator('.facts').textContent(), /forbidden/);
  await put(a, 'o15');
  await put(a, 'e8');
  await until(() => stoneAt(a, 'f8'), /open three/, 'three in a row with room');
  await until(() => a.locator('.facts').textContent(), /open three/);
  await until(() => a.locator('.facts .lesson-of', { hasText: 'open three' }).count(), 1, 'each kind is named once');
  await put(a, 'm1');
  await put(a, 'd8');
  await until(() => stoneAt(a, 'c8'), /four/, 'where the four becomes five');
  await a.screenshot({ path: `${PICTURES}/threats-wide-en.png` });
  await until(() => axe(a, 'threats'), []);
  await button(a, 'Menu').click();
  await button(a, 'Hide threats').click();
  await until(() => stoneAt(a, 'c8'), /^c8, empty$/, 'hidden again');

  const c = await visitor(browser, { gomoku: 'renju' });
  const d = await visitor(browser, { gomoku: 'renju' });
  await pair(c, d, hall.url, 'Renju', { family: 'Gomoku' });
  await button(c, 'Menu').click();
  await c.locator('dialog[open]').waitFor();
  await until(() => button(c, 'Show threats').count(), 0);
  await c.keyboard.press('Escape');
  await farewell(a, c, d);
});

test('stones are numbered in the order they were put, choices are not counted', async () => {
  const a = await visitor(browser);
  await begin(a, hall.url, 'Gomoku, standard', { how: 'One screen', ...SWAP2 });
  for (const name of ['h8', 'i9', 'c3']) await put(a, name);
  await answer(a, 'Play Black');
  await put(a, 'd4');
  await button(a, 'Settings').click();
  await pick(a.getByRole('switch', { name: 'Numbers on stones' }));
  await shut(a);
  const numbers = () => a.locator('.board .number').allTextContents();
  // By rising cell: i9, h8, d4, c3.
  await until(async () => (await numbers()).map((n) => n.trim()), ['2', '1', '4', '3']);
  await farewell(a);
});

test('a board may be wider than it is high', async () => {
  const a = await visitor(browser);
  await begin(a, hall.url, 'Gomoku, standard', { how: 'One screen', more: { 'Size of the board': 19, 'Ranks, where': 10 } });
  await until(() => a.locator('[role=row]').count(), 10);
  await until(() => a.locator('[role=gridcell]').count(), 190);
  await put(a, 's10');
  await put(a, 'a1');
  await until(() => stoneAt(a, 's10'), /Black stone/);
  await until(() => stoneAt(a, 'a1'), /White stone/);
  const box = await resting(a.locator('.stage .board svg').first());
  assert.ok(box.width > 1.5 * box.height, 'it is drawn so');
  await a.screenshot({ path: `${PICTURES}/rectangular-wide-en.png` });
  await until(() => axe(a, 'rectangular'), []);
  await farewell(a);
});

/** The cells and buttons to press, in order; an answer by its place. */
const STEPS = {
  swap2: ['standard', 5, ['h8', 'i9', 'c3', 2, 'd4', 'e12']],
  yamaguchi: ['renju', 7, ['h8', 'h9', 'h10', 1, 1, 'k11', 'g8', 'f8']],
  taraguchi: ['renju', 9, ['h8', 0, 'h9', 1, 'h10', 1, 'h11', 2, 'g8']],
};
for (const { shape, screen, lang } of [
  { shape: 'wide', lang: 'en' },
  { shape: 'phone', lang: 'zh', screen: SMALL },
]) {
  test(`${shape}, ${lang}: every step of an opening is accessible, fits and is pictured`, async () => {
    const a = await visitor(browser, { lang, screen });
    await a.goto(hall.url);
    const faults = [];
    for (const [opening, [rule, option, steps]] of Object.entries(STEPS)) {
      const id = await a.evaluate(
        (body) =>
          fetch('/api/tables', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }).then((r) =>
            r.json(),
          ),
        { game: `gomoku/${rule}`, how: 'screen', clock: { kind: 'none' }, options: { opening: option } },
      );
      await a.goto(`${hall.url}/t/${id.id}`);
      await a.waitForSelector('[role=grid]');
      for (const [i, step] of steps.entries()) {
        await toMove(a);
        if (typeof step === 'string') await put(a, step);
        else await a.locator('.answers button').nth(step).click();
        await until(() => plies(a), i + 1, `${opening}: ${step}`);
        const place = `${opening}-${i + 1}`;
        faults.push(...(await faultsOf(a, place)));
        const last = await resting(a.locator('.strip.near'));
        if (last.y + last.height > a.viewportSize().height) faults.push(`${place}: one's own name is not seen`);
        await a.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}.png` });
      }
    }
    assert.deepEqual(faults, []);
    await farewell(a);
  });
}
