// The pictures of the README: `npm run pictures`, with a built hall. Plays on a real one, as visitors do.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PHONE, begin, button, openBrowser, openHall, put, visitor } from '../e2e/house.mjs';

const folder = join(import.meta.dirname, '../../docs/pictures');
mkdirSync(folder, { recursive: true });
const hall = await openHall();
const browser = await openBrowser();

async function named(name, more) {
  const page = await visitor(browser, more);
  await page.goto(hall.url);
  await page.evaluate(
    (name) => fetch('/api/me', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name }) }),
    name,
  );
  return page;
}

const lin = await named('Lin');
const ada = await named('Ada', { lang: 'zh', screen: PHONE });
await begin(lin, hall.url, 'Gomoku, standard', { side: 'Black', clock: 'Byo-yomi' });
await ada.goto(lin.url());
await button(ada, '坐下来下棋').click();
await lin.waitForSelector('text=Ada');
const moves = 'h8 i9 i8 g8 h9 h10 g9 j8 f10 i7 h7 h6 g6 j9 f9 e9 g10'.split(' ');
for (const [i, name] of moves.entries()) await put(i % 2 === 0 ? lin : ada, name);
await lin.waitForTimeout(1200);
await lin.screenshot({ path: join(folder, 'table-desk.png') });
await ada.screenshot({ path: join(folder, 'table-phone.png') });
await lin.goto(hall.url);
await lin.waitForSelector('text=Locked chess');
await lin.waitForTimeout(500);
await lin.screenshot({ path: join(folder, 'hall-desk.png') });
await browser.close();
await hall.close();
