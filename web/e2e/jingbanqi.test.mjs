// Games that users make: a map played by link, asked about, uploaded with and without mistakes, written in the workshop.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  button,
  cell,
  farewell,
  faultsOf,
  openHouse,
  PHONE,
  PICTURES,
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

const DATA = join(import.meta.dirname, '../../crates/jingbanqi/tests/data');
const { hall, browser } = await openHouse();
const folder = mkdtempSync(join(tmpdir(), 'qiguan-maps-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const piece = (name, owner, rule, more = {}) => ({
  name,
  owner,
  captain: false,
  rule,
  promotes: '',
  promoted: ';',
  attributes: [],
  ...more,
});
const KINDS = [
  piece('王', 'first', '1,2,3,4,5,6,7,8;', { captain: true }),
  piece('车', 'first', ';2,4,5,7'),
  piece('兵', 'first', '2;', { promotes: 'X[1]', promoted: '2,4,5,7;' }),
  piece('帅', 'second', '1,2,3,4,5,6,7,8;', { captain: true }),
  piece('卒', 'second', '7,6(X[2]);', { promotes: 'X[-1]', promoted: '2,4,5,7;' }),
  piece('山', null, '2,4,5,7;'),
];
const ROWS = ['..4...', '5.....', '....6.', '......', '...3..', '2..1..'];
const DRAFT = {
  rows: 6,
  cols: 6,
  cells: ROWS.flatMap((row) => [...row].map((c) => Number(c) || 0)),
  kinds: KINDS,
  promotion: true,
  undo: true,
  neutral_limit: false,
};

const ask = (page, path, body) =>
  page.evaluate(
    ([to, what]) =>
      fetch(to, { method: 'POST', body: JSON.stringify(what), headers: { 'content-type': 'application/json' } }).then((r) => r.json()),
    [path, body],
  );

/** A map's workbook as a file. */
async function workbook(page, draft, name) {
  const file = join(folder, name);
  writeFileSync(file, Buffer.from((await ask(page, '/api/workshop/write', draft)).base64, 'base64'));
  return file;
}

/** Puts a map on the shelf and goes to its page. */
async function shelve(page, draft, name, extensions = []) {
  await page.goto(hall.url);
  await page.locator('.card').first().waitFor();
  const { base64 } = await ask(page, '/api/workshop/write', draft);
  const kept = await ask(page, '/api/maps', { name, map: base64, extensions });
  assert.ok(kept.id, JSON.stringify(kept));
  await page.goto(`${hall.url}/maps/${kept.id}`);
  await page.getByRole('heading', { name, exact: true }).waitFor();
}

/** Returns the places of the dots on the rim of the piece with that name. */
const rim = (page, name) =>
  page
    .locator('.board .piece', { has: page.getByText(name, { exact: true }) })
    .first()
    .locator('.rim-near')
    .getAttribute('d');

