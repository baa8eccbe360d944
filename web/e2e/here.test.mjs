// Presence: a challenge begins wherever both players are, a bell on every page, a page that is put aside, a game that
// neither player begins.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ask,
  button,
  faultsOf,
  mark,
  openBrowser,
  openHouse,
  PHONE,
  PICTURES,
  put,
  signUp,
  stoneAt,
  unreloaded,
  until,
  visitor,
  WIDE,
} from './house.mjs';

const { hall, browser } = await openHouse();

async function account(name, options, within = browser) {
  const page = await visitor(within, { gomoku: 'freestyle', ...options });
  await signUp(hall, page, name);
  return page;
}

const BLITZ = { game: 'gomoku/freestyle', clock: { kind: 'fischer', base_ms: 300_000, increment_ms: 3000 } };

for (const [shape, screen, lang, words] of [
  ['wide', WIDE, 'en', { accept: 'Accept', bell: /waits? for you/ }],
  ['phone', PHONE, 'zh', { accept: '接受', bell: /等着你/ }],
]) {
  test(`${shape}, ${lang}: a challenge with a clock begins though both are on other pages than the lobby`, async () => {
    const names = [`Ada ${shape}`, `Bea ${shape}`];
    const a = await account(names[0], { screen, lang });
    const b = await account(names[1], { screen, lang });
    await b.goto(`${hall.url}/puzzles`);
    await a.goto(`${hall.url}/@/${encodeURIComponent(names[1])}`);
    await a.locator('.company').waitFor();
    // The bell rings on the page where the challenged player is, and the challenger need not be in the lobby.
    await until(async () => {
      await ask(a, `/api/challenge/${encodeURIComponent(names[1])}`, BLITZ);
      return b.locator('button.bell.rings').count();
    }, 1);
    assert.match(await b.locator('button.bell').getAttribute('aria-label'), words.bell);
    await b.locator('button.bell').focus();
    await b.keyboard.press('Enter');
    const list = b.locator('dialog[open] li');
    await list.first().waitFor();
    await b.screenshot({ path: `${PICTURES}/bell-${shape}-${lang}.png` });
    assert.deepEqual(await faultsOf(b, 'bell'), []);
    await button(b, words.accept).first().click();
    await Promise.all([a, b].map((page) => page.waitForURL(/\/t\//)));
    assert.equal(new URL(a.url()).pathname, new URL(b.url()).pathname, 'one table for both');
    await Promise.all([a, b].map((page) => page.locator('.strip [role=timer]').first().waitFor()));
    await a.screenshot({ path: `${PICTURES}/first-move-${shape}-${lang}.png` });
    await Promise.all([a.close(), b.close()]);
  });
}

/** Opens a table of two accounts: the first one's page and the other's. */
async function atTable(a, b, clock = BLITZ.clock) {
  const { id } = await ask(a, '/api/tables', { ...BLITZ, clock, how: 'open', side: 'first', options: { size: 15 } });
  for (const page of [a, b]) {
    await page.goto(`${hall.url}/t/${id}`);
    await page.locator('[role=grid]').waitFor();
  }
  await b.locator('button.sit').click();
  await b.locator('.sit').waitFor({ state: 'detached' });
  return id;
}
const presence = (page) => () => page.locator('.strip.far .dot.here').count();

test('a page in the cache of the back button is away, and one that is taken out of it goes on', async () => {
  const real = await openBrowser({ ignoreDefaultArgs: ['--disable-back-forward-cache'] });
  try {
    const a = await account('Cay', { screen: WIDE, lang: 'en' }, real);
    const b = await account('Dea', { screen: WIDE, lang: 'en' });
    await atTable(a, b);
    await until(presence(b), 1, 'the other is there');
    await mark(a);
    await a.evaluate(() => addEventListener('pageshow', (event) => (window.persisted = event.persisted)));
    // Another document of the same site: one of another site would be another process.
    await a.evaluate((to) => (location.href = to), `${hall.url}/rules/gomoku`);
    await until(presence(b), 0, 'and has gone at once, long before a silence tells');
    await a.evaluate(() => history.back()).catch(() => undefined);
    await until(() => a.evaluate(() => window.persisted ?? null), true, 'the page was kept');
    assert.ok(await unreloaded(a));
    await until(presence(b), 1, 'and is back');
    await put(a, 'h8');
    await until(() => stoneAt(b, 'h8'), /black/i, 'a move goes out');
    await put(b, 'h9');
    await until(() => stoneAt(a, 'h9'), /white/i, 'and one comes in');
    await Promise.all([a.close(), b.close()]);
  } finally {
    await real.close();
  }
});

test('a page that the browser freezes closes each kind of connection, and goes on when it is used again', async () => {
  const a = await account('Kim', { screen: WIDE, lang: 'en' });
  const b = await account('Lou', { screen: WIDE, lang: 'en' });
  const closed = [];
  a.on('websocket', (socket) => socket.on('close', () => closed.push(new URL(socket.url()).pathname)));
  // A browser freezes only pages that are out of sight, and here every page is in sight: its events are made by hand.
  const told = (kind) => a.evaluate((kind) => document.dispatchEvent(new Event(kind)), kind);
  await atTable(a, b);
  await told('freeze');
  await until(() => closed.includes('/ws'), true);
  await told('resume');
  await until(presence(b), 1, 'it is back');
  await put(a, 'h8');
  await until(() => stoneAt(b, 'h8'), /black/i);
  for (const [path, place, ready] of [
    ['/ws/lobby', '/', '.card'],
    ['/ws/here', '/puzzles', '.bell'],
  ]) {
    await a.goto(`${hall.url}${place}`);
    await a.locator(ready).first().waitFor();
    await until(async () => {
      await told('freeze');
      return closed.includes(path);
    }, true);
    await told('resume');
    await until(async () => {
      await ask(b, '/api/challenge/Kim', BLITZ);
      return a.locator('button.bell.rings').count();
    }, 1);
    for (const { id } of (await ask(a, '/api/challenges')).received) await ask(a, `/api/challenge/${id}/decline`, { reason: 'later' });
  }
  await Promise.all([a.close(), b.close()]);
});

test('a page that is hidden is here, and says so on each kind of connection', async () => {
  const a = await account('Eli', { screen: WIDE, lang: 'en' });
  const b = await account('Fay', { screen: WIDE, lang: 'en' });
  const said = [];
  a.on('websocket', (socket) => {
    const path = new URL(socket.url()).pathname;
    socket.on('framesent', ({ payload }) => String(payload).includes('"hidden"') && said.push(`${path} ${payload}`));
  });
  const see = (hidden) =>
    a.evaluate((hidden) => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => (hidden ? 'hidden' : 'visible') });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await atTable(a, b);
  await until(presence(b), 1);
  for (const [path, place, ready] of [
    ['/ws', null, null],
    ['/ws/lobby', '/', '.card'],
    ['/ws/here', '/puzzles', '.bell'],
  ]) {
    if (place) {
      await a.goto(`${hall.url}${place}`);
      await a.locator(ready).first().waitFor();
    }
    for (const hidden of [true, false]) {
      await until(async () => {
        await see(hidden);
        return said.includes(`${path} {"t":"hidden","hidden":${hidden}}`);
      }, true);
      if (path === '/ws') assert.equal(await presence(b)(), 1, 'it is here all the same');
    }
  }
  // The page stays connected all the same.
  await ask(b, `/api/challenge/Eli`, BLITZ);
  await until(() => a.locator('button.bell.rings').count(), 1);
  await Promise.all([a.close(), b.close()]);
});

for (const [shape, screen, lang, words] of [
  ['wide', WIDE, 'en', { claim: 'Claim the win', won: /You win.*the other player left/s }],
  ['phone', PHONE, 'zh', { claim: '判胜', won: /你赢了.*对方离开了对局/s }],
]) {
  test(`${shape}, ${lang}: the win is claimed when the other has left while it is their move`, async () => {
    const a = await account(`Gus ${shape}`, { screen, lang });
    const b = await account(`Hal ${shape}`, { screen, lang });
    await atTable(a, b, { kind: 'fischer', base_ms: 60_000, increment_ms: 0 });
    await put(a, 'h8');
    await put(b, 'h9');
    await put(a, 'i8');
    await until(() => stoneAt(b, 'i8'), /./);
    const id = new URL(a.url()).pathname.split('/').at(-1);
    await b.close();
    const claim = button(a, words.claim);
    await claim.waitFor();
    assert.ok(await claim.isDisabled(), 'they may come back');
    await a.screenshot({ path: `${PICTURES}/claim-${shape}-${lang}.png` });
    assert.deepEqual(await faultsOf(a, 'claim'), []);
    // A game of a minute is left after 20 seconds.
    await until(() => claim.isEnabled(), true, 'the time is up');
    await claim.click();
    await until(() => a.locator('main.over').count(), 1, 'the game is over');
    await until(() => a.locator('.notices').textContent(), words.won);
    await a.screenshot({ path: `${PICTURES}/claimed-${shape}-${lang}.png` });
    const { end } = await ask(a, `/api/tables/${id}`);
    assert.deepEqual([end.winner, end.reason], ['first', 'left']);
    await a.close();
  });
}
