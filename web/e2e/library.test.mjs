// The library: games of files are found by name, by position and by pattern, looked at, and brought by people with accounts.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, farewell, faultsOf, openHall, openHouse, PHONE, PICTURES, signUp, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();

const SAY = {
  en: {
    library: 'Library',
    player: 'Player',
    search: 'Search',
    pattern: 'Pattern on a board',
    on: 'One move on',
    bring: 'Bring a file',
    make: 'Make a collection',
    cannon: 'Central Cannon',
    material: 'Material',
  },
  zh: {
    library: '棋谱库',
    player: '棋手',
    search: '查找',
    pattern: '在棋盘上摆棋形',
    on: '前进一步',
    bring: '选择文件',
    make: '新建棋谱集',
    cannon: '中炮',
    material: '子力',
  },
};
const game = (red, black, moves, result) =>
  `[Game "Chinese Chess"]\n[Event "Spring Cup"]\n[Date "2021.05.04"]\n[Red "${red}"]\n[Black "${black}"]\n[Result "${result}"]\n[Format "ICCS"]\n\n${moves} ${result}\n\n`;
const FILE =
  game('Hu <b>Ronghua</b>', 'Li Laiqun', '1. H2-E2 H9-G7 2. H0-G2 I9-H9', '1-0') +
  game('Li Laiqun', 'Tao Hanming', '1. H2-E2 B9-C7 2. H0-G2 H9-G7', '1/2-1/2') +
  game('Tao Hanming', 'Hu Ronghua', '1. C3-C4 G6-G5', '0-1');

function bringFile(name, text) {
  const file = join(hall.data, name);
  writeFileSync(file, text);
  execFileSync(binary, ['library', 'import', file, '--into', 'Cup', '--access', 'public', '--data', hall.data]);
}
bringFile('cup.pgn', FILE);

for (const [lang, screen] of [
  ['en', WIDE],
  ['zh', PHONE],
]) {
  test(`games are found and looked at (${lang})`, async () => {
    const say = SAY[lang];
    const page = await visitor(browser, { screen, lang });
    await page.goto(hall.url);
    // A phone has it under More.
    if (screen === PHONE) await page.locator('.foot button').click();
    await page.getByRole('link', { name: say.library, exact: true }).click();
    const found = page.locator('.found li');
    await found.nth(2).waitFor();
    assert.equal(await found.count(), 3, 'all public games are there');
    // Text from strangers' files is shown as text.
    assert.equal(await page.locator('.found b').count(), 0);
    await page.getByLabel(say.player, { exact: true }).fill('tao');
    await page.getByRole('button', { name: say.search, exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.found li').length === 2);
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `library-${lang}.png`), fullPage: true });
    await found.filter({ hasText: 'Li Laiqun' }).getByRole('link').click();
    await page.locator('.stage .board').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelector('.moves [aria-current]')?.closest('li')?.dataset.ply === '1');
    // Two games went on from there, each its own way.
    await page.waitForFunction(() => document.querySelectorAll('.explorer tbody tr').length === 2);
    assert.equal(await page.locator('.explorer .opening').textContent(), say.cannon);
    await page.getByRole('button', { name: say.on, exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.explorer tbody tr').length === 1);
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `library-game-${lang}.png`), fullPage: true });
    await farewell(page);
  });
}

