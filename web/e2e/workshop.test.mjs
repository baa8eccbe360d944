// An author's day: code with its mistakes, a report, versions and what they changed, a fork, the gallery.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, cell, farewell, faultsOf, openHouse, PICTURES, stoneAt, until, visitor } from './house.mjs';

const { hall, browser } = await openHouse();
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const WORDS = {
  en: { code: 'Code', run: 'Run it', publish: 'Put on the shelf', balance: 'Balance report', unreadable: 'This is not Python.' },
  zh: { code: '代码', run: '运行', publish: '放上架', balance: '平衡报告', unreadable: '这不是 Python。' },
};

/** The text of the editor as it is. */
const written = (page) => page.locator('.cm-content').evaluate((e) => e.cmTile?.view?.state.doc.toString() ?? e.innerText);

/** Puts another text there, at one stroke: what is typed is indented and closed by the editor. */
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
    assert.deepEqual(await faultsOf(a, `code-${lang}`), []);
    await a.screenshot({ path: join(PICTURES, `code-mistake-${lang}-${where}.png`), fullPage: where === 'desk' });
    await write(a, `${example}\n\nprint(missing)\n`);
    await until(() => a.locator('.code .told').textContent(), /missing/, 'the hall says what is wrong');
    await a.locator('.cm-lintRange-error').first().waitFor();
    await write(a, `${example}\n`);
    await a.locator('.code .told .muted').waitFor();
    // Completion offers what JBQ has.
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
  // Somebody else takes a copy, and it is a map of its own.
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