test('pieces show what extensions do in a direction, until one does not want to see directions', async () => {
  const a = await visitor(browser);
  const warder = piece('盾', 'first', '2;5;1,2,3,4;6;7;8');
  const cells = DRAFT.cells.map((id, i) => (i === 26 ? 7 : id));
  await shelve(a, { ...DRAFT, kinds: [...KINDS, warder], cells }, 'Shields');
  await until(() => a.locator('.kinds .rim-more').count(), 1, 'the map page shows them');
  await a.screenshot({ path: join(PICTURES, 'marks-map.png') });
  await button(a, 'Play on this screen').click();
  await a.waitForURL(/\/t\//);
  const signs = () => a.locator('.board .piece .rim-more').count();
  await until(signs, 1, 'so does the board');
  await a.screenshot({ path: join(PICTURES, 'marks-board.png') });
  await button(a, 'Settings').click();
  await a.getByRole('switch', { name: 'Directions on pieces of maps' }).uncheck();
  await until(signs, 0, 'they are hidden');
  assert.equal(await a.locator('.board .piece :is(.rim-near, .rim-far)').count(), 0, 'and so are steps');
  await shut(a);
  await a.reload();
  await a.locator('.board .piece').nth(6).waitFor();
  assert.equal(await signs(), 0, 'which is remembered');
  // Where a chosen piece may go is another switch; it is moved all the same.
  const targets = () => a.locator('.board .target').count();
  await cell(a, '5,4').click();
  await until(targets, 1, 'the soldier goes one step');
  await button(a, 'Settings').click();
  await a.getByRole('switch', { name: 'Where a chosen piece may go' }).uncheck();
  await shut(a);
  await until(targets, 0, 'that is hidden');
  await cell(a, '4,4').click();
  await until(() => stoneAt(a, '4,4'), /Red/, 'it went there');
  await farewell(a);
});

test('a map by link: looked at first, asked about, taken back through a capture, seen from the other side', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await shelve(a, DRAFT, 'Six by six');
  await until(() => a.locator('.kinds .kind').count(), 6, 'every piece is explained');
  await a.getByRole('button', { name: 'Room, lobby, clock, sides…' }).click();
  await radio(a, 'Invite');
  await radio(a, 'Red');
  await button(a, 'Make the link').click();
  await a.waitForURL(/\/t\//);
  await b.goto(await a.locator('.share input').inputValue());
  await b.getByRole('button', { name: '这张地图' }).click();
  await b.locator('dialog .kinds .kind').nth(5).waitFor();
  await until(() => b.locator('dialog').getByRole('heading', { level: 2 }).first().textContent(), 'Six by six');
  await shut(b);
  await b.locator('.sit.primary').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');

  // Blue sees the board, and the marks on the pieces, half turned.
  await until(() => a.locator('[role=gridcell]').first().getAttribute('aria-label'), /^1,1,/);
  await until(() => b.locator('[role=gridcell]').first().getAttribute('aria-label'), /^6,6,/);
  await until(() => rim(a, '卒'), /M0 35h/);
  await until(() => rim(b, '卒'), /M0 -35h/);
  await until(() => stoneAt(a, '1,3'), /^1,3, Blue 帅 \(general\), captain/);
  await until(() => stoneAt(a, '3,5'), /Neutral 山/);

  // A right click tells of a piece; the arrows point as one sees the board.
  await cell(a, '2,1').click({ button: 'right' });
  await cell(b, '2,1').click({ button: 'right' });
  await until(() => a.locator('.about-piece').textContent(), /卒[^]*↓/, 'its moves in words');
  await until(() => b.locator('.about-piece').textContent(), /卒[^]*↑/, 'and as blue sees them');
  await a.keyboard.press('Escape');
  await a.locator('.about-piece').waitFor({ state: 'detached' });
  // And the keyboard asks, too.
  await cell(a, '6,1').focus();
  await a.keyboard.press('i');
  await until(() => a.locator('.about-piece').textContent(), /车/, 'by key');
  await a.locator('.about-piece').getByRole('button', { name: 'Close' }).click();

  // A question about a piece ends the dragging; a slow finger drags, and does not ask.
  const middle = async (name) => {
    const box = await resting(cell(a, name));
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [[x, y], over] = [await middle('6,1'), await middle('2,1')];
  await a.mouse.move(x, y);
  await a.mouse.down();
  await a.mouse.move(...over, { steps: 3 });
  await a.locator('.dragged').waitFor({ state: 'attached' });
  await a.mouse.down({ button: 'right' });
  await a.locator('.about-piece').waitFor();
  await until(() => a.locator('.dragged').count(), 0, 'it stands on the board');
  await a.mouse.up({ button: 'right' });
  await a.mouse.up();
  await a.keyboard.press('Escape');
  await a.locator('.about-piece').waitFor({ state: 'detached' });
  const finger = await a.context().newCDPSession(a);
  const touch = (type, ...points) => finger.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', { x, y });
  for (let moved = 2; moved <= 20; moved += 2) {
    await touch('touchMove', { x, y: y - moved });
    await a.waitForTimeout(60);
  }
  await until(() => a.locator('.dragged').count(), 1, 'it is carried');
  assert.equal(await a.locator('.about-piece').count(), 0);
  await touch('touchEnd');
  await until(() => a.locator('.dragged').count(), 0, 'it is put down, and stays chosen');

  await put(a, '2,1');
  await until(() => stoneAt(a, '2,1'), /Red 车/);
  await until(() => stoneAt(b, '2,1'), /红方车|红方.*车/, 'captured');
  await button(a, 'Take back').click();
  await b.locator('.offer .primary').click();
  await until(() => plies(a), 0, 'taken back');
  for (const page of [a, b]) await until(() => stoneAt(page, '2,1'), /卒/, 'it stands there again');
  await until(() => stoneAt(a, '6,1'), /车/);

  // A neutral piece may be moved by either player, by dragging as well.
  await put(a, '3,5', '3,4');
  await until(() => plies(b), 1, 'seen');
  await put(b, '1,3', '1,2');
  await put(a, '5,4', '4,4');
  await until(() => plies(b), 3, 'seen');
  await put(b, '2,1', '3,1');
  await put(a, '6,1', '3,1');
  await put(b, '1,2', '1,1');
  await put(a, '3,1', '1,1');
  await a.locator('.banner', { hasText: 'You win' }).waitFor();
  await until(() => a.locator('.banner').textContent(), /captain was taken/);
  await farewell(a, b);
});

test('a map with a mistake is refused with the cell and the text; put right, it is played', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/`);
  const card = a.locator('.card', { has: a.getByRole('heading', { name: 'Jingbanqi', exact: true }) });
  await card.getByRole('link', { name: 'Choose a map' }).click();
  await a.getByRole('heading', { name: 'Maps', exact: true }).waitFor();
  await a.locator('.drop input').setInputFiles(join(DATA, 'bad/b04_direction_9.xlsx'));
  await until(() => a.locator('.errors li').first().textContent(), /chesses!E4.*9/, 'where and what');
  await until(() => button(a, 'Put it on the shelf').isDisabled(), true);
  await a.locator('.drop input').setInputFiles(join(DATA, 'maps/t4_promote(5x5).xlsx'));
  await a.locator('.wrongs .fine').waitFor();
  await until(() => a.getByLabel('Name of the map').inputValue(), 't4_promote');
  await a.getByLabel('Name of the map').fill('Promotion');
  await button(a, 'Put it on the shelf').click();
  await a.getByRole('heading', { name: 'Promotion', exact: true }).waitFor();
  await button(a, 'Play on this screen').click();
  await a.waitForSelector('[role=grid]');
  await until(() => a.locator('.top .game').textContent(), /Promotion/);
  await toMove(a);
  await a.locator('[role=gridcell].may').first().click();
  await a.locator('.board .target').first().waitFor();
  // It is found again, by its name.
  await a.goto(`${hall.url}/maps`);
  await a.getByRole('searchbox').fill('promo');
  await a.locator('.work-card', { hasText: 'Promotion' }).click();
  await a.getByRole('heading', { name: 'Promotion', exact: true }).waitFor();
  await farewell(a);
});

test('a new game of six by six: drawn, mended, tried, saved, and opened again', async () => {
  const a = await visitor(browser, { acceptDownloads: true });
  await a.goto(`${hall.url}/workshop`);
  await a.locator('.rose').first().waitFor();
  await a.getByLabel('Name of the map').fill('Horses');
  await button(a, '+ New piece').click();
  await a.getByLabel('Name on the piece').fill('马');
  const moves = a.getByRole('group', { name: 'How it moves' });
  // The new piece steps upwards; it shall leap up left and right, and slide down in the first two rows.
  await moves.getByRole('button', { name: 'up: everywhere', exact: true }).click();
  for (const way of ['up left', 'up right']) await moves.getByRole('button', { name: `${way}: no` }).click();
  await moves.getByRole('button', { name: 'Any distance' }).click();
  await moves.getByRole('button', { name: 'down: no', exact: true }).click();
  await until(() => moves.getByLabel('As text').inputValue(), '1,3;7', 'the text follows the rose');
  await moves.getByRole('button', { name: 'down: only in some places…' }).click();
  await moves.getByRole('textbox', { name: 'Numbers' }).fill('1, 2');
  await until(() => moves.getByLabel('As text').inputValue(), '1,3;7(X[1|2])', 'with its places');
  await moves.getByRole('button', { name: 'Pick on the board' }).click();
  await cell(a, '4,1').click();
  await until(() => moves.getByLabel('As text').inputValue(), '1,3;7(X[1|2|4])', 'picked on the board');
  await moves.getByRole('button', { name: 'Pick on the board' }).click();
  // A mistake is told beside its field, and the piece is marked.
  await moves.getByLabel('As text').fill('1,9;7');
  await until(() => a.locator('.field-error').textContent(), /chesses!E6.*9/, 'told where it is');
  await a.getByRole('button', { name: /^Piece 5: Red 马, to be mended/ }).waitFor();
  await moves.getByLabel('As text').fill('1,3;7(X[1|2|4])');
  await a.locator('.wrongs .fine').waitFor();
  await cell(a, '6,1').click();
  await cell(a, '6,6').click();
  await until(() => stoneAt(a, '6,1'), /Red 马/);
  await button(a, 'Twin of the other side').click();
  await a.getByRole('button', { name: /^Piece 6: Blue 马/ }).click();
  await cell(a, '1,1').click();
  await until(() => stoneAt(a, '1,1'), /Blue 马/);
  // Ctrl+Z takes the last one back, and on again.
  await a.keyboard.press('Control+z');
  await until(() => stoneAt(a, '1,1'), /empty/, 'undone');
  await a.keyboard.press('Control+Shift+z');
  await until(() => stoneAt(a, '1,1'), /Blue 马/, 'done again');
  // What is not saved outlives the page.
  await a.reload();
  await a.locator('.rose').first().waitFor();
  await until(() => a.getByLabel('Name of the map').inputValue(), 'Horses');
  await until(() => stoneAt(a, '6,6'), /Red 马/);
  // Tried beside the work.
  await a.getByRole('tab', { name: 'Try it' }).click();
  const game = a.locator('.try-out');
  await game.locator('[role=grid]').waitFor();
  await game.locator('[role=gridcell][aria-label^="6,1,"]').click();
  await game.locator('[role=gridcell][aria-label^="5,2,"]').click();
  await until(() => game.locator('.note').textContent(), /Red to move|cannot|Blue/, 'answered');
  await until(() => game.locator('[role=gridcell][aria-label^="5,2,"]').getAttribute('aria-label'), /兵/, 'its own soldier is in the way');
  await game.locator('[role=gridcell][aria-label^="5,3,"]').click();
  await game.locator('[role=gridcell][aria-label^="4,3,"]').click();
  await until(() => game.locator('.note').textContent(), /Blue to move/, 'played');
  await game.getByRole('button', { name: 'Take back' }).click();
  await until(() => game.locator('.note').textContent(), /Red to move/, 'taken back');
  // Saved, and opened again.
  const [saved] = await Promise.all([a.waitForEvent('download'), button(a, 'Save .xlsx').click()]);
  assert.equal(saved.suggestedFilename(), 'Horses.xlsx');
  const file = join(folder, 'Horses.xlsx');
  await saved.saveAs(file);
  await a.getByRole('tab', { name: 'Game' }).click();
  await button(a, 'Begin anew').click();
  await until(() => stoneAt(a, '6,1'), /empty/, 'a fresh board');
  await a.locator('.import input').setInputFiles(file);
  await until(() => stoneAt(a, '6,1'), /Red 马/, 'it is there again');
  await until(() => stoneAt(a, '1,1'), /Blue 马/);
  await a.getByRole('button', { name: /^Piece 5: Red 马/ }).click();
  await until(() => a.getByRole('group', { name: 'How it moves' }).getByLabel('As text').inputValue(), '1,3;7(X[1|2|4])');
  await button(a, 'Put on the shelf').click();
  await a.locator('dialog form.publish button.primary').click();
  await a.getByRole('heading', { name: 'Horses', exact: true }).waitFor();
  await farewell(a);
});

const STAYS = `EX_NAME = '停留'
EX_VERSION = '1.2'
HELP = '王可以停在原地。'

def near_top(args, arr):
    return arr[0] < args[0]

loc_rules = {'上': near_top}

def check_can_go(can_go, chess, arr):
    if chess.is_captain:
        can_go.append([arr])
    return can_go
`;

test('a map with an extension by link: its words are read before one sits down, and its moves are played', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  await a.goto(`${hall.url}/maps`);
  const kinds = KINDS.with(2, piece('兵', 'first', '2,4(上[9]),5(上[1]);'));
  await a.locator('.drop').waitFor();
  const map = await workbook(a, { ...DRAFT, kinds }, 'stay.xlsx');
  const extension = join(folder, 'stay.py');
  writeFileSync(extension, STAYS);
  await a.locator('.drop input').setInputFiles([map, extension]);
  await a.locator('.wrongs :is(.fine, .errors li)').first().waitFor();
  if ((await a.locator('.errors').count()) > 0) {
    // A hall that was built without extensions says so, and keeps nothing.
    await until(() => a.locator('.errors').textContent(), /without extensions: stay\.py/);
    await until(() => button(a, 'Put it on the shelf').isDisabled(), true);
    return farewell(a, b);
  }
  await button(a, 'Put it on the shelf').click();
  await a.locator('.extension', { hasText: '王可以停在原地' }).waitFor();
  await a.getByRole('button', { name: 'Room, lobby, clock, sides…' }).click();
  await radio(a, 'Invite');
  await radio(a, 'Red');
  await button(a, 'Make the link').click();
  await a.waitForURL(/\/t\//);
  await b.goto(await a.locator('.share input').inputValue());
  await b.getByRole('button', { name: 'About this game' }).click();
  await b.locator('dialog .extension', { hasText: '停留' }).waitFor();
  await shut(b);
  await b.locator('.sit.primary').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');
  // The king may stay where it is: touched twice.
  await toMove(a);
  await cell(a, '6,4').click();
  await until(() => a.locator('.note').textContent(), 'Touch it again to let it act where it stands.', 'told');
  await cell(a, '6,4').click();
  await until(() => plies(b), 1, 'the king stayed');
  await put(b, '2,1', '3,1');
  await put(a, '5,4', '5,3');
  await until(() => stoneAt(a, '5,3'), /兵/, 'a place of the extension');
  await farewell(a, b);
});

/** A visitor on a phone, and how each place is looked at. */
async function phone(lang) {
  const a = await visitor(browser, { screen: PHONE, lang });
  const faults = [];
  const see = async (place) => {
    faults.push(...(await faultsOf(a, `${place} ${lang}`)));
    await a.screenshot({ path: `${PICTURES}/jingbanqi-${place}-phone-${lang}.png` });
  };
  return { a, faults, see };
}

test('on a phone: the shelf, a map, the workshop by finger', async () => {
  for (const lang of ['en', 'zh']) {
    const { a, faults, see } = await phone(lang);
    // The same files would be the same map, and keep its first name.
    await shelve(a, { ...DRAFT, neutral_limit: true }, 'By finger');
    await see('map');
    await a.goto(`${hall.url}/maps`);
    await a.locator('.work-card').first().waitFor();
    await see('shelf');
    await a.goto(`${hall.url}/workshop`);
    await a.locator('.rose').first().waitFor();
    await a.locator('.bench-pieces .piece-of').nth(1).tap();
    await cell(a, '4,4').tap();
    await until(() => stoneAt(a, '4,4'), /兵/, 'placed by finger');
    await a.locator('.rose .petal').nth(3).tap();
    await until(() => a.locator('.raw input').first().inputValue(), '2,4;', 'drawn by finger');
    await see('workshop');
    assert.deepEqual(faults, []);
    await farewell(a);
  }
});

// Thousands of cells are looked at slowly, and are called the same in both languages.
test('on a phone: a board of sixty-four, and a long press', async () => {
  const { a, faults, see } = await phone('zh');
  const squares = Array(64 * 64).fill(0);
  for (let col = 0; col < 64; col += 1) {
    squares[64 + col] = 5;
    squares[62 * 64 + col] = 3;
  }
  squares[10] = 4;
  squares[63 * 64 + 10] = 1;
  await shelve(a, { ...DRAFT, rows: 64, cols: 64, cells: squares }, 'Sixty-four');
  await a.locator('.map-ways .primary').tap();
  await a.waitForSelector('.pane [role=grid]');
  await until(() => a.locator('[role=gridcell]').count(), 4096);
  const wide = async () => (await cell(a, '64,11').boundingBox()).width;
  await until(async () => (await wide()) >= 24, true, 'a finger finds a cell');
  const before = (await resting(cell(a, '64,11'))).width;
  await a.locator('.zoom button').last().tap();
  await until(async () => (await wide()) > before, true, 'nearer');
  await cell(a, '63,12').scrollIntoViewIfNeeded();
  // A long press asks, and moves nothing.
  const box = await resting(cell(a, '63,12'));
  const cdp = await a.context().newCDPSession(a);
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]);
  await a.locator('.about-piece').waitFor();
  await touch('touchEnd', []);
  await until(() => a.locator('.about-piece').textContent(), /兵/, 'told');
  await see('about');
  await a.keyboard.press('Escape');
  await a.locator('.about-piece').waitFor({ state: 'detached' });
  await toMove(a);
  await cell(a, '63,12').tap();
  await cell(a, '62,12').tap();
  // Where a finger is wider than a cell, it is asked.
  await until(async () => (await plies(a)) === 1 || (await a.locator('.note-row .primary').count()) > 0, true, 'played, or asked');
  if ((await plies(a)) === 0) await a.locator('.note-row .primary').tap();
  await until(() => plies(a), 1, 'played');
  await see('large');
  assert.deepEqual(faults, []);
  await farewell(a);
});

/** An extension with two mistakes, which its author finds one after the other. */
const FIRST = [
  'EX_NAME = "Hour"',
  'def check_can_go(can_go, chess, arr):',
  '    can_go = [group for group in can_go if group]',
  'def after_move(a, b):',
  '    piece = JBQ.get_chess_by_arr(b)',
  '    print("moved", piece.name, b)',
  '    piece.attr["moves"] += 1',
];
const SECOND = FIRST.with(2, '    return [group for group in can_go if group]');
const THIRD = SECOND.with(6, '    piece.attr["moves"] = piece.attr.get("moves", 0) + 1');
const WORDS = {
  en: {
    failed: /hour\.py failed in check_can_go, line 2: TypeError/,
    later: /hour\.py failed in after_move, line 7: KeyError/,
    first: /first in game 1 after \d+ plies/,
    tab: 'Try it',
    publish: 'Put on the shelf',
    again: /Start over|Try again|Again/,
  },
  zh: {
    failed: /hour\.py 在 check_can_go 第 2 行出错：TypeError/,
    later: /hour\.py 在 after_move 第 7 行出错：KeyError/,
    first: /最先在第 1 局 \d+ 步之后/,
    tab: '试玩',
    publish: '放上架',
    again: /从头再试/,
  },
};
const source = (lines) => ({ name: 'hour.py', mimeType: 'text/x-python', buffer: Buffer.from(`${lines.join('\n')}\n`) });

for (const lang of ['en', 'zh']) {
  test(`an author's hour (${lang}): a map is drawn, two mistakes are found by what the page says, it is tried and published`, async () => {
    const words = WORDS[lang];
    const a = await visitor(browser, { lang });
    await a.goto(`${hall.url}/workshop`);
    await a.locator('.bench-board [role=grid]').waitFor();
    await a.locator('input.title').fill(`Hour ${lang}`);
    // One soldier more on either side.
    await a.locator('.piece-of').nth(1).click();
    await cell(a, '5,1').click();
    await a.locator('.piece-of').nth(3).click();
    await cell(a, '2,1').click();
    const bring = async (lines) => {
      await a.locator('.import input').setInputFiles(source([...lines, `# ${lang}`]));
      await until(() => a.locator('.import input').inputValue(), '', 'it is read');
    };
    await bring(FIRST);
    // Put on the shelf at once, it is refused with the line.
    a.expected.push(/422/);
    await a.getByRole('button', { name: words.publish, exact: true }).click();
    await until(() => a.locator('.wrongs .errors li').first().textContent(), words.failed, 'refused with the line');
    await until(() => new URL(a.url()).pathname, '/workshop', 'it is not on the shelf');
    await a.screenshot({ path: join(PICTURES, `author-refused-${lang}.png`), fullPage: true });
    // The first mistake is put right; the second is found by trying, with its traceback and what was printed.
    await bring(SECOND);
    await a.getByRole('tab', { name: words.tab, exact: true }).click();
    await a.locator('.try-out [role=grid]').waitFor();
    await until(() => a.locator('.wrongs .errors li').first().textContent(), words.later, 'the second mistake');
    await until(() => a.locator('.played .fault').first().textContent(), words.first, 'where it was met first');
    await until(
      () => a.locator('.played .fault pre').first().textContent(),
      /hour\.py:7 in after_move: piece\.attr\["moves"\] \+= 1/,
      'the traceback',
    );
    await until(() => a.locator('.played .prints').textContent(), /^moved . \(\d, \d\)/, 'what was printed');
    assert.deepEqual(await faultsOf(a, `author-fault-${lang}`), []);
    await a.screenshot({ path: join(PICTURES, `author-fault-${lang}.png`), fullPage: true });
    // Put right and tried again: it is played, and its prints are read.
    await bring(THIRD);
    await a.locator('.try-out .row button.primary').click();
    await a.locator('.played .fault').waitFor({ state: 'detached' });
    await until(() => a.locator('.played .prints').textContent(), /^moved /, 'printed again');
    await until(() => a.locator('.wrongs .errors').count(), 0, 'nothing is wrong');
    const game = a.locator('.try-out');
    await game.locator('[role=gridcell][aria-label^="5,1,"]').click();
    await game.locator('[role=gridcell][aria-label^="4,1,"]').click();
    await until(() => game.locator('[role=gridcell][aria-label^="4,1,"]').getAttribute('aria-label'), /兵/, 'played');
    await a.screenshot({ path: join(PICTURES, `author-tried-${lang}.png`), fullPage: true });
    // And published.
    await a.getByRole('button', { name: words.publish, exact: true }).click();
    await a.locator('dialog form.publish button.primary').click();
    await a.waitForURL(/\/maps\/[0-9a-f]{32}$/);
    await a.getByRole('heading', { name: `Hour ${lang}`, exact: true }).waitFor();
    await farewell(a);
  });
}
