// Puzzles: of every family one is asked, a wrong turn is refuted on the board, the line is found, and an account is rated.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { farewell, faultsOf, openHouse, PHONE, PICTURES, signUp, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();
const lines = readFileSync(new URL('../../crates/puzzles/data/starter.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const puzzles = lines.map((line) => JSON.parse(line));
/** Returns the number of a cell of a xiangqi board, counted from the top left as in the page. */
const cell = (name) => (9 - Number(name[1])) * 9 + name.charCodeAt(0) - 97;
const short = puzzles.find((p) => p.game === 'xiangqi' && p.line.length === 1);
const long = puzzles.find((p) => p.game === 'xiangqi' && p.line.length > 1);

const SAY = {
  en: {
    puzzles: 'Puzzles',
    solved: 'Solved!',
    wrong: 'That lets it go',
    show: 'Show the answer',
    again: 'Try again',
    said: /, (Red|Black) \w+/,
    may: /, may be chosen$/,
  },
  zh: {
    puzzles: '习题',
    solved: '解出来了',
    wrong: '这一着错过了结果',
    show: '看答案',
    again: '再试一次',
    said: /, [红黑]方[帅将仕士相象马车炮兵卒]/,
    may: /, 可选$/,
  },
};

async function play(page, move) {
  for (const name of [move.slice(0, 2), move.slice(2, 4)])
    await page
      .locator(`[data-cell="${cell(name)}"]`)
      .first()
      .click();
}

for (const [lang, screen] of [
  ['en', WIDE],
  ['zh', PHONE],
]) {
  test(`a puzzle is missed, refuted and solved (${lang})`, async () => {
    const say = SAY[lang];
    const page = await visitor(browser, { screen, lang });
    await page.goto(hall.url);
    await page.getByRole('link', { name: say.puzzles, exact: true }).click();
    const told = page.locator('.told');
    await told.waitFor();
    for (const button of await page.locator('.families button').all()) {
      await button.click();
      await page.locator('.families button[aria-pressed="true"]').waitFor();
      await told.waitFor();
      assert.equal(await page.locator('[role="alert"]').count(), 0);
    }
    assert.equal(await page.locator('.families button').count(), 5);
    await page.screenshot({ path: join(PICTURES, `puzzles-${lang}.png`) });
    await page.goto(`${hall.url}/puzzles/${short.id}`);
    await told.waitFor();
    const asked = await page.evaluate(async (id) => (await fetch(`/api/puzzles/${id}`)).json(), short.id);
    assert.ok(!('line' in asked), 'the line is not told');
    // A listener learns which side's pieces stand where, and which may move.
    const heard = await page.locator('[data-cell]').evaluateAll((cells) => cells.map((c) => c.getAttribute('aria-label')));
    assert.equal(heard.filter((label) => say.said.test(label)).length, asked.view.pieces.length);
    assert.equal(heard.filter((label) => say.may.test(label)).length, new Set(asked.view.moves.map((m) => m.path[0])).size);
    const other = asked.view.moves.find((m) => m.text !== short.line[0][0]).text;
    await play(page, other);
    await page.locator('.told.wrong').waitFor();
    assert.match(await told.innerText(), new RegExp(say.wrong));
    await page.screenshot({ path: join(PICTURES, `puzzles-wrong-${lang}.png`) });
    await page.getByRole('button', { name: say.again }).click();
    await play(page, short.line[0][0]);
    await page.locator('.told.solved').waitFor();
    assert.equal(await told.innerText(), say.solved + (lang === 'zh' ? '！' : ''));
    assert.ok((await page.locator('.themes li').count()) > 0);
    await page.screenshot({ path: join(PICTURES, `puzzles-solved-${lang}.png`) });
    assert.deepEqual(await faultsOf(page), []);
    await farewell(page);
  });
}

test('the first answer of an account is rated', async () => {
  const page = await visitor(browser, { screen: WIDE, lang: 'en' });
  await signUp(hall, page, 'Puzzler');
  await page.goto(`${hall.url}/puzzles/${short.id}`);
  await page.locator('.told').waitFor();
  await play(page, short.line[0][0]);
  await page.locator('.told.solved').waitFor();
  await page.getByText(/1500 → \d+/).waitFor();
  await page.getByText('1 in a row').waitFor();
  await farewell(page);
});

test('an answer that comes after the next puzzle changes nothing', async () => {
  const page = await visitor(browser);
  await page.goto(`${hall.url}/puzzles/${short.id}`);
  await page.locator('.told').waitFor();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route('**/try', (route) => held.then(() => route.continue()));
  await play(page, short.line[0][0]);
  await page.locator('.board.sending').waitFor();
  await page.locator('.families button[aria-pressed="false"]').first().click();
  await until(() => page.url().endsWith(short.id), false);
  const late = page.waitForResponse('**/try');
  release();
  await (await late).finished();
  await page.waitForTimeout(200);
  assert.equal(
    await page
      .locator('.told')
      .getAttribute('class')
      .then((c) => c.trim()),
    'told',
  );
  assert.equal(await page.locator('.board.sending').count(), 0);
  await farewell(page);
});

test('where the answer is not had, no move is taken back', async () => {
  const page = await visitor(browser);
  await page.goto(`${hall.url}/puzzles/${long.id}`);
  await page.locator('.told').waitFor();
  const [first, , second] = long.line.map((turn) => turn[0]);
  await play(page, first);
  await page.locator(`[data-cell="${cell(second)}"].may`).waitFor();
  await page.route('**/try', (route) => route.abort(), { times: 1 });
  page.expected.push(/ERR_FAILED/);
  await page.getByRole('button', { name: SAY.en.show }).click();
  await page.locator('[role=alert]').waitFor();
  const [sent] = await Promise.all([page.waitForRequest('**/try'), play(page, second)]);
  assert.deepEqual(sent.postDataJSON().moves, [first, second]);
  await farewell(page);
});