test('a pattern finds the game, and a result opens where it stands', async () => {
  const page = await visitor(browser);
  await page.goto(`${hall.url}/library`);
  await page.locator('.wish select').first().selectOption('xiangqi');
  await page.getByLabel(SAY.en.pattern).check();
  const board = page.locator('.pattern');
  await board
    .locator('.palette button', { hasText: /cannon/i })
    .first()
    .click();
  await board.locator('[role=gridcell][aria-label^="e2,"]').click();
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.found li').length === 2);
  await page.locator('.found li a').first().click();
  await page.locator('.stage .board').waitFor();
  assert.equal(await page.locator('.moves [aria-current]').getAttribute('aria-current'), 'step');
  assert.match(page.url(), /#ply=1$/);
  await page.reload();
  await page.locator('.moves li[data-ply="1"] [aria-current]').waitFor();
  await farewell(page);
});

test('people with an account bring files, and are told which games are cut and why', async () => {
  const page = await visitor(browser);
  await signUp(hall, page, 'Librarian');
  await page.goto(`${hall.url}/library`);
  await page.getByLabel('Name', { exact: true }).fill('Mine');
  await page.getByRole('button', { name: SAY.en.make, exact: true }).click();
  await page.locator('.sets li', { hasText: 'Mine' }).waitFor();
  const broken = game('A', 'B', '1. H2-H9 H9-G7', '*');
  await page.locator('input[type=file]').setInputFiles({ name: 'own.pgn', mimeType: 'text/plain', buffer: Buffer.from(FILE + broken) });
  await page.locator('.refused li').waitFor();
  assert.match(await page.locator('.own [role=status]').textContent(), /4 games read: 4 new, 0 there already, 0 refused, 1 kept in part/);
  assert.match(await page.locator('.refused li').textContent(), /^Game 4, line \d+: /);
  await page.locator('.sets li', { hasText: '4 games' }).waitFor();
  // Another visitor does not see them.
  const other = await visitor(browser);
  await other.goto(`${hall.url}/library`);
  await other.locator('.found li').first().waitFor();
  assert.equal(await other.locator('option', { hasText: 'Mine' }).count(), 0);
  page.on('dialog', (dialog) => void dialog.accept());
  await page.locator('.sets li', { hasText: 'Mine' }).getByRole('button').click();
  await page.waitForFunction(() => document.querySelectorAll('.sets li').length === 0);
  await farewell(page, other);
});

for (const [lang, screen, said, value] of [
  ['en', PHONE, /^\s*2 moves of the opening book taken in, 1 refused\.\s*$/, 'Book'],
  ['zh', WIDE, /^\s*开局库收入 2 条着法，拒收 1 条。\s*$/, '库'],
]) {
  test(`people bring opening books, and the explorer tells what they say (${lang})`, async () => {
    const say = SAY[lang];
    const page = await visitor(browser, { screen, lang });
    await signUp(hall, page, `Bookish ${lang}`);
    await page.goto(`${hall.url}/library`);
    await page.locator('.own input').first().fill('Books');
    await page.getByRole('button', { name: say.make, exact: true }).click();
    const own = page.locator('.sets li', { hasText: 'Books' });
    await own.waitFor();
    const book = new URL('../../crates/hall/tests/data/small.obk', import.meta.url).pathname;
    await page.locator('input[type=file]').setInputFiles(book);
    await until(() => page.locator('.own [role=status]').textContent(), said);
    assert.equal(await page.locator('.refused li').count(), 1, 'what no position leads to is told');
    await until(() => own.textContent(), lang === 'en' ? /opening book/ : /开局库/);
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `library-book-${lang}.png`), fullPage: true });
    await page.locator('.found li a').last().click();
    await page.locator('.explorer th', { hasText: value }).waitFor();
    await page.locator('.explorer tr', { hasText: '+30' }).first().waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `library-book-explorer-${lang}.png`), fullPage: true });
    await farewell(page);
  });
}

