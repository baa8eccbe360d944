// The short set for Firefox and WebKit: the front page, a table, a move, a phone's width, and no error.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BROWSERS } from './drivers.mjs';
import { openHall, until } from './house.mjs';

const hall = await openHall();
after(() => hall.close());

/** The middle of what `selector` finds, in whole pixels. */
const middle = (selector) =>
  `const b = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return [Math.round(b.x + b.width / 2), Math.round(b.y + b.height / 2)];`;
/**
 * True once the front page has loaded all it loads by itself, and nothing has come for half a second: leaving before
 * breaks a request off, which is reported as an error.
 */
const LOADED = `
  const come = performance.getEntriesByType('resource').filter((r) => r.responseEnd > 0);
  const last = Math.max(...come.map((r) => r.responseEnd));
  return come.some((r) => /\\/api\\/welcome$/.test(r.name)) && performance.now() - last > 500;`;
const H8 = '[role=gridcell][aria-label^="h8,"]';

for (const [name, { open, missing }] of Object.entries(BROWSERS)) {
  test(`${name}: the front page, a table, a move, a phone’s width`, { skip: missing || false }, async () => {
    const page = await open();
    try {
      await page.size(1280, 900);
      await page.go(hall.url);
      await until(() => page.run(LOADED), true, 'the front page is loaded');
      await page.run(`localStorage.setItem('qiguan', JSON.stringify({ lang: 'en', theme: 'light', sound: false }));`);
      await page.go(hall.url);
      await until(
        () => page.run(`return [...document.querySelectorAll('.card h2')].map((h) => h.textContent);`),
        ['Xiangqi', 'Gomoku', 'Draughts', 'Locked chess', 'Jingbanqi'],
      );
      await until(() => page.run(LOADED), true, 'the front page is loaded');
      const id = await page.run(`
        const wish = { game: 'gomoku/standard', how: 'screen', clock: { kind: 'none' } };
        const answer = await fetch('/api/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) });
        return (await answer.json()).id;`);
      await page.go(`${hall.url}/t/${id}`);
      await until(() => page.run(`return document.querySelectorAll('[role=gridcell]').length;`), 225);
      assert.deepEqual(await page.errors(), []);
      const [x, y] = await page.run(middle(H8));
      await page.click(x, y);
      await until(
        () => page.run(`return document.querySelector('${H8}').getAttribute('aria-label');`),
        /Black stone, last move/,
        'the move is played',
      );
      await until(() => page.run(`return document.querySelector('.walk .count').textContent;`), '1 / 1');

      await page.size(390, 844);
      await until(() => page.run('return innerWidth < 600;'), true, 'as narrow as a phone');
      // The page takes a moment for its new layout.
      const board = () =>
        page.run(`
          const box = (s) => document.querySelector(s).getBoundingClientRect();
          const [board, bar] = [box('.stage .board'), box('.actions')];
          return board.left >= 0 && board.right <= innerWidth && board.bottom <= bar.top;`);
      await until(board, true, 'the board fits above the buttons');
      await until(() => page.run('return document.documentElement.scrollWidth <= innerWidth;'), true, 'nothing sticks out');
      await page.go(hall.url);
      await until(() => page.run(`return document.querySelectorAll('.card .ways .primary').length;`), 5);
      await until(() => page.run('return document.documentElement.scrollWidth <= innerWidth;'), true, 'nothing sticks out of the hall');
      assert.deepEqual(await page.errors(), []);
    } finally {
      await page.close();
    }
  });
}
