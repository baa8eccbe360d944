// Studies: a player saves a game, says and draws something, and a friend who is invited sees it at once and adds to
// it; a reader takes the lesson; the file that comes out holds it all.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, faultsOf, farewell, openHouse, PHONE, PICTURES, signUp, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();
/** Returns the number of a cell of a xiangqi board, counted from the top left as in the page. */
const place = (name) => (9 - Number(name[1])) * 9 + name.charCodeAt(0) - 97;
const at = (page, name) => page.locator(`[data-cell="${place(name)}"]`).first();
async function play(page, move) {
  await at(page, move.slice(0, 2)).click();
  await at(page, move.slice(2, 4)).click();
}
const nodes = (page) => page.locator('.tree button[data-node]').count();
const headings = (page) =>
  page.evaluate(() => {
    const found = [...document.querySelectorAll('h1, h2, h3')].filter((h) => h.offsetParent).map((h) => Number(h.tagName[1]));
    return found[0] === 1 && found.every((n, i) => i === 0 || n <= found[i - 1] + 1);
  });
async function narrow(page) {
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }));
  assert.ok(scroll <= width, `nothing stands over the edge: ${scroll} > ${width}`);
}

const SAY = {
  en: {
    studies: 'Studies',
    fresh: 'New study',
    name: 'Name',
    make: 'Make the study',
    comment: 'Comment',
    save: 'Save comment',
    good: 'A good move',
    red: 'Red',
    people: 'Who reads, who writes',
    invite: 'Invite by name',
    doInvite: 'Invite',
    file: 'Save as a file',
    together: /^Together/,
    cannon: /^e2,.* Red cannon, last move$/,
    horse: /^b9,.* Black horse, may be chosen$/,
  },
  zh: {
    studies: '研究',
    fresh: '新建研究',
    name: '名称',
    make: '建立研究',
    comment: '评注',
    save: '保存评注',
    good: '好着',
    red: '红色',
    people: '谁读，谁写',
    invite: '按名字邀请',
    doInvite: '邀请',
    file: '存为文件',
    together: /^一起看/,
    cannon: /^e2,.* 红方炮, 最后一手$/,
    horse: /^b9,.* 黑方马, 可选$/,
  },
};

