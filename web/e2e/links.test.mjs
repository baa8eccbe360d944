// What links show: the picture the hall draws is the board the page shows; the dialog with the link; embedded boards; paper; television.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { axe, begin, button, farewell, faultsOf, openHouse, pair, PHONE, PICTURES, put, shut, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();
const keep = (name, bytes) => writeFileSync(join(PICTURES, name), bytes);
const idOf = (page) => new URL(page.url()).pathname.split('/').pop();

/** Returns the largest distance between two pictures: the mean difference of a channel in a small square, 0 to 255. */
async function apart(page, first, second) {
  const urls = [first, second].map((bytes) => `data:image/png;base64,${Buffer.from(bytes).toString('base64')}`);
  return page.evaluate(async (urls) => {
    const [a, b] = await Promise.all(
      urls.map(async (url) => {
        const picture = new Image();
        picture.src = url;
        await picture.decode();
        return picture;
      }),
    );
    const pixels = (picture) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: b.width, height: b.height });
      const pen = canvas.getContext('2d');
      pen.drawImage(picture, 0, 0, b.width, b.height);
      return pen.getImageData(0, 0, b.width, b.height).data;
    };
    const [p, q] = [pixels(a), pixels(b)];
    // The worst of many small squares: a piece on another cell fills some of them.
    const side = Math.round(b.width / 16);
    let worst = 0;
    for (let top = 0; top + side <= b.height; top += side) {
      for (let left = 0; left + side <= b.width; left += side) {
        let sum = 0;
        for (let y = top; y < top + side; y += 1) {
          for (let i = (y * b.width + left) * 4; i < (y * b.width + left + side) * 4; i += 1) if (i % 4 !== 3) sum += Math.abs(p[i] - q[i]);
        }
        worst = Math.max(worst, sum / (side * side * 3));
      }
    }
    return worst;
  }, urls);
}

for (const [game, options, moves] of [
  ['Gomoku, standard', {}, [['h8'], ['i9'], ['j10']]],
  ['Xiangqi', {}, [['h2', 'e2']]],
  ['Draughts, international (10x10)', { family: 'Draughts' }, [['32', '28']]],
  ['Locked chess', {}, []],
]) {
  for (const theme of ['light', 'dark']) {
    test(`the hall draws ${game} as the page does (${theme})`, async () => {
      const page = await visitor(browser, { theme });
      await begin(page, hall.url, game, { how: 'One screen', ...options });
      for (const move of moves) await put(page, ...move);
      // Names beside the board are a choice of the reader's: they follow the notation of the moves.
      await page.evaluate(() => {
        const kept = JSON.parse(localStorage.getItem('qiguan') ?? '{}');
        localStorage.setItem('qiguan', JSON.stringify({ ...kept, coordinates: false }));
      });
      await page.reload();
      await page.waitForSelector('[role=grid]');
      const shown = page.locator('.stage .board > svg');
      await page.mouse.move(0, 0);
      await page.waitForTimeout(600);
      const width = Math.round((await shown.boundingBox()).width);
      const faces = await page.evaluate(() => (/^zh/.test(navigator.language) ? 'simplified' : 'pictures'));
      const answer = await page.request.get(
        `${hall.url}/t/${idOf(page)}.png?size=${Math.min(1200, width)}&theme=${theme}&faces=${faces}&names=0`,
      );
      assert.equal(answer.headers()['content-type'], 'image/png');
      const [drawn, seen] = [await answer.body(), await shown.screenshot()];
      const name = game.split(/[ ,]/)[0].toLowerCase();
      keep(`drawn-${name}-${theme}.png`, drawn);
      keep(`seen-${name}-${theme}.png`, seen);
      // Edges differ by half a pixel; a piece on another cell makes a larger difference.
      const far = await apart(page, drawn, seen);
      const start = await (
        await page.request.get(`${hall.url}/t/${idOf(page)}.png?ply=0&size=${Math.min(1200, width)}&theme=${theme}&faces=${faces}&names=0`)
      ).body();
      const moved = moves.length > 0 ? await apart(page, start, seen) : 255;
      console.log(`${game} ${theme}: ${far.toFixed(2)}, another position ${moved.toFixed(2)}`);
      assert.ok(far < 30 && moved > 30, `${far} apart; another position ${moved}`);
      await farewell(page);
    });
  }
}

