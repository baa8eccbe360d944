// The tools of the tests: a hall of its own for each test file, browsers, and a visitor's actions.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const here = import.meta.dirname;
export const binary = [process.env.QIGUAN_BIN, '../../target/release/qiguan', '../../target/debug/qiguan']
  .filter(Boolean)
  .map((p) => (p.startsWith('/') ? p : join(here, p)))
  .find(existsSync);

export const PICTURES = join(here, '../test-results');
mkdirSync(PICTURES, { recursive: true });

/** The longest wait for anything, in milliseconds; QIGUAN_PATIENCE multiplies it on a busy machine. */
const LIMIT_MS = 60_000 * Number(process.env.QIGUAN_PATIENCE ?? 1);
/** The factor by which pages are slowed down, to find tests that pass only on a quick machine. */
const SLOW = Number(process.env.QIGUAN_E2E_SLOW ?? 1);
const soon = (ms = 80) => new Promise((done) => setTimeout(done, ms));

export const WIDE = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/**
 * Returns the shapes, languages and themes for a walk through all places: each two of them meet somewhere, and with
 * QIGUAN_DEEP=1 all three. `phone` is the screen of the second shape.
 */
export function looks({ phone = PHONE, themes = ['light', 'dark', 'contrast'] } = {}) {
  const pairs = ['wide en light', 'wide zh dark', 'wide zh contrast', 'phone zh light', 'phone en dark', 'phone en contrast'];
  const found = [];
  for (const [shape, screen] of Object.entries({ wide: WIDE, phone }))
    for (const lang of ['en', 'zh'])
      for (const theme of themes)
        if (process.env.QIGUAN_DEEP || pairs.includes(`${shape} ${lang} ${theme}`)) found.push({ shape, screen, lang, theme });
  return found;
}

/** A hall and a browser for the tests of a file, gone when they are done. */
export async function openHouse() {
  const hall = await openHall();
  after(() => hall.close());
  const browser = await openBrowser();
  after(() => browser.close());
  return { hall, browser };
}

/**
 * Starts a hall, with further words; `again()` opens it again on the same port with the same data, with other words if
 * there are any.
 */
