// The pictures of the README, in both languages: node e2e/pictures.mjs FOLDER. Run by scripts/pictures.sh.

import { join } from 'node:path';
import { openBrowser, openHall, put, visitor } from './house.mjs';

const folder = process.argv[2];
if (!folder) throw new Error('the folder for the pictures is missing');
const DESK = { viewport: { width: 1280, height: 800 } };
const HAND = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true };

/** Opens a table and plays; a move is its places with a blank between them. */
async function table(page, wish, moves) {
  await page.goto(hall.url);
  const made = await page.evaluate(async (wish) => {
    // The first map of the house, where the game comes with one.
    const map = wish.map ? { map: (await (await fetch('/api/maps?search=')).json()).find((m) => m.ours)?.id } : {};
    const answer = await fetch('/api/tables', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ how: 'screen', clock: { kind: 'none' }, ...wish, ...map }),
    });
    return answer.json();
  }, wish);
  await page.goto(`${hall.url}/t/${made.id}`);
  await page.waitForSelector('[role=grid]');
  for (const move of moves) await put(page, ...move.split(' '));
  await page.mouse.move(0, 0);
}

const SCENES = {
  xiangqi: {
    screen: DESK,
    go: (page) =>
      table(page, { game: 'xiangqi' }, ['h2 e2', 'h9 g7', 'h0 g2', 'i9 h9', 'i0 h0', 'b9 c7', 'c3 c4', 'g6 g5', 'h0 h6', 'h7 i7']),
  },
  draughts: {
    screen: DESK,
    go: (page) => table(page, { game: 'draughts/international' }, ['32 28', '19 23', '28 19', '14 23', '37 32', '10 14', '41 37', '5 10']),
  },
  map: { screen: DESK, go: (page) => table(page, { game: 'jingbanqi', map: true }, []) },
  phone: {
    screen: HAND,
    theme: 'dark',
    go: (page) => table(page, { game: 'gomoku/renju' }, ['h8', 'i9', 'i7', 'g9', 'h9', 'h10', 'g8', 'f8', 'i8', 'j8']),
  },
};

const hall = await openHall();
const browser = await openBrowser();
try {
  for (const lang of ['en', 'zh']) {
    for (const [name, { screen, theme, go }] of Object.entries(SCENES)) {
      const page = await visitor(browser, { screen, lang, theme });
      await go(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: join(folder, `${name}-${lang}.jpg`), type: 'jpeg', quality: 85 });
      await page.context().close();
    }
  }
} finally {
  await browser.close();
  await hall.close();
}