for (const [lang, screen] of [
  ['en', WIDE],
  ['zh', PHONE],
]) {
  test(`material finds the game in which it was left (${lang})`, async () => {
    if (lang === 'en') bringFile('taken.pgn', game('Wang', 'Chen', '1. H2-H9 I9-H9 2. H0-G2', '1-0'));
    const say = SAY[lang];
    const page = await visitor(browser, { screen, lang });
    await page.goto(`${hall.url}/library`);
    await page.locator('.wish select').first().selectOption('xiangqi');
    await page.getByLabel(say.pattern).check();
    await page.getByText(say.material, { exact: true }).click();
    const number = page.locator('.kinds label', { hasText: lang === 'en' ? /red cannon/i : /红.*炮/ }).locator('input');
    await number.fill('1');
    await page.getByRole('button', { name: say.search, exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.found li').length === 1);
    assert.match(await page.locator('.found li').textContent(), /Wang – Chen/);
    assert.deepEqual(await faultsOf(page), []);
    await page.screenshot({ path: join(PICTURES, `library-material-${lang}.png`), fullPage: true });
    await number.fill('3');
    await page.getByRole('button', { name: say.search, exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.found li').length === 0);
    // Any number will do again.
    await number.fill('');
    await page.getByRole('button', { name: say.search, exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll('.found li').length === 4);
    await farewell(page);
  });
}

test('beside a game from a position that was set up stands what was played from there', async () => {
  const fen = '3ak4/4a4/9/9/9/9/9/9/4A4/R3KA3 w - - 0 1';
  const from = (red, moves) => game(red, 'Sun', moves, '1-0').replace('[Format', `[FEN "${fen}"]\n[Format`);
  bringFile('ends.pgn', from('Zhao', '1. A0-A9 E8-F7 2. A9-A5') + from('Qian', '1. A0-A5'));
  const page = await visitor(browser);
  await page.goto(`${hall.url}/library`);
  await page.getByLabel(SAY.en.player, { exact: true }).fill('Zhao');
  await page.getByRole('button', { name: SAY.en.search, exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll('.found li').length === 1);
  await page.locator('.found li a').first().click();
  await until(() => page.locator('.explorer tbody tr').count(), 2);
  // Keys of the browser's own, such as the way back, step nowhere.
  await page.keyboard.press('End');
  for (const key of ['Alt+ArrowLeft', 'Control+ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await until(() => page.locator('.moves li:has([aria-current])').getAttribute('data-ply'), '2');
  await farewell(page);
});

test('collections that do not fit on a page come when they are asked for', async () => {
  // A hall that tells two collections at a time.
  const config = join(hall.data, 'two.toml');
  writeFileSync(config, '[limits]\nlibrary_lines = 2\n');
  const small = await openHall('--config', config);
  try {
    const file = join(small.data, 'cup.pgn');
    writeFileSync(file, game('Hu', 'Li', '1. H2-E2 H9-G7', '1-0'));
    const page = await visitor(browser);
    const names = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'];
    await signUp(small, page, 'Owner of many');
    for (const name of names) {
      const made = await page.evaluate(
        async ([name, content]) => {
          const ask = (path, body) =>
            fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((r) =>
              r.json(),
            );
          const { key } = await ask('/api/library', { name, access: 'public' });
          return ask(`/api/library/collections/${key}/games`, { name: 'cup.pgn', content: btoa(content) });
        },
        [name, game(name, 'Li', '1. H2-E2 H9-G7', '1-0')],
      );
      assert.equal(made.added, 1);
    }
    const other = await visitor(browser);
    await other.goto(`${small.url}/library`);
    const list = other.locator('.wish label', { hasText: 'Collection' }).locator('select');
    const shown = async () =>
      (await list.locator('option').allTextContents()).filter((text) => names.some((name) => text.startsWith(name))).length;
    await until(shown, 2);
    await other.screenshot({ path: join(PICTURES, 'library-more-collections.png') });
    for (const count of [4, 5]) {
      await other.getByRole('button', { name: 'More collections' }).click();
      await until(shown, count);
    }
    await until(() => other.getByRole('button', { name: 'More collections' }).count(), 0, 'there are no more');
    await list.selectOption({ label: 'Alpha (1)' });
    await other.getByRole('button', { name: SAY.en.search, exact: true }).click();
    await until(
      () =>
        other
          .locator('.found li')
          .allTextContents()
          .then((all) => all.join()),
      /^[^,]*Alpha – Li/,
    );
    assert.deepEqual(await faultsOf(other), []);
    await farewell(page, other);
  } finally {
    await small.close();
  }
});
