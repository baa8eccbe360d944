// A hall of its own for each test file, browsers, and the hands of a visitor.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

/** How many times longer to wait than on a machine of one's own; for those that are shared. */
const PATIENCE = Number(process.env.QIGUAN_PATIENCE ?? 1);

export const WIDE = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 360, height: 640 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

/** Starts a hall, with further words; `again()` opens it anew on the same port with the same data. */
export async function openHall(...words) {
  assert.ok(binary, 'build the hall first: cargo build --release');
  const data = mkdtempSync(join(tmpdir(), 'qiguan-e2e-'));
  let child;
  let port = 0;
  async function start() {
    child = spawn(binary, ['serve', '--listen', `127.0.0.1:${port}`, '--data', data, '--limits', 'off', ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const complaints = [];
    child.stderr.on('data', (d) => complaints.push(String(d)));
    port = await new Promise((resolve, reject) => {
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
  await start();
  return {
    get url() {
      return `http://127.0.0.1:${port}`;
    },
    kill: () => end('SIGKILL'),
    again: start,
    async close() {
      await end('SIGKILL');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync',
    ],
  });
}

/**
 * A visitor with their own cookie, who has played that kind of gomoku before. Anything the browser complains about, broken promises of the content policy above
 * all, is in `page.complaints`; `farewell` fails when there was any.
 */
export async function visitor(browser, { screen = WIDE, lang = 'en', theme = 'light', confirm = 'never', gomoku = 'standard', ...more } = {}) {
  const context = await browser.newContext({ ...screen, locale: lang === 'zh' ? 'zh-CN' : 'en-GB', reducedMotion: 'reduce', ...more });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await context.addInitScript(
    (kept) => localStorage.getItem('qiguan') ?? localStorage.setItem('qiguan', kept),
    JSON.stringify({ lang, theme, confirm, sound: false, variant: { gomoku: `gomoku/${gomoku}` } }),
  );
  const page = await context.newPage();
  page.setDefaultTimeout(15_000 * PATIENCE);
  page.complaints = [];
  page.expected = [];
  page.on('console', (m) => m.type() === 'error' && page.complaints.push(`${m.text()} ${m.location().url}`));
  page.on('pageerror', (e) => page.complaints.push(String(e)));
  return page;
}

export async function farewell(...pages) {
  for (const page of pages) {
    const left = page.complaints.filter((c) => !page.expected.some((e) => e.test(c)));
    assert.deepEqual(left, [], 'the browser complained');
    await page.context().close();
  }
}

export const cell = (page, name) => page.locator(`[role=gridcell][aria-label^="${name},"]`);
export const stoneAt = (page, name) => page.locator(`[role=gridcell][aria-label^="${name},"]`).getAttribute('aria-label');
export const button = (page, name) => page.getByRole('button', { name, exact: true });
export const plies = async (page) => Number((await page.locator('.walk .count').textContent()).split('/')[1]);

/** Waits until `ask` answers `wanted`. */
export async function until(ask, wanted, what) {
  let got;
  for (let i = 0; i < 150 * PATIENCE; i += 1) {
    got = await ask();
    if (wanted instanceof RegExp ? wanted.test(got) : got === wanted) return;
    await new Promise((r) => setTimeout(r, 80));
  }
  assert.fail(`${what}: ${JSON.stringify(got)} instead of ${wanted}`);
}

/** Touches a point and waits until the hall has the stone. */
export async function put(page, name) {
  const before = await plies(page);
  await cell(page, name).click();
  await until(() => plies(page), before + 1, `${name} is played`);
}

/**
 * From the hall: opens the options of a family, chooses its game and how to play, and starts. `family` is what the
 * card is called where the game's name does not begin with it; `opening` begins the name of one, `more` are numbers
 * by their labels.
 */
export async function begin(page, url, game, { how = 'Invite', side, clock, family, opening, more = {} } = {}) {
  await page.goto(url);
  await page.locator('.card', { has: page.getByRole('heading', { name: family ?? game.split(',')[0], exact: true }) }).locator('.options').click();
  if (game.includes(',') || family) {
    await page.locator('.variants summary').click();
    await page.locator('.variants label', { has: page.getByText(game, { exact: true }) }).click();
  }
  await page.getByRole('radio', { name: how, exact: true }).check({ force: true });
  if (clock) await page.getByRole('radio', { name: clock, exact: true }).check({ force: true });
  if (side) await page.getByRole('radio', { name: side, exact: true }).check({ force: true });
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

/** A table for two: who opened it has the first side. */
export async function pair(a, b, url, game, options = {}) {
  await begin(a, url, game, { side: 'Black', ...options });
  const link = await a.locator('.share input').inputValue();
  await b.goto(link);
  await b.locator('button.sit').click();
  await a.locator('main.waiting').waitFor({ state: 'detached' });
  await b.locator('.sit').waitFor({ state: 'detached' });
  return link;
}

/** Marks the page, so that a reload would be noticed. */
export const mark = (page) => page.evaluate(() => (window.unreloaded = true));
export const unreloaded = (page) => page.evaluate(() => window.unreloaded === true);

/** What axe finds wrong with the page, in words. */
export async function axe(page, what) {
  await page.evaluate(AXE);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.map((v) => `${what}: ${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.target} ${n.failureSummary}`).join(' | ')}`);
}