for (const [lang, screen, who] of [
  ['en', WIDE, 'Ann'],
  ['zh', PHONE, 'Bao'],
]) {
  test(`a study is made, drawn on and shared (${lang})`, async () => {
    const say = SAY[lang];
    const [page, friend] = [await visitor(browser, { screen, lang }), await visitor(browser, { screen: WIDE, lang })];
    await signUp(hall, page, `${who}Owner`);
    await signUp(hall, friend, `${who}Friend`);
    await page.goto(hall.url);
    // Under Library on a desk, and under More on a phone.
    if (screen === WIDE) await page.locator('.words a[href="/library"]').hover();
    else await page.locator('.foot button').click();
    await page.getByRole('link', { name: say.studies, exact: true }).click();
    await page.getByRole('link', { name: say.fresh }).click();
    await page.getByRole('button', { name: say.make }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByLabel(say.name, { exact: true }).fill('<b>中炮</b> & more');
    await page.getByRole('button', { name: say.make }).click();
    await page.locator('.tree').waitFor();
    assert.equal(await page.locator('h1').innerText(), '<b>中炮</b> & more', 'a name is never markup');
    const address = page.url();

    // Moves, a variation, a comment, a sign, an arrow and a circle.
    await play(page, 'h2e2');
    await until(() => nodes(page), 2);
    await until(() => stands(page, 'e2'), say.cannon);
    await until(() => stands(page, 'b9'), say.horse);
    await play(page, 'h9g7');
    await until(() => nodes(page), 3);
    await page.locator('.tree button[data-node="1"]').click();
    await play(page, 'b9c7');
    await until(() => nodes(page), 4);
    await page.locator('.block.variation').waitFor();
    await page.getByLabel(say.comment, { exact: true }).fill('**强** <img src=x onerror=alert(1)>\n- h8');
    await page.getByRole('button', { name: say.save }).click();
    const said = page.locator('.said');
    await until(() => said.locator('strong').innerText(), '强');
    assert.match(await said.innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator('.said img').count(), 0);
    await page.getByRole('button', { name: say.good, exact: true }).click();
    await until(() => page.locator('.tree .sign').first().innerText(), '!');
    const red = page.getByRole('button', { name: say.red, exact: true });
    await red.click();
    await at(page, 'c7').click();
    await at(page, 'c3').click();
    await page.locator('.study-marks g.red .shaft').waitFor({ state: 'attached' });
    await at(page, 'e4').click();
    await at(page, 'e4').click();
    await page.locator('.study-marks g.red .ring').waitFor({ state: 'attached' });
    await red.click();
    if (screen === WIDE) {
      await at(page, 'a0').scrollIntoViewIfNeeded();
      const [from, to] = [await at(page, 'a0').boundingBox(), await at(page, 'a3').boundingBox()];
      const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(...middle(from));
      await page.mouse.down({ button: 'right' });
      await page.mouse.move(...middle(to));
      await page.mouse.up({ button: 'right' });
      await page.locator('.study-marks g.green .shaft').waitFor({ state: 'attached' });
    }
    assert.deepEqual(await faultsOf(page), []);
    assert.ok(await headings(page), 'headings are in order');
    await narrow(page);
    await page.screenshot({ path: join(PICTURES, `studies-${lang}.png`), fullPage: true });

    // It is hidden from others until they are invited; then both work on it at once.
    friend.expected.push(/404/);
    await friend.goto(address);
    await friend.locator('[role="alert"]').waitFor();
    await page.getByText(say.people).click();
    await page.getByLabel(say.invite).fill(`${who}Friend`);
    await page.getByRole('button', { name: say.doInvite, exact: true }).click();
    await page.getByText(`${who}Friend`).first().waitFor();
    await friend.goto(address);
    await friend.locator('.tree').waitFor();
    assert.equal(await nodes(friend), 4);
    await friend.locator('.tree button[data-node="1"]').click();
    await play(friend, 'h7e7');
    await until(() => nodes(page), 5, 'the owner sees what the friend plays');
    await page.locator('.tree button[data-node="2"]').click();
    await play(page, 'h0g2');
    await until(() => nodes(friend), 6, 'the friend sees what the owner plays');

    // Two who write about the same move: the second is told, and both texts stay.
    for (const one of [page, friend]) await one.locator('.tree button[data-node="1"]').click();
    const box = (one) => one.getByLabel(say.comment, { exact: true });
    await until(() => box(friend).inputValue(), '');
    await box(page).fill('first words');
    await box(friend).fill('second words');
    await page.getByRole('button', { name: say.save }).click();
    await until(() => page.locator('.said').innerText(), 'first words');
    await until(() => friend.locator('.tools q').innerText(), 'first words');
    await friend.locator('.tools .note + .abreast button').click();
    await until(() => page.locator('.said').innerText(), /first words\s+second words/);

    // A comment is stored when its author is led elsewhere in the middle of a word.
    const current = (one) => one.locator('.tree [aria-current="step"]').getAttribute('data-node');
    for (const one of [page, friend]) await one.getByLabel(say.together).check();
    await until(() => current(page), '1');
    await box(page).fill('first words, half a w');
    await friend.locator('.tree button[data-node="2"]').click();
    await until(() => current(page), '2');
    await until(() => box(page).inputValue(), '');
    await friend.locator('.tree button[data-node="1"]').click();
    await until(() => friend.locator('.said').innerText(), 'first words, half a w');
    await until(() => box(page).inputValue(), 'first words, half a w');

    // The file holds it.
    await page.getByText(say.file).click();
    const link = page.locator('.formats a', { hasText: 'pgn' });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const content = readFileSync(await download.path(), 'utf8');
    assert.match(content, /%cal Rc7c3/);
    assert.match(content, /first words/);
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `studies-open-${lang}.png`), fullPage: true });
    friend.complaints.length = 0;
    await farewell(page, friend);
  });
}

