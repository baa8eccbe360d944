// Records of games: players, date and move numbers are the same at a table, in files, in studies and in the library;
// of a record with a mistake, a table has the correct part.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  begin,
  binary,
  button,
  farewell,
  faultsOf,
  openHouse,
  PHONE,
  PICTURES,
  put,
  shut,
  signUp,
  toMove,
  until,
  visitor,
  WIDE,
} from './house.mjs';

const { hall, browser } = await openHouse();

const GAME = `[Event "Tournoi de Paris"]
[Site "Paris"]
[Date "1911.11.27"]
[Round "4"]
[White "Weiss, Isidore"]
[Black "Molimard, Marius"]
[GameType "20"]
[Result "2-0"]

1. 32-28 19-23 2. 28x19 14x23
3. 37-32 50-44 2-0
`;
const LANDSCAPE = { ...PHONE, viewport: { width: 844, height: 390 } };

async function openFile(page, name, text) {
  await page.goto(hall.url);
  await page.locator('.import input').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
  await page.waitForURL(/\/t\//);
  await page.waitForSelector('[role=grid]');
}

/** Takes pictures of a page on a desk and on a phone, upright and lying. */
async function pictures(page, name) {
  for (const [shape, { viewport }] of Object.entries({ phone: PHONE, landscape: LANDSCAPE, wide: WIDE })) {
    await page.setViewportSize(viewport);
    assert.deepEqual(await faultsOf(page, `${name} ${shape}`), []);
    await page.screenshot({ path: `${PICTURES}/${name}-${shape}.png` });
  }
}

/** Returns the file that the table's menu saves. */
async function saved(page, format) {
  await page.locator('.menu-button').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('dialog .formats').getByRole('link', { name: format, exact: true }).click(),
  ]);
  const text = readFileSync(await download.path(), 'utf8');
  await shut(page);
  return text;
}

for (const [shape, screen, lang, theme, words] of [
  ['wide', WIDE, 'en', 'light', { cut: /50-44 .*main line, move 3/, line: /Line 11/, close: 'Close', white: 'White' }],
  ['phone', PHONE, 'zh', 'dark', { cut: /50-44/, line: /11/, close: '关闭', white: '白方' }],
  ['landscape', LANDSCAPE, 'en', 'dark', { cut: /50-44 .*main line, move 3/, line: /Line 11/, close: 'Close', white: 'White' }],
]) {
  test(`${shape}, ${lang}: a record opened on the front page keeps names, date and numbers, and says where it was cut`, async () => {
    const page = await visitor(browser, { screen, lang, theme });
    await openFile(page, 'paris.pdn', GAME);
    const names = page.locator('.strip .name');
    await until(async () => (await names.allTextContents()).toSorted().join(', '), 'Molimard, Marius, Weiss, Isidore');
    assert.equal(await page.locator('.strip .under').filter({ hasText: words.white }).count(), 1, 'the sides are told, too');
    const opened = page.locator('.opened');
    await until(() => opened.textContent(), words.cut, 'the move is told');
    assert.match(await opened.textContent(), words.line);
    await page.screenshot({ path: `${PICTURES}/record-cut-${shape}-${lang}.png` });
    assert.deepEqual(await faultsOf(page, 'a cut record'), []);
    await page.reload();
    await opened.waitFor();
    await opened.getByRole('button', { name: words.close }).click();
    await opened.waitFor({ state: 'detached' });
    await page.reload();
    await page.waitForSelector('[role=grid]');
    // The result belongs to a move that was cut: the game goes on.
    await put(page, '10', '14');
    assert.equal(await opened.count(), 0, 'what was read is not said again');
    await page.screenshot({ path: `${PICTURES}/record-${shape}-${lang}.png` });
    const file = await saved(page, 'PDN');
    for (const tag of ['Event "Tournoi de Paris"', 'Date "1911.11.27"', 'White "Weiss, Isidore"', 'Black "Molimard, Marius"', 'Round "4"'])
      assert.match(file, new RegExp(`\\[${tag.replace('.', '\\.')}`), file);
    assert.match(file, /3\. 37-32 10-14/);
    await farewell(page);
  });
}