export async function openHall(...words) {
  assert.ok(binary, 'build the hall first: cargo build --release');
  const data = mkdtempSync(join(tmpdir(), 'qiguan-e2e-'));
  let child;
  let port = 0;
  function start() {
    const limits = words.includes('--limits') ? [] : ['--limits', 'off'];
    child = spawn(binary, ['serve', '--listen', `127.0.0.1:${port}`, '--data', data, ...limits, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const complaints = [];
    child.stderr.on('data', (d) => complaints.push(String(d)));
    return new Promise((resolve, reject) => {
      let said = '';
      child.stdout.on('data', (d) => {
        said += d;
        const found = /http:\/\/127\.0\.0\.1:(\d+)/.exec(said);
        if (found) resolve(Number(found[1]));
      });
      child.on('exit', (code) => reject(new Error(`the hall went away (${code}): ${said}${complaints.join('')}`)));
    });
  }
  const end = (signal) =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.on('exit', resolve);
      child.kill(signal);
    });
  port = await start();
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    /** The folder of its data. */
    data,
    kill: () => end('SIGKILL'),
    // Meanwhile another connection may have been given the port as its own; it is not for long.
    again: (...others) => {
      words = others.length > 0 ? others : words;
      return until(start, port, 'the hall opens again');
    },
    async close() {
      await end('SIGKILL');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/**
 * Opens a browser. `more` is for `launch`: Playwright turns some parts of a browser off, such as its back/forward
 * cache.
 */
export function openBrowser(more = {}) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    timeout: LIMIT_MS,
    ...more,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/**
 * Opens a page of a visitor with their own cookie, who has played that kind of gomoku before. Anything the browser
 * complains about, violations of the content policy above all, is in `page.complaints`; `farewell` fails if there was
 * any.
 */
export async function visitor(
  browser,
  { screen = WIDE, lang = 'en', theme = 'light', confirm = 'never', gomoku = 'standard', ...more } = {},
) {
  const context = await browser.newContext({ ...screen, locale: lang === 'zh' ? 'zh-CN' : 'en-GB', reducedMotion: 'reduce', ...more });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript(
    (kept) => localStorage.getItem('qiguan') ?? localStorage.setItem('qiguan', kept),
    JSON.stringify({ lang, theme, confirm, sound: false, variant: { gomoku: `gomoku/${gomoku}` } }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  if (SLOW > 1) await (await context.newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: SLOW });
  page.complaints = [];
  page.expected = [];
  page.on('console', (m) => m.type() === 'error' && page.complaints.push(`${m.text()} ${m.location().url}`));
  page.on('pageerror', (e) => page.complaints.push(String(e)));
  return page;
}

/** The worker's script, asked for just when a test ends the hall; the page asks for it again. */
const ALWAYS = /An unknown error occurred when fetching the script/;
export async function farewell(...pages) {
  for (const page of pages) {
    const left = page.complaints.filter((c) => ![ALWAYS, ...page.expected].some((e) => e.test(c)));
    assert.deepEqual(left, [], 'the browser complained');
    await page.context().close();
  }
}

export const cell = (page, name) => page.locator(`[role=gridcell][aria-label^="${name},"]`);
export const stoneAt = (page, name) => page.locator(`[role=gridcell][aria-label^="${name},"]`).getAttribute('aria-label');
export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const plies = async (page) => Number((await page.locator('.walk .count').textContent()).split('/')[1]);

/**
 * Waits until `ask` returns `wanted`, or a match of it; an `ask` that fails is repeated. All changes after a touch are
 * waited for like this. The absence of something says little: first wait for a sign that it could have been there.
 */
export async function until(ask, wanted, what = 'what is waited for') {
  const end = Date.now() + LIMIT_MS;
  let got;
  for (;;) {
    try {
      got = await ask();
      if (wanted instanceof RegExp ? wanted.test(got) : isDeepStrictEqual(got, wanted)) return;
    } catch (e) {
      got = String(e);
    }
    if (Date.now() > end) break;
    await soon();
  }
  assert.fail(`${what}: ${JSON.stringify(got)} instead of ${wanted instanceof RegExp ? wanted : JSON.stringify(wanted)}`);
}

/** Watches the page from now on; the returned function tells if `selector` was shown, however shortly. */
export async function witness(page, selector) {
  await page.evaluate((what) => {
    const seen = (window.seen ??= {});
    const look = () => (seen[what] ||= document.querySelector(what) !== null);
    seen[what] = false;
    look();
    new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
  }, selector);
  return () => page.evaluate((what) => window.seen[what], selector);
}

/** Returns the box of an element, once it stands still. */
export async function resting(thing) {
  let last;
  await until(
    async () => {
      const before = last;
      last = await thing.boundingBox();
      return last !== null && isDeepStrictEqual(before, last);
    },
    true,
    'it stands still',
  );
  return last;
}

/** Chooses a radio button or a switch, which its picture covers. */
export const pick = (box) => until(() => box.check({ force: true }).then(() => box.isChecked()), true, 'it is chosen');
export const radio = (page, name) => pick(page.getByRole('radio', { name, exact: true }));

/**
 * Closes a panel over the page, and waits until it is gone, so that the next one does not open while this one closes.
 */
export async function shut(page) {
  await page.locator('dialog[open]').first().waitFor();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
}

/** Waits until the page may move: the opponent's move has come, and its own is stored. The title has a dot then. */
export const toMove = (page) => until(() => page.title(), /^●/, 'the page is to move');

/** Plays by touching one cell, or those of a move in turn; waits until the hall has the move. */
export async function put(page, ...places) {
  await toMove(page);
  const before = await plies(page);
  for (const place of places) await cell(page, place).click();
  await until(async () => (await plies(page)) > before, true, `${places.join('-')} is played`);
}

/**
 * Opens the options of a family in the hall, chooses its game and how to play, and starts. `family` is the name of the
 * card where the game's name does not begin with it; `opening` begins the name of one, `more` are numbers by their
 * labels.
 */
export async function begin(page, url, game, { how = 'Invite', side, clock, quick, family, opening, more = {} } = {}) {
  await page.goto(url);
  await page
    .locator('.card', { has: page.getByRole('heading', { name: family ?? game.split(',')[0], exact: true }) })
    .locator('.options')
    .click();
  if (game.includes(',') || family) {
    await page.locator('.variants summary').click();
    await page.locator('.variants label', { has: page.getByText(game, { exact: true }) }).click();
  }
  await radio(page, how);
  if (clock) await radio(page, clock);
  if (quick) await button(page, quick).click();
  if (side) await radio(page, side);
  if (opening) {
    const choice = page.locator('.new-game label', { has: page.getByText('Opening', { exact: true }) }).locator('select');
    await choice.selectOption(await choice.locator('option', { hasText: opening }).first().getAttribute('value'));
  }
  if (Object.keys(more).length > 0) await page.locator('.new-game details:not(.variants) summary').click();
  for (const [label, value] of Object.entries(more)) await page.getByLabel(label).fill(String(value));
  await page.locator('.new-game button.primary').click();
  await page.waitForURL(/\/t\//);
  await page.waitForSelector('[role=grid]');
}

/** Opens a table for two: the player who opened it has the first side. */
export async function pair(a, b, url, game, options = {}) {
  await begin(a, url, game, { side: 'Black', ...options });
  const link = await a.locator('.share input').inputValue();
  await b.goto(link);
  await b.locator('button.sit').click();
  await a.locator('main.waiting').waitFor({ state: 'detached' });
  await b.locator('.sit').waitFor({ state: 'detached' });
  return link;
}

/** Opens the visitor's panel in the frame. */
export async function account(page) {
  await page.locator('.who').click();
  return page.locator('.holds .panel');
}

/** Opens the settings from the frame. */
export async function openSettings(page) {
  const panel = await account(page);
  await panel.getByRole('button', { name: /^(Settings|设置)$/ }).click();
  await page.locator('dialog[open]').waitFor();
}

/** Marks the page, so that a reload would be noticed. */
export const mark = (page) => page.evaluate(() => (window.unreloaded = true));
export const unreloaded = (page) => page.evaluate(() => window.unreloaded === true);

/** Returns the violations that axe finds on the page, in words. */
export async function axe(page, what) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map(
    (v) =>
      `${what}: ${v.id}: ${v.nodes
        .slice(0, 3)
        .map((n) => `${n.target} ${n.failureSummary}`)
        .join(' | ')}`,
  );
}

/**
 * Returns the faults in the look of a place, in words: those that axe finds, parts that stick out of the screen, keys
 * without a text. Parts that are still loading are waited for, so that only lasting faults count.
 */
export async function faultsOf(page, place) {
  const find = async () => {
    const faults = await axe(page, place);
    // A phone widens its window for parts that stick out, so the width is measured against the screen.
    const out = await page.evaluate((w) => document.documentElement.scrollWidth - w, page.viewportSize().width);
    if (out > 0) faults.push(`${place}: ${out} pixels stick out`);
    const raw = await page.evaluate((keys) => {
      const names = [...document.querySelectorAll('[aria-label], [title]')].map((e) => `${e.getAttribute('aria-label')} ${e.title}`);
      return `${document.title} ${document.body.innerText} ${names.join(' ')}`.match(new RegExp(keys, 'g'));
    }, KEYS.source);
    if (raw) faults.push(`${place}: nobody wrote ${raw.join(', ')}`);
    return faults;
  };
  let faults = await find();
  for (const end = Date.now() + LIMIT_MS / 4; faults.length > 0 && Date.now() < end; faults = await find()) await soon(500);
  return faults;
}
const KEYS =
  /\b(game|family|side|piece|reason|prompt|button|problem|option|rules|format|mark|clock|how|counter|note|caption|ruling|ply|notation|lesson|about|heading|set-up|faces|variants|detail|place|section|tool|kind|map|maps|switch|attribute)-[a-z-]+/;

/** Makes an account of that name for the visitor of `page`, as a program would; the page stays at the sign-in. */
export async function signUp(hall, page, name) {
  await page.goto(`${hall.url}/account/sign-in`);
  const status = await page.evaluate(
    ([name, password]) =>
      fetch('/api/account', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, password }),
      }).then((answer) => answer.status),
    [name, `${name} plays 7 games`],
  );
  assert.equal(status, 201);
}

/** Sends a request to the hall as the page would. */
export const ask = (page, path, body) =>
  page.evaluate(
    async ([path, body]) => {
      const how = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const answer = await fetch(path, body === undefined ? {} : how);
      return answer.status === 204 ? null : answer.json();
    },
    [path, body],
  );
