// The computed styles of every element on every kind of page, to compare a page before and after its styles moved:
// node e2e/styles.mjs DIST FILE writes those of a built page into FILE; node e2e/styles.mjs --compare BEFORE AFTER tells what differs.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser, openHall, signUp, visitor } from './house.mjs';

/** The properties that follow from others, are named after the component, or are only read by other properties. */
const DERIVED = /^(--.*|animation-name|perspective-origin|transform-origin|(min-|max-)?(inline|block)-size|.*-(inline|block)(-.*)?)$/;
const SCREENS = {
  '1280x800': { width: 1280, height: 800 },
  '390x844': { width: 390, height: 844 },
  '844x390': { width: 844, height: 390 },
  '640x400': { width: 640, height: 400 },
};
const MATE = { game: 'xiangqi', fen: '4k4/R8/1R7/9/9/9/9/9/9/3K5 w' };
const click = (name) => async (page) => {
  await page.getByRole('button', { name, exact: true }).first().click({ timeout: 4000 });
};
const table = (wish, ...steps) => ({ wish: { how: 'screen', clock: { kind: 'none' }, ...wish }, steps });
const play =
  (...cells) =>
  async (page) => {
    for (const at of cells) await page.locator(`[role=gridcell][aria-label^="${at},"]`).click({ timeout: 4000 });
  };
const css = (selector) => (page) => page.locator(selector).first().click({ timeout: 4000 });
const FISCHER = { kind: 'fischer', main_ms: 300000, increment_ms: 5000 };

const STATES = {
  hall: { path: '/' },
  'new game': { path: '/', steps: [css('.card >> nth=0 >> .options')] },
  'new game, more': {
    path: '/',
    steps: [css('.card >> nth=0 >> .options'), css('.variants summary'), css('.new-game details:not(.variants) summary')],
  },
  'set up': { path: '/', steps: [css('.card:has-text("Xiangqi") .options'), css('.wide-button')] },
  settings: { path: '/', steps: [click('Settings')] },
  gomoku: table({ game: 'gomoku/renju' }, play('h8', 'i9')),
  numbers: table({ game: 'gomoku/standard' }, play('h8', 'i9')),
  xiangqi: table({ game: 'xiangqi' }, play('h2')),
  moved: table({ game: 'xiangqi' }, play('h2', 'e2')),
  over: table(MATE, play('b7', 'b9')),
  draughts: table({ game: 'draughts/international' }, play('32', '28', '19')),
  locked: table({ game: 'locked' }),
  map: table({ game: 'jingbanqi', map: true }),
  about: table({ game: 'jingbanqi', map: true }, async (page) => {
    await page.locator('[role=gridcell]').last().focus();
    await page.keyboard.press('i');
  }),
  swap: table({ game: 'gomoku/standard', options: { opening: 2 } }, play('h8', 'i9', 'j9')),
  waiting: table({ game: 'xiangqi', how: 'invite', clock: FISCHER }),
  engine: table({ game: 'xiangqi', how: 'engine', clock: FISCHER }),
  menu: table({ game: 'xiangqi' }, click('Menu')),
  keys: table({ game: 'xiangqi' }, (page) => page.keyboard.press('?')),
  'settings at a table': table({ game: 'xiangqi' }, (page) => page.getByRole('button', { name: 'Settings' }).click({ timeout: 1500 })),
  share: table({ game: 'xiangqi' }, (page) => page.getByRole('button', { name: 'Share' }).click({ timeout: 1500 })),
  resign: table({ game: 'xiangqi' }, (page) => page.getByRole('button', { name: 'Resign' }).click({ timeout: 1500 })),
  moves: table({ game: 'xiangqi' }, play('h2', 'e2'), (page) => page.getByRole('button', { name: 'Moves' }).click({ timeout: 1500 })),
  typing: table({ game: 'xiangqi' }, (page) => page.keyboard.press('h')),
  study: table(MATE, play('b7', 'b9'), (page) => page.getByRole('button', { name: 'Analyse' }).first().click({ timeout: 1500 })),
  rules: { path: '/rules/xiangqi' },
  'rules of gomoku': { path: '/rules/gomoku' },
  'rules of a map': { path: '/rules/jingbanqi' },
  maps: { path: '/maps' },
  workshop: { path: '/workshop' },
  inbox: { path: '/inbox' },
  people: { path: '/people' },
  'sign in': { path: '/account/sign-in' },
  account: { path: '/account', account: true },
  profile: { path: '/@/styles' },
  'no place': { path: '/no/where/at/all' },
  'no table': { path: '/t/nobody' },
};

/**
 * Returns each element by its path from the root, with its computed styles, but without the class that scopes a
 * component.
 */
