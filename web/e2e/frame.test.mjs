// The frame on every page: a guest's walk by thumb, the keyboard through the bar, a challenge and a search that reach people wherever
// they are, addresses of games, and boards that stay where they are.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  button,
  cell,
  farewell,
  faultsOf,
  looks,
  mark,
  openHouse,
  PHONE,
  PICTURES,
  resting,
  shut,
  signUp,
  unreloaded,
  until,
  visitor,
  WIDE,
} from './house.mjs';

const { hall, browser } = await openHouse();
const path = (page) => decodeURIComponent(new URL(page.url()).pathname);
const SIDE = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };
const TALL = { ...PHONE, viewport: { width: 390, height: 844 } };

/** Looks for an opponent from a game's page, with one click. */
async function seek(page, game = 'renju', time = '10+5') {
  await page.goto(`${hall.url}/${game}`);
  await page.locator('.times button', { hasText: time }).click();
  await page.locator('.seeking').first().waitFor();
}

test('a guest on a phone walks through the hall by thumb, and nowhere is a dead end', async () => {
  const a = await visitor(browser, { screen: TALL });
  a.expected = [/403 .*\/api\/relations/];
  await a.goto(hall.url);
  await mark(a);
  const foot = a.locator('.foot');
  for (const [word, where] of [
    ['Puzzles', /^\/puzzles/],
    ['Learn', /^\/learn$/],
    ['Watch', /^\/watch$/],
    ['Play', /^\/$/],
  ]) {
    await foot.getByRole('link', { name: word, exact: true }).click();
    await until(() => path(a), where);
    await until(() => foot.locator('[aria-current]').textContent(), word);
    await a.locator('#content h1').first().waitFor();
    const box = await foot.getByRole('link', { name: word, exact: true }).boundingBox();
    assert.ok(box.height >= 44, `${word} is ${box.height} high`);
  }
  const HEADS = {
    Library: /Library/,
    Make: /Make/,
    People: /People/,
    Studies: /Studies/,
    'All games': /All games/,
    'My slow games': /Slow games/,
    Maps: /Maps/,
  };
  for (const word of Object.keys(HEADS)) {
    await foot.getByRole('button', { name: 'More' }).click();
    await a.locator('dialog[open]').getByRole('link', { name: word, exact: true }).click();
    await until(() => a.locator('dialog').count(), 0, `${word} closes the sheet`);
    await until(() => a.locator('#content h1').first().textContent(), HEADS[word], word);
  }
  // From the list of all games to a board against the program.
  await foot.getByRole('button', { name: 'More' }).click();
  await a.locator('dialog[open]').getByRole('link', { name: 'All games' }).click();
  await a.getByRole('searchbox', { name: 'Name of a game' }).fill('dama');
  await until(
    () =>
      a
        .locator('.tiles b')
        .count()
        .then((n) => n < 8),
    true,
    'the list is filtered',
  );
  await a.getByRole('link', { name: /Turkish draughts/ }).click();
  await until(() => path(a), '/turkish');
  await a.locator('.way.primary').click();
  await a.locator('main.table [role=grid]').waitFor();
  // A table on a phone is calm: no frame, but a way out.
  assert.equal(await a.locator('.foot, .bar, .rail').count(), 0);
  await a.locator('.strip .home').click();
  await until(() => path(a), '/');
  assert.ok(await unreloaded(a));
  await farewell(a);
});

