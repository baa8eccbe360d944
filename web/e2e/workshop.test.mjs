// An author's day: code with its mistakes, a report, versions and what they changed, a fork, the gallery.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, cell, farewell, faultsOf, openHouse, PICTURES, signUp, stoneAt, until, visitor } from './house.mjs';

const { hall, browser } = await openHouse();
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const WORDS = {
  en: { code: 'Code', run: 'Run it', publish: 'Put on the shelf', balance: 'Balance report', unreadable: 'This is not Python.' },
  zh: { code: '代码', run: '运行', publish: '放上架', balance: '平衡报告', unreadable: '这不是 Python。' },
};

/** Returns the text of the editor. */
const written = (page) => page.locator('.cm-content').evaluate((e) => e.cmTile?.view?.state.doc.toString() ?? e.innerText);

/** Replaces the editor's text at once: typed text would be indented and completed by the editor. */
async function write(page, text) {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

for (const [lang, where] of [
  ['en', 'desk'],
  ['zh', 'phone'],
]) {
  const words = WORDS[lang];
  test(`an author's day (${lang}, ${where}): code, mistakes, a run, a version, another, what it changed`, async () => {
    const a = await visitor(browser, { lang, ...(where === 'phone' ? PHONE : {}) });
    await a.goto(`${hall.url}/workshop`);
    await a.locator('.bench-board [role=grid]').waitFor();
    await a.locator('input.title').fill(`Day ${lang}`);
    await a.getByRole('tab', { name: words.code, exact: true }).click();
    // An example of a hook is a whole extension.
    await a.locator('.code .files select').last().selectOption('after-move');
    await a.locator('.cm-content').waitFor();
    await until(() => written(a), /def after_move/, 'the example is there');
    await a.locator('.code .told .muted').waitFor();
    // A mistake is marked at its line while one types, and told by the hall with its line once it can be read.
    const example = (await written(a)).trimEnd();
    await write(a, `${example}\n\ndef oops(:\n`);
    await a.locator('.cm-lintRange-error').first().waitFor();
    await a.locator('.cm-lint-marker-error').first().waitFor();
    // The hall's message is longer, and comes a second later.
    await until(() => a.locator('.code .told').textContent(), /SyntaxError/, 'the hall says why it is not Python');
    assert.deepEqual(await faultsOf(a, `code-${lang}`), []);
    await a.screenshot({ path: join(PICTURES, `code-mistake-${lang}-${where}.png`), fullPage: where === 'desk' });
    await write(a, `${example}\n\nprint(missing)\n`);
    await until(() => a.locator('.code .told').textContent(), /missing/, 'the hall says what is wrong');
    await a.locator('.cm-lintRange-error').first().waitFor();
    await write(a, `${example}\n`);
    await a.locator('.code .told .muted').waitFor();
    // Completion offers the members of JBQ.
    await a.keyboard.press('Control+End');
    await a.keyboard.type('x = JBQ.ca');
    await a.locator('.cm-tooltip-autocomplete li', { hasText: 'can_eat' }).first().waitFor();
    await a.keyboard.press('Escape');
    // A map of the same files would be the first author's.
    await write(a, `${example}\n# ${lang}\n`);
    // Played, what it prints is read.
    await a.locator('.code .told .muted').waitFor();
    await a.getByRole('button', { name: words.run, exact: true }).click();
    await until(() => a.locator('.code pre.prints').textContent(), /the gate is reached at/, 'what was printed');
    await a.screenshot({ path: join(PICTURES, `code-run-${lang}-${where}.png`), fullPage: where === 'desk' });
    // Put on the shelf with tags, changed, and put there again as the next version.
    await a.getByRole('button', { name: words.publish, exact: true }).click();
    await a.locator('dialog .publish input').last().fill(`quick ${lang}`);
    await a.locator('dialog form.publish button.primary').click();
    await a.waitForURL(/\/maps\/[0-9a-f]{32}$/);
    await a.locator('.work .versions li').first().waitFor();
    const first = new URL(a.url()).pathname;
    await a.locator('.work a.button').click();
    await a.locator('.bench-board [role=grid]').waitFor();
    await a.locator('.piece-of').nth(1).click();
    await cell(a, '4,1').click();
    await until(() => stoneAt(a, '4,1'), /兵/);
    await a.getByRole('button', { name: words.publish, exact: true }).click();
    await a.locator('dialog .publish textarea').fill('One soldier more.');
    await a.locator('dialog form.publish button.primary').click();
    await a.waitForURL((url) => url.pathname !== '/workshop' && url.pathname !== first);
    await until(() => a.locator('.work .versions > li').count(), 2, 'two versions at one address');
    await a.locator('.work .versions .link').first().click();
    await until(() => a.locator('.diff').textContent(), /4,1: – → 兵/, 'what it changed');
    assert.deepEqual(await faultsOf(a, `versions-${lang}`), []);
    await a.screenshot({ path: join(PICTURES, `versions-${lang}-${where}.png`), fullPage: where === 'desk' });
    // In the gallery it stands once, with its tags.
    await a.goto(`${hall.url}/maps`);
    await a.locator('.search input').fill(`quick`);
    await until(() => a.locator('.work-card', { hasText: `Day ${lang}` }).count(), 1, 'found by a tag');
    await until(() => a.locator('.work-card .tags').first().textContent(), new RegExp(`#quick`));
    assert.deepEqual(await faultsOf(a, `gallery-${lang}`), []);
    await a.screenshot({ path: join(PICTURES, `gallery-${lang}-${where}.png`), fullPage: where === 'desk' });
    await farewell(a);
  });
}

test('somebody else makes a map of it: the author is named, and the second of two saves sees the first', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/workshop`);
  await a.locator('.bench-board [role=grid]').waitFor();
  await a.locator('input.title').fill('Root');
  await button(a, 'Put on the shelf').click();
  await a.locator('dialog form.publish button.primary').click();
  await a.waitForURL(/\/maps\/[0-9a-f]{32}$/);
  const root = new URL(a.url()).pathname.split('/').at(-1);
  // Borrowed twice by its author; the second save is told of the first.
  await a.goto(`${hall.url}/workshop/${root}`);
  await a.locator('.bench-board [role=grid]').waitFor();
  const other = await a.context().newPage();
  await other.goto(`${hall.url}/workshop/${root}`);
  await other.locator('.bench-board [role=grid]').waitFor();
  for (const [page, square] of [
    [a, '4,1'],
    [other, '4,6'],
  ]) {
    await page.locator('.piece-of').nth(1).click();
    await cell(page, square).click();
    await until(() => stoneAt(page, square), /兵/);
  }
  await button(a, 'Put on the shelf').click();
  await a.locator('dialog form.publish button.primary').click();
  await a.waitForURL((url) => url.pathname.startsWith('/maps/') && !url.pathname.endsWith(root));
  await button(other, 'Put on the shelf').click();
  await other.locator('dialog form.publish button.primary').click();
  await until(() => other.locator('dialog .problem').textContent(), /Version 2 of “Root” came meanwhile/, 'it is told');
  await until(() => other.locator('dialog .diff').textContent(), /4,1: – → 兵/, 'and what changed');
  await other.getByRole('button', { name: 'Put mine after version 2' }).click();
  await other.waitForURL(/\/maps\//);
  await until(() => other.locator('.work .versions > li').count(), 3, 'three versions');
  // Another visitor takes a copy, and it is a map of its own.
  const b = await visitor(browser);
  await b.goto(`${hall.url}/workshop/${root}`);
  await b.locator('.bench-board [role=grid]').waitFor();
  await b.locator('input.title').fill('Branch');
  await b.locator('.piece-of').nth(3).click();
  await cell(b, '3,1').click();
  await button(b, 'Put on the shelf').click();
  await b.locator('dialog form.publish button.primary').click();
  await b.waitForURL(/\/maps\/[0-9a-f]{32}$/);
  await until(() => b.locator('.work').textContent(), /Made from “Root”, version 1/, 'it says from what');
  await b.goto(`${hall.url}/maps/${root}`);
  await until(() => b.locator('.work .forks').textContent(), /Branch/, 'and the other one names it');
  assert.deepEqual(await faultsOf(b, 'forks'), []);
  await farewell(a, b);
});

test('an example is found, read, made one’s own with one click, changed and played', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/maps`);
  const found = () => a.locator('.examples .work-card b').allTextContents();
  await until(async () => (await found()).length, 17, 'they are there without a search');
  assert.deepEqual(await faultsOf(a, 'examples'), []);
  await a.screenshot({ path: join(PICTURES, 'examples-en.png'), fullPage: true });
  await a.locator('.search input').fill('六贯');
  await until(async () => (await found()).join(' / '), 'Hex / Hex, level 2', 'found by its Chinese name');
  await a.locator('.search input').fill('breakthrough');
  await until(async () => (await found()).join(' / '), 'Breakthrough / Breakthrough, level 2');
  await a.locator('.examples .work-card').first().click();
  await until(() => a.locator('.extension .help').textContent(), /Whoever first reaches the far row wins/, 'its rules');
  assert.deepEqual(await faultsOf(a, 'example'), []);
  // One click makes it a draft of the visitor's.
  await a.goto(`${hall.url}/maps`);
  await a.locator('.search input').fill('breakthrough');
  await a.getByRole('link', { name: 'Make it yours: Breakthrough', exact: true }).click();
  await a.waitForURL(/\/workshop$/);
  await until(() => a.locator('input.title').inputValue(), 'Breakthrough');
  await a.locator('.piece-of').first().click();
  await cell(a, '5,4').click();
  await until(() => stoneAt(a, '5,4'), /兵/);
  await a.locator('input.title').fill('My Breakthrough');
  await button(a, 'Put on the shelf').click();
  await until(() => a.locator('dialog form.publish').textContent(), /Made from “Breakthrough”/, 'it says from what');
  await a.locator('dialog form.publish button.primary').click();
  await a.waitForURL(/\/maps\/[0-9a-f]{32}$/);
  await until(() => a.locator('.work').textContent(), /Made from “Breakthrough”, version 1/, 'and so does its page');
  await button(a, 'Play on this screen').click();
  await a.waitForURL(/\/t\//);
  await cell(a, '5,4').click();
  await cell(a, '4,4').click();
  await until(() => stoneAt(a, '4,4'), /Red/, 'the new soldier goes');
  // The example names what was made of it.
  await a.goto(`${hall.url}/maps`);
  await a.locator('.search input').fill('breakthrough');
  await until(async () => (await found()).join(' / '), 'Breakthrough / Breakthrough, level 2');
  await a.locator('.examples .work-card').first().click();
  await until(() => a.locator('.work .forks').textContent(), /My Breakthrough/);
  await farewell(a);
});