for (const [lang, screen, say] of [
  [
    'en',
    WIDE,
    { share: 'Share', picture: 'Picture', film: 'Game as a film', text: 'Copy as text', embed: 'Copy for a web page', copied: 'Copied' },
  ],
  ['zh', PHONE, { share: '分享', picture: '图片', film: '全局动图', text: '复制文字棋盘', embed: '复制网页嵌入代码', copied: '已复制' }],
]) {
  test(`a table is shown to others in every way (${lang})`, async () => {
    const opener = await visitor(browser);
    await begin(opener, hall.url, 'Gomoku, standard', { how: 'One screen' });
    for (const move of ['h8', 'i9', 'j10']) await put(opener, move);
    const id = idOf(opener);
    const page = await visitor(browser, { lang, screen });
    await page.goto(`${hall.url}/t/${id}`);
    await page.waitForSelector('[role=grid]');
    if (screen === WIDE) await page.locator(`button[aria-label="${say.share}"]`).click();
    else {
      await page.locator('.menu-button').click();
      await page.locator('dialog .item', { hasText: say.share }).click();
    }
    const qr = page.locator('dialog .qr');
    await until(() => qr.evaluate((picture) => picture.complete && picture.naturalWidth > 0), true, 'the code is drawn');
    assert.deepEqual(await faultsOf(page, `share ${lang}`), []);
    await page.screenshot({ path: join(PICTURES, `share-${lang}.png`) });
    for (const [name, kind] of [
      [say.picture, /\.png$/],
      [say.film, /\.gif$/],
    ]) {
      const coming = page.waitForEvent('download');
      await page.getByRole('link', { name, exact: true }).click();
      assert.match((await coming).suggestedFilename(), kind);
    }
    await button(page, say.text).click();
    await until(
      () => page.evaluate(() => navigator.clipboard.readText()),
      /^15 (\. ){14}\.\n14 .*\n10 (\. ){9}x .*\n {3}a b c/s,
      'the text is copied',
    );
    await page.locator('dialog button', { hasText: say.embed }).click();
    await until(() => page.evaluate(() => navigator.clipboard.readText()), /^<iframe src=/, 'the code is copied');
    await shut(page);
    await farewell(page, opener);
  });

  test(`a board stands in a page of somebody else (${lang})`, async () => {
    const opener = await visitor(browser);
    await begin(opener, hall.url, 'Gomoku, standard', { how: 'One screen' });
    for (const move of ['h8', 'i9', 'j10']) await put(opener, move);
    const page = await visitor(browser, { lang, screen });
    await page.goto(`${hall.url}/embed/${idOf(opener)}?lang=${lang}`);
    await until(() => page.locator('img').evaluate((picture) => picture.complete && picture.naturalWidth > 0), true, 'the board is drawn');
    assert.deepEqual(await axe(page, `embed ${lang}`), []);
    await page.screenshot({ path: join(PICTURES, `embed-${lang}.png`) });
    await page.locator('nav a').first().click();
    await until(() => page.locator('nav b').textContent(), '0/3');
    await page.locator('nav a').first().click();
    await until(() => page.locator('nav b').textContent(), '1/3');
    await farewell(page, opener);
  });

  test(`the best games are on television, one after the other (${lang})`, async () => {
    const [a, b, c, d] = await Promise.all([0, 1, 2, 3].map(() => visitor(browser)));
    await pair(a, b, hall.url, 'Gomoku, standard', { how: 'Lobby' });
    await put(a, 'h8');
    await pair(c, d, hall.url, 'Locked chess', { how: 'Lobby' });
    const page = await visitor(browser, { lang, screen });
    await page.goto(hall.url);
    const set = page.locator('.tv .set');
    await until(() => set.locator('.board svg').count(), 1, 'a board is on');
    await put(b, 'i9');
    const first = await set.getAttribute('data-table');
    await until(() => page.locator('.tv header button').count(), 2, 'there are two games');
    assert.deepEqual(await faultsOf(page, `hall ${lang}`), []);
    await set.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(PICTURES, `tv-${lang}.png`) });
    await page.locator('.tv header button').last().click();
    await until(async () => (await set.getAttribute('data-table')) !== first, true, 'another game is on');
    await set.click();
    await page.waitForURL(/\/t\//);
    for (const player of [a, c]) await button(player, 'Resign').click();
    for (const player of [a, c]) await player.locator('.actions .danger').click();
    await farewell(a, b, c, d, page);
  });
}

test('a table is printed as its board and its moves', async () => {
  const page = await visitor(browser, { theme: 'dark' });
  await begin(page, hall.url, 'Gomoku, standard', { how: 'One screen' });
  for (const move of ['h8', 'i9', 'j10']) await put(page, move);
  await page.emulateMedia({ media: 'print' });
  assert.equal(await page.locator('.actions').isVisible(), false);
  assert.equal(await page.locator('.stage .board > svg').isVisible(), true);
  assert.equal(await page.locator('.moves .ply').first().isVisible(), true);
  await page.screenshot({ path: join(PICTURES, 'print.png'), fullPage: true });
  await farewell(page);
});
