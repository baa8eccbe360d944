// A class comes at once: visitors behind one address, each with an empty browser, get their board, and a file that
// fails once holds up no other (M1: six of eight were refused or saw an empty page).
//
// QIGUAN_NEWCOMERS="40x8" runs forty visitors, eight at a time, and prints how long they waited.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PHONE, WIDE, openBrowser, openHall, put } from './house.mjs';

const [ALL, AT_ONCE] = (process.env.QIGUAN_NEWCOMERS ?? '12x4').split('x').map(Number);
/** The most requests and bytes that a first board may take: 130 000, and up to 4 000 of the 12 000 that the frame may add. */
const REQUESTS = 12;
const BYTES = 134_000;

const hall = await openHall('--limits', 'on');
after(() => hall.close());
const browser = await openBrowser();
after(() => browser.close());

/**
 * A visitor with an empty browser. `page.asked` has each request of the page and of its service worker that the browser
 * could not answer from its cache, with its bytes as they came.
 */
async function newcomer({ screen = WIDE, lang = 'en-GB', before = () => undefined } = {}) {
  const context = await browser.newContext({ ...screen, locale: lang });
  await before(context);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000 * Number(process.env.QIGUAN_PATIENCE ?? 1));
  page.asked = [];
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  const known = new Map();
  const ask = (id, url) => {
    known.set(id, { url: url.replace(hall.url, ''), bytes: 0, status: 0 });
    page.asked.push(known.get(id));
  };
  line.on('Network.requestWillBeSent', (e) => e.request.url.startsWith('data:') || ask(e.requestId, e.request.url));
  line.on('Network.webSocketCreated', (e) => ask(e.requestId, e.url));
  line.on('Network.responseReceived', (e) => {
    const one = known.get(e.requestId);
    if (!one) return;
    one.status = e.response.status;
    if (e.response.fromDiskCache) page.asked.splice(page.asked.indexOf(one), 1);
  });
  line.on('Network.loadingFinished', (e) => known.has(e.requestId) && (known.get(e.requestId).bytes = e.encodedDataLength));
  line.on(
    'Network.webSocketFrameReceived',
    (e) => known.has(e.requestId) && (known.get(e.requestId).bytes += e.response.payloadData.length),
  );
  context.on('request', (r) => r.serviceWorker() && page.asked.push({ url: r.url(), bytes: 0, status: 0 }));
  return page;
}

/** Goes from the hall to a board against the program. */
async function toBoard(page) {
  await page.goto(hall.url);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: /^(Gomoku|五子棋)$/ }) });
  await card.locator('.ways .primary').click();
  await page.locator('.new-game button.primary').click();
  await page.locator('main.table [role=grid]').waitFor();
}

test('a first board costs few requests and bytes', async () => {
  for (const [screen, lang] of [
    [WIDE, 'en-GB'],
    [PHONE, 'zh-CN'],
  ]) {
    const page = await newcomer({ screen, lang });
    await toBoard(page);
    const asked = [...page.asked];
    const bytes = asked.reduce((sum, one) => sum + one.bytes, 0);
    const list = asked.map((one) => `${one.status} ${one.bytes} ${one.url}`).join('\n');
    assert.ok(asked.length <= REQUESTS && bytes <= BYTES, `${asked.length} requests, ${bytes} bytes:\n${list}`);
    console.log(`${lang}: ${asked.length} requests, ${bytes} bytes`);
    await page.context().close();
  }
});

test(`${ALL} newcomers of one address, ${AT_ONCE} at a time, each play a first move`, async () => {
  const waits = [];
  const troubles = [];
  async function play(n) {
    const page = await newcomer();
    const begun = performance.now();
    try {
      await toBoard(page);
      waits.push(performance.now() - begun);
      await put(page, 'c3');
    } catch (e) {
      troubles.push(`${n}: ${String(e).slice(0, 300)}: ${(await page.locator('body').innerText()).slice(0, 200)}`);
    }
    const refused = page.asked.filter((one) => one.status >= 400);
    if (refused.length > 0) troubles.push(`${n}: ${refused.map((one) => `${one.status} ${one.url}`).join(', ')}`);
    await page.context().close();
  }
  let next = 0;
  const seat = async () => {
    while (next < ALL) await play(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, seat));
  const p95 = [...waits].sort((a, b) => a - b)[Math.ceil(waits.length * 0.95) - 1] ?? NaN;
  console.log(
    `${waits.length} of ${ALL} boards, ${AT_ONCE} at a time; p95 of page to board ${Math.round(p95)} ms; in the way: ${troubles.length}`,
  );
  assert.deepEqual(troubles, []);
  assert.equal(waits.length, ALL);
});

/** Makes the first `times` requests that match `pattern` fail; `how` answers them. */
const failing = (pattern, times, how) => async (context) => {
  let left = times;
  await context.route(pattern, (route) => (left-- > 0 ? how(route) : route.continue()));
};
const cut = (route) => route.abort();
const tooMany = (route) => route.fulfill({ status: 429, headers: { 'retry-after': '1' }, body: '{}' });

test('whatever fails on the way to a board is tried again, and said', async () => {
  const rows = [
    ['the entry', '**/assets/base-*.js', 1, cut],
    ['the styles', '**/assets/base-*.css', 1, tooMany],
    ['the place', '**/assets/play-*.js', 2, cut],
    ['the sentences', '**/assets/*-house-*.ftl', 4, tooMany],
    ['the first answer', '**/api/welcome', 2, tooMany],
    ['the first answer, without a network', '**/api/welcome', 2, cut],
    ['the table', '**/api/tables', 1, tooMany],
  ];
  await Promise.all(
    rows.map(async ([name, pattern, times, how]) => {
      const page = await newcomer({ before: failing(pattern, times, how) });
      // The styles come beside what a person does: nothing of it is taken back.
      const dressed = () => [...document.styleSheets].some((sheet) => /base-[^/]*css$/.test(sheet.href ?? ''));
      await toBoard(page)
        .then(() => page.waitForFunction(dressed))
        .catch((e) => assert.fail(`${name}: ${e}`));
      await page.context().close();
    }),
  );
});

test('a part of a place that did not come opens once it does', async () => {
  const page = await newcomer({ before: failing('**/assets/FrameParts-*.js', 2, cut) });
  await page.goto(hall.url);
  await page.getByRole('button', { name: 'Search the hall' }).click();
  await page.getByRole('combobox').waitFor();
  await page.context().close();
});

test('a page whose script never comes says so in both languages', async () => {
  const page = await newcomer({ before: failing('**/assets/base-*.js', 1000, cut) });
  await page.goto(hall.url);
  await page.locator('.not-yet').waitFor();
  const said = await page.locator('.not-yet').innerText();
  assert.match(said, /tries again by itself/);
  assert.match(said, /正在自动重试/);
  await page.context().close();
});