test('the balance report of a built-in map comes while one looks, with its pictures', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/maps`);
  await a.locator('.map-card').first().click();
  await button(a, 'Balance report').click();
  const report = a.locator('.balance-of').first();
  await until(() => report.locator('[role=status]').textContent(), /of \d+ games/, 'it has begun');
  await report.locator('.verdict').waitFor();
  await until(
    () =>
      report
        .locator('.plots img')
        .first()
        .evaluate((img) => img.complete && img.naturalWidth > 0),
    true,
    'a picture is there',
  );
  await until(() => report.locator('table').first().textContent(), /AdvantageP1/, 'Ludii’s names');
  assert.deepEqual(await faultsOf(a, 'balance'), []);
  await a.screenshot({ path: join(PICTURES, 'balance-en.png'), fullPage: true });
  await farewell(a);
});

const PUZZLE = {
  en: {
    set: 'Set a puzzle',
    prove: 'Prove it',
    keep: 'Keep it',
    clear: 'Clear',
    take: 'Take a piece',
    win: 'Win',
    move: 'Move',
    one: '1',
    two: '2',
  },
  zh: { set: '设一道题', prove: '验证', keep: '收入', clear: '清空', take: '吃子', win: '取胜', move: '移动', one: '1', two: '2' },
};

for (const [lang, where] of [
  ['en', 'desk'],
  ['zh', 'phone'],
]) {
  const say = PUZZLE[lang];
  test(`a puzzle is set on a map, refused, proved, kept and solved (${lang}, ${where})`, async () => {
    const a = await visitor(browser, { lang, ...(where === 'phone' ? PHONE : {}) });
    // A position that proves nothing is refused.
    a.expected.push(/422 \(Unprocessable Entity\).*\/puzzles/);
    await a.goto(`${hall.url}/workshop`);
    await a.locator('.bench-board [role=grid]').waitFor();
    await a.locator('input.title').fill(`Riddle ${lang}`);
    await a.locator('.piece-of').nth(1).click();
    await cell(a, lang === 'en' ? '3,2' : '3,5').click();
    await button(a, WORDS[lang].publish).click();
    await a.locator('dialog form.publish button.primary').click();
    await a.waitForURL(/\/maps\/[0-9a-f]{32}$/);
    await button(a, say.set).click();
    const bench = a.locator('.set-puzzle');
    await bench.locator('[role=grid]').waitFor();
    const status = bench.locator('[role=status]');
    // From the start neither side wins in one move, and the defence is shown.
    await bench.getByRole('radio', { name: say.one, exact: true }).check({ force: true });
    await bench.getByRole('button', { name: say.prove, exact: true }).click();
    await until(() => status.textContent(), /\d,\d-\d,\d/, 'the line that prevents it');
    assert.ok(await status.evaluate((e) => e.classList.contains('problem')));
    assert.ok(await bench.getByRole('button', { name: say.keep, exact: true }).isDisabled());
    assert.deepEqual(await faultsOf(a, `set-puzzle-${lang}`), []);
    // A board of one's own: the blue king in the corner, which has to step to where red's king and soldiers take it.
    await bench.getByRole('button', { name: say.clear, exact: true }).click();
    const put = async (piece, square) => {
      await bench.locator('.piece-of').nth(piece).click();
      await bench.locator(`[role=gridcell][aria-label^="${square},"]`).click();
    };
    await put(0, '3,3');
    await put(1, '4,1');
    await put(1, '2,2');
    await put(2, '1,1');
    await bench.getByRole('radio', { name: say.two, exact: true }).check({ force: true });
    await bench.getByRole('button', { name: say.prove, exact: true }).click();
    await until(() => status.textContent(), /\d,\d-\d,\d \d,\d-\d,\d \d,\d-\d,\d/, 'three plies');
    assert.ok(!(await status.evaluate((e) => e.classList.contains('problem'))), 'it is proved');
    await a.screenshot({ path: join(PICTURES, `set-puzzle-${lang}-${where}.png`), fullPage: true });
    await bench.getByRole('button', { name: say.keep, exact: true }).click();
    await until(() => a.locator('.map-puzzles li').count(), 1, 'it stands with its map');
    assert.deepEqual(await faultsOf(a, `map-puzzles-${lang}`), []);
    // Another visitor solves it; another right way than the line's is right, too.
    await a.locator('.map-puzzles li a').click();
    const told = a.locator('.told');
    await told.waitFor();
    assert.match(await told.textContent(), lang === 'en' ? /win within 2 moves/ : /2 着之内取胜/);
    await a.screenshot({ path: join(PICTURES, `map-puzzle-${lang}-${where}.png`), fullPage: true });
    await cell(a, '3,3').click();
    await cell(a, '4,4').click();
    await a.locator('.told.wrong').waitFor();
    assert.deepEqual(await faultsOf(a, `map-puzzle-${lang}`), []);
    await a.goBack();
    await a.locator('.map-puzzles li').waitFor();
    await a.locator('.map-puzzles .danger').click();
    await a.locator('.map-puzzles .danger').click();
    await until(() => a.locator('.map-puzzles li').count(), 0, 'its author deletes it');
    await farewell(a);
  });
}

test('the board of a map goes out as CSV and comes back; what is wrong is said with line and column', async () => {
  const a = await visitor(browser, { lang: 'en' });
  a.expected.push(/400 \(Bad Request\).*board\/read/);
  await a.goto(`${hall.url}/workshop`);
  await a.locator('.bench-board [role=grid]').waitFor();
  const open = (name, text) =>
    a.locator('.import input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  await open('bad.csv', '1,,2\n,99,\n,,\n');
  await until(() => a.locator('.tab-panel [role=alert]').textContent(), /Line 2, column 2: there is no piece “99”/, 'where it is');
  assert.deepEqual(await faultsOf(a, 'board-csv'), []);
  await open('board.csv', '2;;\n;;\n;;1\n');
  await until(() => a.locator('.bench-board [role=gridcell]').count(), 9, 'three by three');
  await until(() => stoneAt(a, '3,3'), /Red 王/, 'red stands below');
  assert.equal(await a.locator('.tab-panel [role=alert]').count(), 0);
  await a.getByRole('tab', { name: 'Game', exact: true }).click();
  const [file] = await Promise.all([a.waitForEvent('download'), button(a, 'Board as CSV').click()]);
  assert.match(file.suggestedFilename(), /\.csv$/);
  const { readFileSync } = await import('node:fs');
  assert.equal(readFileSync(await file.path(), 'utf8'), '2,,\r\n,,\r\n,,1\r\n');
  await farewell(a);
});

test('a copy puts the draft aside, and another tab does not write over it', async () => {
  const a = await visitor(browser);
  // Built-in maps are not works.
  a.expected.push(/404 .*\/api\/works\//);
  await a.goto(`${hall.url}/workshop`);
  await a.locator('.bench-board [role=grid]').waitFor();
  await a.locator('input.title').fill('A week of work');
  await a.goto(`${hall.url}/maps`);
  await a.locator('main a[href^="/maps/"]').first().click();
  await a.getByRole('link', { name: 'Change a copy' }).click();
  await a.waitForURL(/\/workshop$/);
  await a.locator('.bench-side .note', { hasText: 'A week of work' }).waitFor();
  assert.deepEqual(await faultsOf(a, 'aside'), []);
  await button(a, 'Go back to it').click();
  await until(() => a.locator('input.title').inputValue(), 'A week of work');
  await a.reload();
  await until(() => a.locator('input.title').inputValue(), 'A week of work', 'and it is kept');
  // The work goes on in a second tab; then the first one is not kept, unless its owner says so.
  const other = await a.context().newPage();
  await other.goto(`${hall.url}/workshop`);
  await other.locator('input.title').fill('Two weeks of work');
  await a.locator('input.title').fill('A week');
  await a.locator('.bench-side [role=alert]', { hasText: 'in another tab' }).waitFor();
  assert.deepEqual(await faultsOf(a, 'elsewhere'), []);
  await other.reload();
  await until(() => other.locator('input.title').inputValue(), 'Two weeks of work', 'nothing was written over it');
  await button(a, 'Keep this one').click();
  await a.getByRole('tab', { name: 'Game', exact: true }).click();
  await a.locator('.bench-side .note', { hasText: 'Two weeks of work' }).waitFor();
  await farewell(a);
});

test('what is undone in the code is undone in the code alone', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/workshop`);
  await a.locator('.bench-board [role=grid]').waitFor();
  await a.locator('.piece-of').nth(1).click();
  await cell(a, '4,1').click();
  await a.getByRole('tab', { name: 'Code', exact: true }).click();
  await a.locator('.code .files select').last().selectOption('after-move');
  await a.locator('.cm-content').focus();
  await until(() => written(a), /def after_move/);
  await a.keyboard.insertText('undone');
  await until(() => written(a), /undone/);
  await a.keyboard.press('Control+z');
  await until(async () => (await written(a)).includes('undone'), false);
  assert.match(await stoneAt(a, '4,1'), /兵/);
  await farewell(a);
});

