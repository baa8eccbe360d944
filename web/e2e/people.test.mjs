// People: two accounts find each other by Play now, play a rated game to its end and see both ratings change on their pages.

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
  put,
  radio,
  toMove,
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
  return page;
}

const SAY = {
  en: { family: 'Gomoku', now: 'Play now', clock: 'Fischer', find: 'Find an opponent', stop: 'Stop looking' },
  zh: { family: '五子棋', now: '马上开局', clock: '加秒', find: '找对手', stop: '不找了' },
};

/** Looks for an opponent; the search stays open for the caller. */
async function seek(page, say, rated) {
  await page.goto(hall.url);
  await page
    .locator('.card', { has: page.getByRole('heading', { name: say.family, exact: true }) })
    .locator('.options')
    .click();
  await radio(page, say.now);
  await pick(page.locator('.new-game input[value=fischer]'));
  if (rated) await pick(page.locator('.new-game .switch input').first());
  await button(page, say.find).click();
  // If another player waits already, the game begins at once.
  await Promise.race([page.locator('.seeking').waitFor(), page.waitForURL(/\/t\//)]);
}

for (const [shape, screen, lang, theme] of [
  ['wide', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
]) {
  test(`${shape}, ${lang}, ${theme}: Play now, rated, to both pages`, async () => {
    const say = SAY[lang];
    const faults = [];
    const see = async (page, place) => {
      faults.push(...(await faultsOf(page, place)));
      await page.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}-${theme}.png`, fullPage: true });
    };
    const names = [`Anna ${shape}`, `Boris ${shape}`];
    const a = await account(names[0], { screen, lang, theme });
    const b = await account(names[1], { screen, lang, theme });
    await seek(a, say, true);
    await see(a, 'seeking');
    await button(a, say.stop).click();
    await a.locator('.seeking').waitFor({ state: 'detached' });
    await seek(a, say, true);
    await seek(b, say, true);
    await Promise.all([a.waitForURL(/\/t\//), b.waitForURL(/\/t\//)]);
    assert.equal(new URL(a.url()).pathname, new URL(b.url()).pathname, 'one table for both');
    await Promise.all([a, b].map((page) => page.waitForSelector('[role=grid]')));

    // The player with the first side makes five in a row.
    await until(async () => ((await a.title()) + (await b.title())).includes('●'), true, 'somebody is to move');
    const [first, second] = (await a.title()).startsWith('●') ? [a, b] : [b, a];
    for (const [n, row] of [8, 9, 10, 11].entries()) {
      await put(first, `h${row}`);
      await put(second, `j${[3, 5, 7, 13][n]}`);
    }
    await toMove(first);
    await cell(first, 'h12').click();
    const end = (id) => fetch(`/api/tables/${id}`).then((answer) => answer.json().then((table) => table.end !== null));
    await until(() => first.evaluate(end, new URL(first.url()).pathname.slice(3)), true, 'the game ended');
    const loser = first === a ? 1 : 0;
    const ratings = async (page, name) => {
      await page.goto(`${hall.url}/@/${encodeURIComponent(name)}`);
      await page.locator('main table').waitFor();
      return (await page.locator('main').textContent()).match(/1[2-7]\d\d/g)?.map(Number) ?? [];
    };
    await until(async () => (await ratings(a, names[1 - loser])).some((n) => n > 1500), true, 'the winner went up');
    await until(async () => (await ratings(b, names[loser])).some((n) => n < 1500), true, 'the loser went down');
    await see(b, 'profile');
    // The game is listed, and its link opens it.
    await b.locator('main a[href^="/t/"]').first().click();
    await b.waitForSelector('[role=grid]');
    // Names beside the board lead to their pages.
    await b.locator('.who a.name', { hasText: names[0] }).click();
    await b.waitForURL(/\/@\//);
    assert.deepEqual(faults, []);
    await farewell(a, b);
  });
}

test('a guest finds a casual game, and is not asked whether it should count', async () => {
  const say = SAY.en;
  const [a, b] = [await visitor(browser), await visitor(browser)];
  // A network that is gone for a moment does not end the search.
  let asked = 0;
  a.expected.push(/ERR_FAILED .*\/api\/pool$/);
  await a.route('**/api/pool', (route) => (++asked % 2 ? route.abort() : route.continue()));
  await seek(a, say, false);
  await until(() => asked > 2, true, 'it is asked again');
  await seek(b, say, false);
  await Promise.all([a.waitForURL(/\/t\//), b.waitForURL(/\/t\//)]);
  await a.waitForSelector('[role=grid]');
  assert.equal(await a.getByText('· rated').count(), 0);
  // A visitor who stops waits no more.
  const c = await visitor(browser);
  await seek(c, say, false);
  await Promise.all([c.waitForResponse((answer) => answer.request().method() === 'DELETE'), button(c, say.stop).click()]);
  const d = await visitor(browser);
  await Promise.all([d.waitForResponse('**/api/pool'), seek(d, say, false)]);
  await until(() => d.locator('.seeking').textContent(), /nobody else yet/);
  await farewell(a, b, c);
  // Nor if the last request reaches the hall late.
  let late;
  const come = new Promise((resolve) => (late = resolve));
  let held = 0;
  await d.route('**/api/pool', async (route) => {
    if (route.request().method() === 'POST' && ++held === 1) await come;
    await route.continue();
  });
  await until(() => held, 1, 'a question is on its way');
  const left = d.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await button(d, say.stop).click();
  await d.locator('.seeking').waitFor({ state: 'detached' });
  await d.waitForTimeout(300);
  late();
  assert.equal((await left).status(), 204);
  const e = await visitor(browser);
  await Promise.all([e.waitForResponse('**/api/pool'), seek(e, say, false)]);
  await until(() => e.locator('.seeking').textContent(), /nobody else yet/);
  await Promise.all([e.waitForResponse((answer) => answer.request().method() === 'DELETE'), button(e, say.stop).click()]);
  await farewell(d, e);
});

test('who stops looking when somebody was found already goes to the table', async () => {
  const say = SAY.en;
  for (const byFarewell of [true, false]) {
    const [a, b] = [await visitor(browser), await visitor(browser)];
    a.expected.push(/ERR_FAILED .*\/api\/pool$/);
    await seek(a, say, false);
    // The answer that names the table does not reach the page before it cancels: then it is lost, or comes late.
    let stopped;
    const stop = new Promise((resolve) => (stopped = resolve));
    let held = 0;
    await a.route('**/api/pool', async (route) => {
      if (route.request().method() === 'DELETE') return byFarewell ? route.continue() : route.abort();
      const answer = await route.fetch();
      if ((await answer.json()).table) {
        held += 1;
        await stop;
        if (byFarewell) return route.abort();
      }
      await route.fulfill({ response: answer });
    });
    await seek(b, say, false);
    await b.waitForURL(/\/t\//);
    await until(() => held, 1, 'the answer is on its way');
    await button(a, say.stop).click();
    stopped();
    await a.waitForURL(b.url());
    await farewell(a, b);
  }
});

test('a hall that does not answer for a moment ends nobody’s page of people', async () => {
  const a = await account('Patience');
  await a.clock.install();
  a.expected.push(/ERR_FAILED .*\/api\/relations$/);
  await a.route('**/api/relations', (route) => route.abort());
  await a.goto(`${hall.url}/people`);
  await a.locator('main > [role=alert]').waitFor();
  assert.equal(await a.getByRole('link', { name: 'Sign in' }).count(), 0);
  assert.equal(await a.getByText('Nobody yet').count(), 0, 'nobody knows that yet');
  await a.unroute('**/api/relations');
  await a.clock.fastForward(10_000);
  await a.locator('main > [role=alert]').waitFor({ state: 'detached' });
  await until(() => a.locator('section[aria-labelledby=known]').textContent(), /Nobody yet/);
  await farewell(a);
});