test('every link of the frame, and under it, leads to a page', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/games`);
  await a.locator('.tiles a').nth(20).waitFor();
  for (const word of ['Play', 'Library', 'Make']) {
    await a.locator('.words').getByRole('link', { name: word, exact: true }).hover();
    await a.getByRole('list', { name: word, exact: true }).waitFor();
  }
  const links = new Set();
  for (const place of ['games', 'learn', 'make', 'watch', 'renju', '']) {
    await a.goto(`${hall.url}/${place}`);
    await a.locator('h1').first().waitFor();
    await a.waitForLoadState('networkidle');
    for (const href of await a.locator('a[href^="/"]').evaluateAll((all) => all.map((one) => one.getAttribute('href')))) links.add(href);
  }
  assert.ok(links.size > 40, `${links.size} links`);
  for (const href of links) assert.equal((await fetch(hall.url + href)).status, 200, href);
  await farewell(a);
});

test('the keyboard goes through the bar, and letters through the hall', async () => {
  const a = await visitor(browser);
  await a.goto(`${hall.url}/learn`);
  await a.locator('.cards').waitFor();
  const focus = () => a.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label'));
  await a.keyboard.press('Tab');
  await until(focus, 'To the content');
  await a.keyboard.press('Enter');
  await until(() => a.evaluate(() => document.activeElement?.id), 'content');
  await a.keyboard.press('Tab');
  await until(() => a.evaluate(() => document.activeElement?.closest('main') !== null), true, 'the content comes next');
  // Along the bar.
  await a.locator('.skip').focus();
  const seen = [];
  for (let i = 0; i < 9; i += 1) {
    await a.keyboard.press('Tab');
    seen.push(await focus());
  }
  assert.deepEqual(seen.slice(1, 8), ['Play', 'Puzzles', 'Learn', 'Watch', 'Library', 'Make', 'People']);
  // A panel under a word.
  await a.locator('.words').getByRole('link', { name: 'Play', exact: true }).focus();
  await a.keyboard.press('ArrowDown');
  await until(focus, 'All games');
  await a.keyboard.press('ArrowDown');
  await until(focus, 'My slow games');
  await a.keyboard.press('Escape');
  await until(focus, 'Play');
  assert.equal(await a.locator('.words ul').count(), 0);
  // Search, by another name of the game.
  await a.keyboard.press('/');
  await a.getByRole('combobox').fill('shashki');
  await until(() => a.getByRole('option').first().textContent(), /Russian draughts/);
  await a.keyboard.press('Enter');
  await until(() => path(a), '/russian');
  await a.keyboard.press('g');
  await a.keyboard.press('w');
  await until(() => path(a), '/watch');
  await a.keyboard.press('n');
  await a.locator('dialog[open]').waitFor();
  await shut(a);
  await a.keyboard.press('?');
  const letters = a.locator('dialog[open]').getByRole('switch');
  await letters.uncheck({ force: true });
  await shut(a);
  await a.keyboard.press('g');
  await a.keyboard.press('l');
  await a.keyboard.press('Control+k');
  await a.getByRole('combobox').waitFor();
  assert.equal(path(a), '/watch', 'the letters are off');
  await a.getByRole('combobox').fill('no such thing at all');
  await until(() => a.getByRole('option').count(), 2, 'a person and a room');
  await shut(a);
  await farewell(a);
});

test('at a table letters are moves, and the first Tab after the skip link is the board', async () => {
  const a = await visitor(browser);
  await a.goto(hall.url);
  const { id } = await ask(a, '/api/tables', { game: 'gomoku/standard', how: 'screen', clock: { kind: 'none' } });
  await a.goto(`${hall.url}/t/${id}`);
  await a.locator('[role=grid]').waitFor();
  await a.locator('.rail').waitFor();
  await a.locator('.skip').focus();
  await a.keyboard.press('Tab');
  await until(() => a.evaluate(() => document.activeElement?.getAttribute('role')), 'gridcell');
  await a
    .locator('h1')
    .first()
    .evaluate(() => document.activeElement?.blur());
  await a.keyboard.press('g');
  await a.locator('#typed').waitFor();
  assert.equal(path(a), `/t/${id}`);
  await farewell(a);
});

for (const [shape, screen, lang, words] of [
  ['wide', WIDE, 'en', { accept: 'Accept', who: /Carol wide/ }],
  ['phone', PHONE, 'zh', { accept: '接受', who: /Carol phone/ }],
]) {
  test(`${shape}, ${lang}: a regular is challenged in the library, and accepts there`, async () => {
    const a = await visitor(browser, { screen, lang });
    const b = await visitor(browser, { screen, lang });
    await signUp(hall, a, `Carol ${shape}`);
    await signUp(hall, b, `Dave ${shape}`);
    await b.goto(`${hall.url}/library`);
    await b.locator('h1').waitFor();
    await a.goto(`${hall.url}/games`);
    await a.locator('h1').waitFor();
    const clock = { kind: 'fischer', base_ms: 300_000, increment_ms: 3000 };
    await until(async () => {
      await ask(a, `/api/challenge/${encodeURIComponent(`Dave ${shape}`)}`, { game: 'gomoku/renju', clock });
      return b.locator('.news').count();
    }, 1);
    await until(() => b.locator('.news').textContent(), words.who);
    assert.deepEqual(await faultsOf(b, 'news'), []);
    await b.screenshot({ path: `${PICTURES}/news-${shape}-${lang}.png` });
    await b.locator('.news').getByRole('button', { name: words.accept, exact: true }).click();
    await Promise.all([a, b].map((page) => page.waitForURL(/\/t\//)));
    assert.equal(path(a), path(b), 'one table for both, wherever they stood');
    await farewell(a, b);
  });
}

test('a search goes on while one looks around, and moves no board', async () => {
  for (const screen of [WIDE, TALL, SIDE]) {
    const a = await visitor(browser, { screen });
    await a.goto(hall.url);
    const { id } = await ask(a, '/api/tables', { game: 'gomoku/standard', how: 'screen', clock: { kind: 'none' } });
    for (const place of [`/t/${id}`, '/puzzles']) {
      await seek(a, 'caro');
      await a.evaluate((to) => {
        const link = document.body.appendChild(document.createElement('a'));
        link.href = to;
        link.click();
        link.remove();
      }, place);
      const board = a.locator('#content [role=grid]').first();
      await board.waitFor();
      await a.locator('.seeking').first().waitFor();
      const looking = await resting(board);
      await button(a, 'Stop looking').click();
      await a.locator('.seeking').waitFor({ state: 'detached' });
      assert.deepEqual(await resting(board), looking, `${place} at ${screen.viewport.width}`);
    }
    await farewell(a);
  }
});

test('two who look find each other from other pages; after a while the program is offered, and the search goes on', async () => {
  const [a, b] = [await visitor(browser), await visitor(browser)];
  // The hall says that they have waited for long.
  await a.route('**/api/pool', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const answer = await route.fetch();
    const told = await answer.json();
    await route.fulfill({ response: answer, json: told.table ? told : { ...told, waited_ms: 16_000 } });
  });
  await seek(a);
  assert.match(await a.locator('.seeking').textContent(), /Renju 10\+5/);
  await a.locator('.words').getByRole('link', { name: 'Library' }).click();
  await a.locator('.seeking').getByRole('button', { name: 'Play our program' }).click();
  await a.waitForURL(/\/t\//);
  await a.locator('main.table [role=grid]').waitFor();
  const first = path(a);
  // The second one is answered at once: no search is seen.
  await b.goto(`${hall.url}/renju`);
  await b.locator('.times button', { hasText: '10+5' }).click();
  await b.waitForURL(/\/t\//);
  await until(() => path(a), path(b), 'who plays the program is taken to the person');
  assert.notEqual(path(a), first);
  await farewell(a, b);
});

test('a game has one page, whatever it is called, and old links go on', async () => {
  const a = await visitor(browser);
  // A guest has no relations.
  a.expected = [/404/, /403 .*\/api\/relations/];
  for (const [from, to, heading] of [
    ['/checkers', '/checkers', 'Checkers'],
    ['/english', '/checkers', 'Checkers'],
    ['/Dama', '/turkish', 'Turkish draughts'],
    ['/五子棋', '/gomoku', 'Gomoku'],
    ['/jingbanqi', '/jingbanqi', 'Jingbanqi'],
  ]) {
    await a.goto(hall.url + from);
    await until(() => a.locator('h1').textContent(), heading, from);
    await until(() => path(a), to);
    await until(() => a.title(), new RegExp(heading));
  }
  await a.goto(`${hall.url}/nosuchgame`);
  await a.getByRole('link', { name: 'All games' }).last().waitFor();
  for (const old of ['rules/gomoku', 'inbox', 'maps', 'workshop', 'library', 'puzzles', 'studies', 'people', 'account/sign-in']) {
    await a.goto(`${hall.url}/${old}`);
    await a.locator('#content h1').first().waitFor();
  }
  await a.goto(`${hall.url}/watch?game=renju`);
  await until(() => a.locator('.none').textContent(), /Nobody is playing Renju/);
  await farewell(a);
});

test('a running game is watched by its game, and the filter is in the address', async () => {
  const [a, b, c] = [await visitor(browser), await visitor(browser), await visitor(browser)];
  await a.goto(hall.url);
  const { id } = await ask(a, '/api/tables', { game: 'gomoku/renju', how: 'open', clock: { kind: 'none' }, side: 'first' });
  await a.goto(`${hall.url}/t/${id}`);
  await a.locator('[role=grid]').waitFor();
  await b.goto(`${hall.url}/renju`);
  await b.locator('.line', { hasText: 'Sit down' }).click();
  await button(b, 'Sit down and play').click();
  await a.locator('main.waiting').waitFor({ state: 'detached' });
  await cell(a, 'h8').click();
  await c.goto(`${hall.url}/watch`);
  await c.locator('.chips').getByRole('link', { name: 'Renju' }).click();
  await until(() => new URL(c.url()).search, '?game=renju');
  await c.goBack();
  await until(() => new URL(c.url()).search, '');
  await c.locator(`section .line[href="/t/${id}"]`).click();
  await c.locator('[role=grid]').waitFor();
  await farewell(a, b, c);
});

for (const { shape, screen, lang, theme } of looks({ phone: TALL })) {
  test(`${shape}, ${lang}, ${theme}: each new page is for everybody`, async () => {
    const a = await visitor(browser, { screen, lang, theme });
    const faults = [];
    for (const place of ['', 'games', 'renju', 'xiangqi', 'jingbanqi', 'learn', 'watch', 'make']) {
      await a.goto(`${hall.url}/${place}`);
      await a.locator('#content h1').first().waitFor();
      await a.waitForLoadState('networkidle');
      faults.push(...(await faultsOf(a, place || 'home')));
      await a.screenshot({ path: `${PICTURES}/frame-${place || 'home'}-${shape}-${lang}-${theme}.png` });
    }
    if (shape === 'phone') {
      await a.locator('.foot button').click();
      await a.locator('dialog[open]').waitFor();
      faults.push(...(await faultsOf(a, 'more')));
      await a.screenshot({ path: `${PICTURES}/frame-more-${shape}-${lang}-${theme}.png` });
      await shut(a);
    } else {
      await a.locator('.words a').first().hover();
      await a.locator('.words ul').waitFor();
      faults.push(...(await faultsOf(a, 'under')));
    }
    await a.locator('.bar .who').click();
    await a.locator('.bar .panel').waitFor();
    faults.push(...(await faultsOf(a, 'account')));
    await a.screenshot({ path: `${PICTURES}/frame-account-${shape}-${lang}-${theme}.png` });
    await a.keyboard.press('Escape');
    await a.keyboard.press('Control+k');
    await a.getByRole('combobox').fill('da');
    await a.getByRole('option').first().waitFor();
    faults.push(...(await faultsOf(a, 'search')));
    await a.screenshot({ path: `${PICTURES}/frame-search-${shape}-${lang}-${theme}.png` });
    assert.deepEqual(faults, []);
    await farewell(a);
  });
}