test('an extension is shared by one and used by another, whose map says whose it is', async () => {
  const a = await visitor(browser, { lang: 'en' });
  await signUp(hall, a, 'Gatekeeper');
  await a.goto(`${hall.url}/workshop`);
  await a.locator('.bench-board [role=grid]').waitFor();
  await a.getByRole('tab', { name: 'Code', exact: true }).click();
  await a.locator('.code .files select').last().selectOption('after-move');
  await a.locator('.code .told .muted').waitFor();
  await a.getByRole('tab', { name: 'Game', exact: true }).click();
  const shelf = a.locator('.shared');
  await shelf.locator('summary').click();
  await shelf.getByLabel('File').selectOption({ index: 1 });
  await shelf.getByLabel('Name', { exact: true }).fill('our-gate');
  await shelf.getByLabel('What it does').fill('Says when the gate is reached.');
  await button(a, 'Share it').click();
  await until(() => shelf.locator('[role=status]').textContent(), /Shared as our-gate@1/, 'it is on the shelf');
  assert.deepEqual(await faultsOf(a, 'shared'), []);
  await a.screenshot({ path: join(PICTURES, 'shared-extensions.png'), fullPage: true });
  const b = await visitor(browser, { lang: 'en', ...PHONE });
  await b.goto(`${hall.url}/workshop`);
  await b.locator('.bench-board [role=grid]').waitFor();
  await b.locator('input.title').fill('Borrowed gate');
  await b.getByRole('tab', { name: 'Game', exact: true }).click();
  await b.locator('.shared input[type=search]').fill('gate');
  // Its name is a link to the file; an error of the hall is not saved as a file.
  const file = b.waitForEvent('download');
  await b.locator('.shared li a').click();
  assert.equal((await file).suggestedFilename(), 'our-gate@1.py');
  b.expected.push(/503 .*our-gate/);
  await b.route('**/our-gate/1', (route) => route.fulfill({ status: 503, json: { error: { key: 'hall-busy', args: {} } } }));
  await b.getByRole('button', { name: 'Add our-gate' }).click();
  await until(() => b.locator('.shared [role=alert]').textContent(), /hall is busy/, 'it is said why');
  assert.equal(await b.locator('.extensions .file').count(), 0);
  await b.unroute('**/our-gate/1');
  await b.getByRole('button', { name: 'Add our-gate' }).click();
  await until(() => b.locator('.extensions .file').textContent(), /our-gate@1\.py/, 'a copy of that version');
  assert.deepEqual(await faultsOf(b, 'shared-phone'), []);
  await b.screenshot({ path: join(PICTURES, 'shared-extensions-phone.png') });
  await button(b, 'Put on the shelf').click();
  await b.locator('dialog form.publish button.primary').click();
  await b.waitForURL(/\/maps\/[0-9a-f]{32}$/);
  await until(() => b.locator('.extension').textContent(), /our-gate@1.*Gatekeeper/, 'the map names it and its author');
  // A guest shares nothing before there is an account, and is told so.
  await b.goto(`${hall.url}/workshop`);
  await b.locator('.bench-board [role=grid]').waitFor();
  await b.getByRole('tab', { name: 'Code', exact: true }).click();
  await b.locator('.code .files select').last().selectOption('after-move');
  await b.locator('.code .told .muted').waitFor();
  await b.getByRole('tab', { name: 'Game', exact: true }).click();
  await b.locator('.shared summary').click();
  await until(() => b.locator('.shared .note').textContent(), /belong to accounts. Sign in/, 'where to go');
  await b.locator('.shared').getByLabel('File').selectOption({ index: 1 });
  assert.ok(await button(b, 'Share it').isDisabled());
  assert.deepEqual(await faultsOf(b, 'shared-guest'), []);
  // While another visitor uses it, it stays.
  a.expected.push(/409 \(Conflict\).*our-gate/);
  await a.locator('.shared .danger').click();
  await a.locator('.shared .danger').click();
  await until(() => a.locator('.shared [role=alert]').textContent(), /Maps of others use this extension/, 'and it is said why');
  await farewell(b);
  await farewell(a);
});

test('maps with a rated pool are marked in the gallery, built-in ones, too', async () => {
  const a = await visitor(browser, { lang: 'zh', ...PHONE });
  // Twenty games would take too long here: the hall's answers are changed on their way.
  const changed = (path, change) =>
    a.route(path, async (route) => {
      const told = await (await route.fetch()).json();
      change(told);
      await route.fulfill({ json: told });
    });
  await changed('**/api/works?**', (told) => (told.works[0].rated = true));
  await changed('**/api/maps/*', (told) => (told.pool.open = true));
  await a.goto(`${hall.url}/maps`);
  await until(() => a.locator('.work-card .badge', { hasText: '计等级分' }).count(), 1, 'one work');
  await a.locator('.map-card').first().waitFor();
  const builtIn = await a.locator('.map-card').count();
  await until(() => a.locator('.map-card .badge', { hasText: '计等级分' }).count(), builtIn, 'each built-in map');
  assert.deepEqual(await faultsOf(a, 'gallery-rated'), []);
  await a.screenshot({ path: join(PICTURES, 'gallery-rated-phone.png') });
  // An answer may still be on its way.
  await a.unrouteAll({ behavior: 'wait' });
  await farewell(a);
});