function styles(derived) {
  const skip = new RegExp(derived);
  const own = (e) =>
    [...e.classList]
      .filter((c) => !/^([A-Z]|svelte-)/.test(c))
      .sort()
      .join('.');
  const found = [];
  const walk = (e, way) => {
    for (const pseudo of [null, '::before', '::after']) {
      const style = getComputedStyle(e, pseudo);
      if (pseudo && style.content === 'none') continue;
      const text = [...style].filter((p) => !skip.test(p)).map((p) => `${p}:${style.getPropertyValue(p)}`);
      found.push([`${way}${pseudo ?? ''}`, text.join(';')]);
    }
    for (const [i, child] of [...e.children].entries()) {
      if (!['SCRIPT', 'STYLE', 'LINK', 'stop'].includes(child.tagName))
        walk(child, `${way} ${i}${child.tagName.toLowerCase()}.${own(child)}`);
    }
  };
  walk(document.body, 'body');
  return found;
}

async function write(dist, file) {
  const hall = await openHall();
  const browser = await openBrowser();
  const kept = {};
  const texts = new Map();
  const themes = (process.env.THEMES ?? 'light').split(',');
  const screens = (process.env.SCREENS ?? Object.keys(SCREENS).join(',')).split(',');
  const wanted = new RegExp(process.env.STATES ?? '');
  try {
    for (const name of screens) {
      for (const theme of themes) {
        const page = await visitor(browser, { screen: { viewport: SCREENS[name] }, theme, serviceWorkers: 'block' });
        await page.goto(hall.url);
        // The page under test, with any hall.
        await page.route(/.*/, (way) => {
          const { pathname } = new URL(way.request().url());
          if (pathname.startsWith('/api')) return way.continue();
          const path = join(dist, pathname);
          return way.fulfill({ path: pathname !== '/' && existsSync(path) ? path : join(dist, 'index.html') });
        });
        await signUp(hall, page, `styles${name.replace('x', '')}${theme}`);
        for (const [state, { path, wish, steps = [] }] of Object.entries(STATES)) {
          if (!wanted.test(state)) continue;
          let to = path;
          if (wish) {
            to = await page.evaluate(async (wish) => {
              const map = wish.map ? { map: (await (await fetch('/api/maps?search=')).json()).find((m) => m.ours)?.id } : {};
              const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...wish, ...map }) };
              const made = await (await fetch('/api/tables', init)).json();
              return `/t/${made.id}`;
            }, wish);
          }
          await page.goto(`${hall.url}${to}`);
          await page.waitForLoadState('networkidle').catch(() => undefined);
          const label = `${name} ${theme} ${state}`;
          for (const step of steps) {
            try {
              await step(page);
            } catch (e) {
              console.error(`${label}: ${String(e).split('\n')[0]}`);
            }
          }
          await page.mouse.move(0, 0);
          await page.waitForTimeout(350);
          if (process.env.PICTURES) await page.screenshot({ path: join(process.env.PICTURES, `${label.replaceAll(' ', '-')}.png`) });
          kept[label] = (await page.evaluate(styles, DERIVED.source)).map(([way, text]) => {
            if (!texts.has(text)) texts.set(text, texts.size);
            return [way, texts.get(text)];
          });
        }
        await page.context().close();
      }
    }
  } finally {
    await browser.close();
    await hall.close();
  }
  writeFileSync(file, JSON.stringify({ kept, texts: [...texts.keys()] }));
}

function compare(before, after) {
  const [a, b] = [before, after].map((file) => JSON.parse(readFileSync(file, 'utf8')));
  const told = new Map();
  for (const [label, elements] of Object.entries(a.kept)) {
    const now = new Map(b.kept[label]);
    for (const [way, text] of elements) {
      const other = now.get(way);
      now.delete(way);
      if (other === undefined) {
        told.set(`gone: ${way.split(' ').slice(-3).join(' ')}`, label);
        continue;
      }
      const [old, fresh] = [a.texts[text].split(';'), b.texts[other].split(';')];
      if (a.texts[text] === b.texts[other]) continue;
      const differs = old.map((o, i) => (o === fresh[i] ? '' : `${o} → ${fresh[i]?.replace(/^[^:]*:/, '')}`)).filter(Boolean);
      told.set(`${way.split(' ').slice(-3).join(' ')}: ${differs.slice(0, 6).join(' | ')}`.slice(0, 400), label);
    }
    for (const way of now.keys()) told.set(`new: ${way.split(' ').slice(-3).join(' ')}`, label);
  }
  for (const [what, label] of told) console.log(`${label}: ${what}`);
  console.log(`${Object.keys(a.kept).length} pages, ${Object.values(a.kept).flat().length} elements, ${told.size} differences`);
}

const [first, second, third] = process.argv.slice(2);
if (first === '--compare') compare(second, third);
else await write(first, second);