test('a reader takes a lesson', async () => {
  const page = await visitor(browser, { screen: WIDE, lang: 'en' });
  await signUp(hall, page, 'Teacher');
  await page.evaluate(async () => {
    const post = async (path, body) => {
      const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
      return answer.json();
    };
    const made = await post('/api/studies', {
      name: 'A lesson',
      access: 'public',
      from: { name: 'One', game: 'xiangqi', moves: ['h2e2', 'h9g7', 'h0g2'] },
    });
    await post(`/api/studies/${made.study.id}/changes`, { base: 1, change: { t: 'lesson', chapter: 0, side: 'first' } });
  });
  const reader = await visitor(browser, { screen: PHONE, lang: 'en' });
  await reader.goto(`${hall.url}/studies`);
  await reader.getByRole('button', { name: 'Public' }).click();
  await reader.getByRole('link', { name: /A lesson/ }).click();
  await reader.getByText('Find the move').waitFor();
  assert.equal(await nodes(reader), 1, 'the moves are hidden');
  await play(reader, 'b2e2');
  await reader.getByText('Not this one').waitFor();
  await play(reader, 'h2e2');
  await until(() => nodes(reader), 3, 'it is answered');
  await reader.screenshot({ path: join(PICTURES, 'studies-lesson.png'), fullPage: true });
  await reader.getByRole('button', { name: 'Show the move' }).click();
  await reader.getByText('That was the lesson').waitFor();
  assert.deepEqual(await faultsOf(reader), []);
  await reader.getByRole('button', { name: 'See all of it' }).click();
  assert.equal(await nodes(reader), 4);
  assert.equal(await reader.locator('.tools').count(), 0, 'a reader changes nothing');
  await farewell(page, reader);
});

test('a finished game is saved as a study', async () => {
  const page = await visitor(browser, { screen: WIDE, lang: 'en' });
  await signUp(hall, page, 'Player');
  const table = await page.evaluate(async () => {
    const record = 'Game: gomoku/freestyle\nFirst: Wu\nSecond: Xiao\nResult: first resign\n\n1. h8 2. h9 3. i8\n';
    const answer = await fetch('/api/records', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: record, base64: false, format: 'text' }),
    });
    return (await answer.json()).id;
  });
  await page.goto(`${hall.url}/t/${table}`);
  await page.getByRole('link', { name: 'Save as study' }).first().click();
  await page.getByRole('button', { name: 'Make the study' }).click();
  await page.locator('.tree').waitFor();
  await until(() => nodes(page), 4);
  await page.keyboard.press('End');
  await until(() => page.locator('.tree [aria-current="step"]').innerText(), /^2\.\s+i8/);
  // Keys of the browser's own step nowhere.
  for (const key of ['Alt+ArrowLeft', 'Control+ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await until(() => page.locator('.tree [aria-current="step"]').innerText(), /^h9/);
  await farewell(page);
});

const SET = {
  en: { game: 'Xiangqi', set: 'Set up a position', remove: 'Remove', keep: 'Save as study' },
  zh: { game: '象棋', set: '摆局', remove: '移除', keep: '存为研究' },
};
const stands = (page, name) => at(page, name).getAttribute('aria-label');

for (const [lang, screen] of [
  ['en', PHONE],
  ['zh', WIDE],
]) {
  test(`a position set up by hand becomes a study, and what was played there stands beside it (${lang})`, async () => {
    const say = SET[lang];
    const page = await visitor(browser, { screen, lang });
    await signUp(hall, page, `Composer ${lang}`);
    await page.goto(hall.url);
    const card = page.locator('.card', { has: page.getByRole('heading', { name: say.game, exact: true }) });
    await card.locator('.options').click();
    await page.getByRole('button', { name: say.set, exact: true }).click();
    await page.locator('.set-up [role=grid]').waitFor();
    await page.getByRole('button', { name: say.remove, exact: true }).click();
    const rook = await stands(page, 'a0');
    await at(page, 'a0').click();
    const text = page.locator('#set-up-fen');
    await until(() => text.inputValue(), /\/1NBAKABNR/, 'the rook is gone');
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `studies-set-up-${lang}.png`) });
    const fen = await text.inputValue();

    // Two games were played from there.
    const game = (move) => `[Game "Chinese Chess"]\n[FEN "${fen}"]\n[Result "1-0"]\n[Format "ICCS"]\n\n1. ${move} 1-0\n\n`;
    const file = join(hall.data, `${lang}.pgn`);
    writeFileSync(file, game('H2-E2') + game('B2-E2'));
    execFileSync(binary, ['library', 'import', file, '--into', `From there ${lang}`, '--access', 'public', '--data', hall.data]);

    await page.locator('.set-up').getByRole('button', { name: say.keep }).click();
    await page.getByRole('button', { name: SAY[lang].make }).click();
    await page.locator('.tree').waitFor();
    assert.notEqual(await stands(page, 'a0'), rook, 'the study begins with that position');
    const rows = page.locator('.explorer tbody tr');
    await until(() => rows.count(), 2);
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `studies-explorer-${lang}.png`), fullPage: true });
    await rows.first().getByRole('button').click();
    await until(() => nodes(page), 2, 'its move is in the study');
    await until(() => rows.count(), 0, 'there the games end');
    await farewell(page);
  });
}
