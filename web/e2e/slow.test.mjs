// Slow games: two accounts play with days for each move; one plans an answer, the hall goes and comes back, and the answer is
// played when its move comes; the list of what waits, a vacation, notes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  button,
  cell,
  farewell,
  faultsOf,
  openHouse,
  PHONE,
  PICTURES,
  pick,
  plies,
  put,
  radio,
  shut,
  until,
  visitor,
  WIDE,
  signUp,
} from './house.mjs';

const { hall, browser } = await openHouse();

/** Makes a visitor with an account, as a program would. */
async function account(name, options) {
  const page = await visitor(browser, { gomoku: 'freestyle', ...options });
  await signUp(hall, page, name);
  // While no hall is there, the browser says so.
  page.expected.push(/net::ERR_|Failed to load resource|WebSocket/);
  return page;
}

const SAY = {
  en: {
    family: 'Gomoku',
    invite: 'Invite',
    clock: 'Days a move',
    plan: 'Plan',
    keep: 'Keep this line',
    notes: 'Keep the notes',
    away: 'Go on vacation',
    back: 'I am back',
    next: /^Next/,
    waits: /One slow game/,
  },
  zh: {
    family: '五子棋',
    invite: '邀请',
    clock: '慢棋',
    plan: '预设',
    keep: '保存这条变化',
    notes: '保存笔记',
    away: '开始休假',
    back: '我回来了',
    next: /^下一局/,
    waits: /1 局慢棋/,
  },
};

/** Opens a slow table of the first of two, and seats both. */
async function slowPair(a, b, say) {
  await a.goto(hall.url);
  await a
    .locator('.card', { has: a.getByRole('heading', { name: say.family, exact: true }) })
    .locator('.options')
    .click();
  await pick(a.locator('.new-game input[value=invite]'));
  await radio(a, say.clock);
  // On a phone the start button covers the bottom of the form.
  const side = a.locator('.new-game input[value=first]');
  await side.evaluate((box) => box.scrollIntoView({ block: 'center' }));
  await pick(side);
  await radio(a, '3');
  await a.locator('.new-game button.primary').click();
  await a.waitForURL(/\/t\//);
  await b.goto(a.url());
  await b.locator('button.sit').click();
  await a.locator('main.waiting').waitFor({ state: 'detached' });
  await Promise.all([a, b].map((page) => page.waitForSelector('[role=grid]')));
  return new URL(a.url()).pathname;
}

for (const [shape, screen, lang, theme] of [
  ['wide', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
]) {
  test(`${shape}, ${lang}, ${theme}: a planned move over a restart`, async () => {
    const say = SAY[lang];
    const faults = [];
    const see = async (page, place) => {
      faults.push(...(await faultsOf(page, place)));
      await page.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}-${theme}.png`, fullPage: true });
    };
    const a = await account(`Clara ${shape}`, { screen, lang, theme });
    const b = await account(`David ${shape}`, { screen, lang, theme });
    const first = await slowPair(a, b, say);
    await slowPair(a, b, say);
    await until(() => b.locator('.clock').first().textContent(), /2|3/, 'the clock shows days');
    await put(a, 'h8');
    // The other game waits: one button, or one key, leads there.
    await a.getByRole('button', { name: say.next }).waitFor();
    await see(a, 'slow-table');
    await a.keyboard.press('n');
    await a.waitForURL((url) => url.pathname === first);
    await a.waitForSelector('[role=grid]');
    await put(a, 'h8');

    // If a1, then h9.
    await button(a, say.plan).click();
    const sheet = a.locator('dialog[open]');
    await cell(sheet, 'a1').click();
    await until(() => sheet.locator('.now span').count(), 1);
    await cell(sheet, 'h9').click();
    await until(() => sheet.locator('.now span').count(), 2);
    await see(a, 'plan');
    await button(sheet, say.keep).click();
    await sheet.locator('ol li').waitFor();
    await sheet.locator('textarea').fill('h8, h9, h10');
    await button(sheet, say.notes).click();
    await until(() => sheet.locator('[role=status]').last().textContent(), /\S/);
    await see(a, 'planned');
    await shut(a);

    await hall.kill();
    await hall.again();
    await b.goto(`${hall.url}/inbox`);
    await until(() => b.locator('main li').count(), 2, 'both games wait');
    await until(() => b.title(), /^\(2\)/);
    await see(b, 'inbox');
    await b.locator(`a[href="${first}"]`).click();
    await b.waitForSelector('[role=grid]');
    await put(b, 'a1');
    await until(() => plies(b), 3, 'the hall has answered');
    assert.match(await cell(b, 'h9').getAttribute('aria-label'), /h9/);
    await a.goto(`${hall.url}${first}`);
    await a.waitForSelector('[role=grid]');
    await until(() => plies(a), 3);
    await button(a, say.plan).click();
    await until(() => a.locator('dialog[open] textarea').inputValue(), 'h8, h9, h10', 'the notes are there');
    assert.equal(await a.locator('dialog[open] ol li').count(), 0, 'the plan is played');
    await shut(a);

    // A player on vacation loses no time.
    await b.goto(`${hall.url}/inbox`);
    await button(b, say.away).click();
    await button(b, say.back).waitFor();
    await see(b, 'vacation');
    await until(
      () =>
        a
          .locator('.clock')
          .allTextContents()
          .then((all) => all.join(' ')),
      /vacation|休假/,
      'the opponent is told',
    );
    await button(b, say.back).click();
    await button(b, say.away).waitFor();
    await b.goto(hall.url);
    await until(() => b.locator('a[href="/inbox"]').textContent(), /2/, 'the hall says how many wait');
    await see(b, 'hall-slow');
    assert.deepEqual(faults, []);
    await farewell(a, b);
  });
}
