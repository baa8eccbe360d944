// Offers between two players: nothing appears under a finger, no offer is answered before it was seen, and asking has
// an end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { button, cell, farewell, openHouse, PHONE, PICTURES, put, resting, shut, toMove, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();
const TALL = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const TABLET = { viewport: { width: 768, height: 1024 }, hasTouch: true };
const SQUARE = { viewport: { width: 800, height: 900 } };
const LYING = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };

/** Two players at a table that was opened by a request; `a` has the first side. */
async function two(a, b, wish = {}) {
  await a.goto(hall.url);
  const id = await a.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      return (await (await fetch('/api/tables', { method: 'POST', headers, body })).json()).id;
    },
    JSON.stringify({
      game: 'gomoku/standard',
      how: 'invite',
      side: 'first',
      clock: { kind: 'fischer', base_ms: 300_000, increment_ms: 0 },
      ...wish,
    }),
  );
  await a.goto(`${hall.url}/t/${id}`);
  await b.goto(`${hall.url}/t/${id}`);
  await b.locator('button.sit').click();
  await b.locator('.sit').waitFor({ state: 'detached' });
  await toMove(a);
  return id;
}

const told = async (id) => (await fetch(`${hall.url}/api/tables/${id}`)).json();
const middle = async (thing) => {
  const box = await resting(thing);
  return [box.x + box.width / 2, box.y + box.height / 2];
};
/** Makes offers by the buttons of the page. */
async function asks(page, names) {
  for (const name of names) {
    const there = button(page, name);
    if ((await there.count()) > 0 && (await there.first().isVisible())) return there.first().click();
  }
  await page.locator('.menu-button').last().click();
  await button(page, names[0]).click();
}
const TAKEBACK = ['Take back', '悔棋'];
const DRAW = ['Offer draw', '提和', '和棋', '提议和棋'];

for (const [shape, screen, lang] of [
  ['360x640', PHONE, 'zh'],
  ['390x844', TALL, 'en'],
  ['768x1024', TABLET, 'zh'],
  ['800x900', SQUARE, 'en'],
  ['844x390', LYING, 'zh'],
  ['1280x800', WIDE, 'en'],
])
  for (const order of [
    ['takeback', 'draw'],
    ['draw', 'takeback'],
  ])
    test(`H3, ${shape}, ${lang}: a ${order[1]} does not come under the finger that answers a ${order[0]}`, async () => {
      const a = await visitor(browser);
      const b = await visitor(browser, { screen, lang });
      const id = await two(a, b);
      await put(a, 'h8');
      await put(b, 'h9');
      await put(a, 'a1');
      await toMove(b);
      const wish = { takeback: () => asks(a, TAKEBACK), draw: () => asks(a, DRAW) };
      await wish[order[0]]();
      const first = b.locator(`.offer.${order[0]} .primary`);
      const [x, y] = await middle(first);
      const board = await resting(b.locator('.stage'));
      await wish[order[1]]();
      const second = b.locator(`.offer.${order[1]} .primary`);
      await until(() => second.isEnabled(), true);
      assert.deepEqual(await middle(first), [x, y], 'the first stays where it was');
      assert.deepEqual(await resting(b.locator('.stage')), board, 'and so does the board');
      await b.screenshot({ path: `${PICTURES}/two-offers-${shape}-${lang}.png` });
      const place = await middle(second);
      // What is taken back leaves its place empty, and the other one where it was.
      await button(a.locator(`.offer.${order[0]}`), 'Cancel').click();
      await first.waitFor({ state: 'detached' });
      assert.deepEqual(await middle(second), place, 'the second stays where it was');
      await b.mouse.click(x, y);
      await wish[order[0]]();
      await until(() => first.isEnabled(), true);
      assert.deepEqual(await middle(first), [x, y], 'its place is its own');
      await b.mouse.click(x, y);
      if (order[0] === 'draw') await until(async () => (await told(id)).end?.reason, 'draw-agreed');
      else await until(async () => [(await told(id)).record.length, (await told(id)).end], [2, null]);
      await farewell(a, b);
    });