test('what is impossible is said for records without lines, too, and what a table does not hold', async () => {
  const page = await visitor(browser, { lang: 'en' });
  const moves = ['h8', 'h9', 'i8', 'h8', 'g8'];
  const record = { format: 'qiguan-record', version: 1, game: 'gomoku/freestyle', players: { first: 'Wu', second: 'Xiao' }, moves };
  await openFile(page, 'wu.json', JSON.stringify(record));
  await until(() => page.locator('.opened').textContent(), /cut at move 2, h8/);
  assert.equal(await page.locator('.ply').count(), 3);
  await openFile(page, 'two.sgf', '(;GM[4]SZ[15]PB[Wu]PW[Xiao](;B[hh];W[hi])(;B[aa];W[bb]))\n(;GM[4]SZ[15];B[hh])');
  await until(() => page.locator('.opened').textContent(), /further games.*variations/s);
  await page.goto(hall.url);
  await page
    .locator('.import input')
    .setInputFiles({ name: 'no.pdn', mimeType: 'text/plain', buffer: Buffer.from('[GameType "20"]\n\n1. 50-1 *\n') });
  await until(
    () =>
      page
        .locator('.problem')
        .allTextContents()
        .then((all) => all.join(' ')),
    /50-1/,
  );
  page.expected.push(/400 \(Bad Request\)/);
  await farewell(page);
});

test('a game against the computer is saved with the name of its level', async () => {
  const page = await visitor(browser, { lang: 'en' });
  await begin(page, hall.url, 'Xiangqi', { how: 'Computer', side: 'Red' });
  await toMove(page);
  assert.match(await saved(page, 'PGN'), /\[Black "Qiguan level \d"\]/);
  await farewell(page);
});

test('the plies of a turn have one number at the table, in a study and in the library', async () => {
  const page = await visitor(browser, { lang: 'en' });
  await signUp(hall, page, 'Counter');
  const moves = ['u', 'l', 'g7', 'u', 'r', 'u'];
  const players = { first: 'Ada Lowe', second: 'Bea Hart' };
  const record = JSON.stringify({ format: 'qiguan-record', version: 1, game: 'locked', players, date: '2024-02-29', moves });
  await openFile(page, 'locked.json', record);
  await until(() => page.locator('.ply').count(), 6);
  assert.deepEqual(await page.locator('.moves .no').allTextContents(), ['1']);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  await page.goto(`${hall.url}/studies/new#table=${id}`);
  await button(page, 'Make the study').click();
  await page.locator('.tree [data-node="6"]').waitFor();
  assert.deepEqual(await page.locator('.tree .ply').allTextContents(), ['1.', '1…']);
  assert.match(await page.locator('h2.chapter').textContent(), /Ada Lowe – Bea Hart/);
  await page.keyboard.press('End');
  await until(() => page.locator('.steps [role=status]').textContent(), /^\s*1…/);
  await pictures(page, 'record-study');
  const file = join(hall.data, 'locked.json');
  writeFileSync(file, record);
  execFileSync(binary, ['library', 'import', file, '--into', 'Locked', '--access', 'public', '--data', hall.data]);
  await page.goto(`${hall.url}/library`);
  await page.locator('.found li', { hasText: 'Ada Lowe' }).getByRole('link').click();
  await page.locator('.moves li').nth(5).waitFor();
  const texts = (await page.locator('.moves li').allTextContents()).map((text) => text.trim());
  assert.deepEqual(
    texts.map((text) => /^\d+[.…]/.exec(text)?.[0] ?? ''),
    ['1.', '', '', '', '', '1…'],
  );
  assert.match(await page.locator('header').first().textContent(), /Ada Lowe – Bea Hart.*2024-02-29/s);
  await pictures(page, 'record-library');
  // From the library to a table and out again nothing is lost.
  await button(page, 'Open as a board').click();
  await page.waitForURL(/\/t\//);
  await until(
    () =>
      page
        .locator('.strip .name')
        .allTextContents()
        .then((all) => all.toSorted().join()),
    'Ada Lowe,Bea Hart',
  );
  assert.match(await saved(page, 'JSON'), /2024-02-29/);
  await farewell(page);
});
