// Against programs: a level of every family and of a map, what it looks like, and what the page says of it.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PHONE, PICTURES, axe, button, cell, farewell, openBrowser, openHall, plies, until, visitor } from './house.mjs';

let hall;
let browser;
before(async () => {
  hall = await openHall();
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await hall?.close();
});

const picture = (page, name) => page.screenshot({ path: join(PICTURES, `engines-${name}.png`) });

/** From the hall: the card of a family, against the computer. */
async function against(page, family, level = 3, side = 'first') {
  await page.goto(hall.url);
  await page.locator('.card', { has: page.getByRole('heading', { name: family, exact: true }) }).getByRole('button', { name: /^(Computer|电脑)$/ }).click();
  await sitDown(page, level, side);
}

async function sitDown(page, level, side) {
  await page.locator('.levels .steps input').nth(level - 1).check({ force: true });
  await page.locator('.new-game .segments').filter({ has: page.locator('legend', { hasText: /^(Your side|执子)$/ }) }).locator('input').nth(side === 'first' ? 0 : 1).check({ force: true });
  await page.locator('.new-game button.primary').click();
  await page.waitForURL(/\/t\//);
  await page.waitForSelector('[role=grid]');
}

/** Whether it is the person's turn, or over. */
const mine = (page) => page.evaluate(() => document.querySelector('.strip.near.turn') !== null || document.querySelector('.banner') !== null);

/** Plays whatever may be played: the person's whole turn, and waits for the answer. */
async function turn(page) {
  const before = await plies(page);
  for (let i = 0; i < 8 && (await mine(page)) && !(await page.locator('.banner').isVisible()); i += 1) {
    const known = await plies(page);
    await anyPly(page);
    await until(() => plies(page).then((n) => n > known), true, 'the ply is played');
  }
  await until(() => mine(page), true, 'the program has answered');
  assert.ok((await plies(page)) > before + 1 || (await page.locator('.banner').isVisible()));
}

/** One ply: the table's own list says what is legal. */
async function anyPly(page) {
  const id = new URL(page.url()).pathname.split('/').pop();
  const full = await page.evaluate((path) => fetch(path).then((r) => r.json()), `/api/tables/${id}`);
  const { moves, pieces } = full.view;
  let text;
  if (moves === 'empty') {
    const taken = new Set(pieces.map((p) => p[0]));
    const labels = await page.locator('[role=gridcell]').evaluateAll((all) => all.map((c) => [Number(c.dataset.cell), c.getAttribute('aria-label').split(',')[0]]));
    text = labels.filter(([at]) => !taken.has(at))[Math.floor(labels.length / 3)][1];
  } else text = moves[Math.floor(moves.length / 2)].text;
  await page.keyboard.press('/');
  await page.locator('#typed').fill(text);
  await page.locator('#typed').press('Enter');
}

for (const family of ['Xiangqi', 'Draughts', 'Gomoku', 'Locked chess']) {
  test(`level 3 plays ${family}`, async () => {
    const page = await visitor(browser, { gomoku: 'freestyle' });
    await against(page, family);
    assert.match(await page.locator('.strip.far span.name').textContent(), /^Level 3 · Companion$/);
    for (let i = 0; i < 3; i += 1) await turn(page);
    assert.ok((await plies(page)) >= 6);
    await picture(page, `game-${family.toLowerCase().replace(' ', '-')}`);
    await farewell(page);
  });
}

test('level 3 plays on a map of the shelf, in Chinese, on a phone', async () => {
  const page = await visitor(browser, { lang: 'zh', screen: PHONE });
  await page.goto(`${hall.url}/maps`);
  await page.locator('main a[href^="/maps/"]').first().click();
  await button(page, '与电脑对弈').click();
  await picture(page, 'levels-phone-zh');
  assert.deepEqual(await axe(page, 'levels'), []);
  await sitDown(page, 3, 'first');
  assert.equal(await page.locator('.strip.far span.name').textContent(), '3 级 · 棋友');
  await turn(page);
  await turn(page);
  await picture(page, 'map-phone-zh');
  await farewell(page);
});

test('one takes back, offers a draw, gives up and plays again', async () => {
  const page = await visitor(browser, { gomoku: 'freestyle' });
  await page.goto(hall.url);
  await page.locator('.card', { has: page.getByRole('heading', { name: 'Gomoku', exact: true }) }).getByRole('button', { name: 'Computer', exact: true }).click();
  await picture(page, 'levels');
  assert.deepEqual(await axe(page, 'levels'), []);
  await sitDown(page, 10, 'first');
  await cell(page, 'h8').click();
  await until(() => page.locator('.strip.far .thinks').count(), 1, 'it thinks, and that is shown');
  await picture(page, 'thinks');
  await button(page, 'Take back').click();
  await until(() => plies(page), 0, 'what it thought about is taken back');
  await cell(page, 'h8').click();
  await until(() => plies(page), 2, 'it answers the new one');
  await button(page, 'Offer draw').click();
  await until(() => page.locator('.offer').count(), 0, 'too early a draw is declined');
  await button(page, 'Resign').click();
  await page.locator('.actions .danger').click();
  await page.locator('.banner').getByRole('button', { name: 'Rematch' }).click();
  await until(async () => plies(page).catch(() => -1), 1, 'with colours changed it begins');
  assert.match(await page.locator('.strip.far span.name').textContent(), /^Level 10/);
  await farewell(page);
});