test('H3: an offer that has just come cannot be answered, by pointer or key', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { screen: TALL });
  const id = await two(a, b);
  await put(a, 'h8');
  await toMove(b);
  // Each new offer is touched at once, until it may be answered.
  await b.evaluate(() => {
    window.touched = [];
    new MutationObserver(() => {
      for (const each of document.querySelectorAll('.offer button')) {
        if (!each.disabled) continue;
        each.click();
        each.focus();
        window.touched.push(each.className);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await asks(a, DRAW);
  await b.locator('.offer.draw').waitFor();
  await b.keyboard.press('Enter');
  await until(() => b.locator('.offer.draw .primary').isEnabled(), true);
  assert.ok((await b.evaluate(() => window.touched.length)) > 0, 'it could not be answered at first');
  assert.deepEqual((await told(id)).offers, [['first', 'draw']], 'nothing was answered');
  // It came a while ago, and was seen only now: a panel lay over it.
  await b.evaluate(() => (window.touched = []));
  await button(b, 'Menu').click();
  await shut(b);
  await until(() => b.evaluate(() => window.touched.length > 0), true, 'it has to be seen first');
  await until(() => b.locator('.offer.draw .primary').isEnabled(), true);
  await button(b, 'Decline').click();
  await until(async () => (await told(id)).offers, []);
  await farewell(a, b);
});

test('H8: what was declined is offered again after a move, and who wants no offers hears of none', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  const id = await two(a, b);
  await put(a, 'h8');
  await put(b, 'h9');
  await button(a, 'Offer draw').click();
  await button(b, 'Decline').click();
  await until(async () => (await told(id)).offers, []);
  await button(a, 'Offer draw').click();
  await until(() => a.locator('.note').textContent(), /Make a move before you offer it again/);
  await button(b, 'Settings').click();
  await b.getByRole('switch', { name: /Hear of offers/ }).uncheck({ force: true });
  await shut(b);
  await until(() => button(a, 'Offer draw').isDisabled(), true, 'the other side sees it');
  assert.deepEqual((await told(id)).table.no_offers, [false, true]);
  await put(a, 'i8');
  assert.ok(await button(a, 'Offer draw').isDisabled());
  // It is a setting of the person, and holds at the next table too.
  const next = await two(a, b);
  await until(async () => (await told(next)).table.no_offers, [false, true]);
  await button(b, 'Settings').click();
  await b.getByRole('switch', { name: /Hear of offers/ }).check({ force: true });
  await shut(b);
  await until(() => button(a, 'Offer draw').isEnabled(), true);
  await farewell(a, b);
});

for (const [shape, screen, lang] of [
  ['wide', WIDE, 'en'],
  ['phone', TALL, 'zh'],
])
  test(`${shape}, ${lang}: a move is chosen ahead, shown to nobody else, and played when the turn comes`, async () => {
    const a = await visitor(browser);
    const b = await visitor(browser, { screen, lang });
    const id = await two(a, b);
    const chosen = () => b.locator('.note').textContent();
    const ahead = lang === 'en' ? /Chosen ahead/ : /已预走/;
    await cell(b, 'h9').click();
    await until(chosen, ahead);
    await b.screenshot({ path: `${PICTURES}/premove-${shape}-${lang}.png` });
    await cell(b, 'h9').click();
    await until(async () => ahead.test(await chosen()), false, 'a touch takes it back');
    await cell(b, 'h9').click();
    await until(chosen, ahead);
    assert.equal((await told(id)).record.length, 0);
    await put(a, 'h8');
    await until(async () => (await told(id)).record.map(([text]) => text), ['h8', 'h9']);
    // A premove to a cell that is taken meanwhile is not played.
    await cell(b, 'i9').click();
    await until(chosen, ahead);
    await put(a, 'i9');
    await toMove(b);
    assert.equal((await told(id)).record.length, 3);
    await put(b, 'j9');
    // An offer must be seen first.
    await cell(b, 'k9').click();
    await until(chosen, ahead);
    await asks(a, DRAW);
    await until(async () => ahead.test(await chosen()), false, 'an offer ends it');
    await put(a, 'a1');
    await toMove(b);
    assert.equal((await told(id)).record.length, 5);
    await farewell(a, b);
  });

test('a piece is chosen ahead by touching or by keys, and one that was touched early stays chosen', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser);
  const id = await two(a, b, { game: 'xiangqi' });
  const moves = async () => (await told(id)).record.map(([text]) => text);
  await cell(b, 'h9').focus();
  await b.keyboard.press('Enter');
  await cell(b, 'g7').focus();
  await b.keyboard.press('Enter');
  await until(() => b.locator('.note').textContent(), /Chosen ahead/);
  await b.screenshot({ path: `${PICTURES}/premove-xiangqi.png` });
  assert.equal(await a.locator('.board .path').count(), 0);
  await put(a, 'h2', 'e2');
  await until(moves, ['h2e2', 'h9g7']);
  await cell(b, 'b9').click();
  await put(a, 'b0', 'c2');
  await toMove(b);
  await cell(b, 'c7').click();
  await until(moves, ['h2e2', 'h9g7', 'b0c2', 'b9c7']);
  // A setting turns that off. Rows that wait for the hall push no switch from under the pointer.
  await b.route('**/api/me', async (route) => {
    await new Promise((done) => setTimeout(done, 400));
    await route.continue();
  });
  await button(b, 'Settings').click();
  const premoves = b.getByRole('switch', { name: /Choose a move while/ });
  await premoves.waitFor();
  const first = await premoves.boundingBox();
  await b.waitForTimeout(800);
  assert.deepEqual(await premoves.boundingBox(), first);
  await premoves.uncheck({ force: true });
  await shut(b);
  await cell(b, 'a9').click();
  await until(() => b.locator('.note').textContent(), /other side/);
  await farewell(a, b);
});
