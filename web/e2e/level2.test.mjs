// Maps of level 2: opened in the workshop, put on the shelf and played to their ends by two people, with pieces of the
// hand, choices of what a piece becomes, passing and exchanging colours, on squares and on hexagons.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { button, cell, farewell, faultsOf, openHouse, PHONE, PICTURES, plies, radio, stoneAt, toMove, until, visitor } from './house.mjs';

const MAPS = join(import.meta.dirname, '../../maps');
const { hall, browser } = await openHouse();

/** Opens a workbook in the workshop and puts it on the shelf; returns the address of its page. */
async function shelve(page, file, name, look = async () => {}) {
  await page.goto(`${hall.url}/workshop`);
  await page.locator('.import input').setInputFiles(join(MAPS, file));
  await until(() => page.locator('input.title').inputValue(), /./, 'it was opened');
  await page.locator('input.title').fill(name);
  await look();
  await button(page, 'Put on the shelf').click();
  await page.locator('dialog form.publish button.primary').click();
  await page.waitForURL(/\/maps\/[0-9a-f]{32}$/);
  return page.url();
}

/** Opens a table of the map for two, the first of whom plays red. */
async function seat(a, b) {
  await a.getByRole('button', { name: 'Room, lobby, clock, sides…' }).click();
  await radio(a, 'Invite');
  await radio(a, 'Red');
  await button(a, 'Make the link').click();
  await a.waitForURL(/\/t\//);
  const link = await a.locator('.share input').inputValue();
  await b.goto(link);
  await b.locator('button.primary.sit').click();
  await a.locator('main.waiting').waitFor({ state: 'detached' });
  await b.locator('.sit').waitFor({ state: 'detached' });
}

/** Plays a move by touches, as records write it: `雏*1,3` from the hand, `3,1-4,1=鸡` with a choice. */
async function play(page, watch, move) {
  await toMove(page);
  const before = await plies(watch);
  const [way, choice] = move.split('=');
  const [piece, square] = way.split('*');
  if (square) {
    const held = page.locator(`.hand button[aria-label^="${piece}"]`);
    if ((await page.locator('.hand').count()) > 0) await held.click();
    await cell(page, square).click();
  } else for (const place of way.split('-')) await cell(page, place).click();
  if (choice) {
    const asked = page.getByRole('dialog', { name: /becomes|升变/ });
    await asked.waitFor();
    assert.deepEqual(await faultsOf(page, 'choice'), []);
    await page.screenshot({ path: join(PICTURES, `level2-choice-${page.viewportSize().width}.png`) });
    await asked.locator(`button[aria-label^="${choice}"]`).click();
  }
  await until(async () => (await plies(watch)) > before, true, `${move} is played`);
}

const words = (text) => text.split(' ');
const GAMES = {
  breakthrough: {
    file: 'breakthrough.xlsx',
    moves: words('7,1-6,1 2,8-3,8 6,1-5,1 3,8-4,8 5,1-4,1 4,8-5,8 4,1-3,1 5,8-6,8 3,1-2,2 2,7-3,7 2,2-1,1'),
    ends: /1 – 0/,
  },
  hex: {
    file: 'hex.xlsx',
    moves: words('●*1,4 ○*1,1 ●*2,4 ○*1,2 ●*3,4 ○*1,3 ●*4,4 ○*1,5 ●*5,4 ○*1,6 ●*6,4 ○*1,7 ●*7,4'),
    ends: /1 – 0/,
  },
  losing: {
    file: 'losing.xlsx',
    moves: words(
      '5,2-4,2 2,4-3,4 6,2-4,3 3,4-4,3 5,4-4,3 1,4-2,4 4,2-3,2 2,3-3,2 4,3-3,2 1,3-5,3 3,2-2,1 5,3-6,4 2,1-1,2=后 6,4-6,3 6,1-6,3 ' +
        '1,1-1,2 6,3-1,3 2,4-1,3 5,5-4,5 1,5-2,3 6,5-5,3 2,3-3,1 5,1-4,1 1,6-1,5 5,6-4,6 2,6-3,6 4,5-3,6 2,5-3,6 6,6-6,2 1,5-3,5 ' +
        '6,2-2,2 1,2-2,2 4,6-3,5 1,3-2,3 5,3-3,4 2,3-3,4 3,5-2,5 3,4-2,5',
    ),
    ends: /1 – 0/,
  },
  farmyard: {
    file: 'examples/farmyard.xlsx',
    moves: words(
      '3,2-2,2 1,3-2,2 雏*1,3 雏*3,1 4,1-3,2 3,1-4,1=鸡 4,2-4,1 1,2-1,3 4,3-4,2 雏*1,2 雏*2,1 1,1-2,1 3,2-4,3 2,2-3,3 4,3-3,2 雏*3,1',
    ),
    ends: /0 – 1/,
  },
};

for (const [name, { file, moves, ends }] of Object.entries(GAMES)) {
  test(`${name} is put up and played to its end by two people`, async () => {
    const a = await visitor(browser);
    const b = await visitor(browser, { screen: PHONE, lang: 'zh', theme: 'dark' });
    const shot = async (what) => {
      await a.screenshot({ path: join(PICTURES, `level2-${name}-${what}-desk.png`) });
      await b.screenshot({ path: join(PICTURES, `level2-${name}-${what}-phone.png`) });
    };
    await shelve(a, file, `Two play ${name}`, async () => {
      await a.locator('.bench-board [role=grid]').waitFor();
      await a.screenshot({ path: join(PICTURES, `level2-${name}-workshop.png`) });
    });
    assert.deepEqual(await faultsOf(a, `${name}-map`), []);
    await a.screenshot({ path: join(PICTURES, `level2-${name}-map.png`) });
    await seat(a, b);
    const middle = Math.floor(moves.length / 2);
    for (const [i, move] of moves.entries()) {
      await play(i % 2 === 0 ? a : b, a, move);
      if (i === middle) {
        assert.deepEqual([await faultsOf(a, `${name}-desk`), await faultsOf(b, `${name}-phone`)], [[], []]);
        await shot('middle');
      }
    }
    await until(() => a.locator('.notices').textContent(), ends, 'it is over');
    await until(() => b.locator('.notices').textContent(), ends, 'for both');
    await shot('over');
    await farewell(a, b);
  });
}

test('pieces of the hand and choices by keys, with names that are read out; the try-out has the same', async () => {
  const a = await visitor(browser, { theme: 'dark' });
  await a.goto(`${hall.url}/maps`);
  await a.locator('.search input').fill('农庄');
  await a.getByRole('link', { name: 'Make it yours: Farmyard' }).click();
  await a.waitForURL(/\/workshop$/);
  await until(() => a.locator('input.title').inputValue(), 'Farmyard');
  // The sheets of level 2 are kept, and can be changed.
  await a.getByRole('tab', { name: 'Game' }).click();
  const sheet = a.getByLabel('rules2');
  await until(() => sheet.inputValue(), /^棋馆 2\n升变 \| 是/, 'the sheet with the mark');
  await sheet.fill((await sheet.inputValue()).replace('禁送', '禁送子'));
  await sheet.blur();
  await until(() => a.locator('main.workshop').textContent(), /rules2!A4/, 'a mistake is named with its cell');
  await a.screenshot({ path: join(PICTURES, 'level2-sheets.png'), fullPage: true });
  await sheet.fill((await sheet.inputValue()).replace('禁送子', '禁送'));
  await sheet.blur();
  await a.getByRole('tab', { name: 'Try it' }).click();
  const board = a.locator('.try-out .board');
  const touch = (place) => board.locator(`[role=gridcell][aria-label^="${place},"]`).click();
  for (const place of ['3,2', '2,2', '1,2', '2,2']) await touch(place);
  const group = board.getByRole('group', { name: 'Red’s hand' });
  const chick = group.getByRole('button', { name: /^雏.*: 1$/ });
  await chick.waitFor();
  assert.equal(await board.getByRole('group', { name: 'Blue’s hand' }).getByRole('button').count(), 0, 'only who is to move');
  // By keys: taken up, the focus is where it may be put; put with Enter.
  await chick.focus();
  await a.keyboard.press('Enter');
  await until(() => chick.getAttribute('aria-pressed'), 'true');
  const focus = () => a.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
  await until(focus, /empty.*may/, 'the first square where it may go');
  await a.screenshot({ path: join(PICTURES, 'level2-try-out.png') });
  for (let i = 0; i < 12 && !(await focus()).startsWith('3,1,'); i += 1) await a.keyboard.press(i % 3 === 2 ? 'ArrowRight' : 'ArrowDown');
  const at = (await focus()).split(',').slice(0, 2).join(',');
  await a.keyboard.press('Enter');
  await until(() => board.locator(`[role=gridcell][aria-label^="${at},"]`).getAttribute('aria-label'), /Red 雏/, 'it was put');
  assert.deepEqual(await faultsOf(a, 'try-out'), []);
  await farewell(a);
});

test('the second player may exchange colours, and nobody is offered more', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'en', screen: PHONE });
  await a.goto(`${hall.url}/maps`);
  await a.locator('.search input').fill('hex');
  await a.getByRole('link', { name: 'Make it yours: Hex, level 2' }).waitFor();
  await a.locator('.examples .work-card', { hasText: 'Hex, level 2' }).click();
  await a.getByRole('heading', { name: 'Hex, level 2' }).waitFor();
  await seat(a, b);
  await play(a, a, '●*4,4');
  await toMove(b);
  await b.screenshot({ path: join(PICTURES, 'level2-swap-phone.png') });
  await b.getByRole('button', { name: 'Swap', exact: false }).click();
  await until(() => plies(a), 2, 'they exchanged');
  await until(() => stoneAt(b, '4,4'), /red/i, 'the stone stays red');
  await farewell(a, b);
});
