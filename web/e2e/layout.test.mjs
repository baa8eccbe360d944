// The layout on screens of every shape: pieces are not covered, and needed controls are in sight.

import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  begin,
  button,
  cell,
  farewell,
  openHall,
  openHouse,
  PHONE,
  PICTURES,
  put,
  radio,
  resting,
  until,
  visitor,
  WIDE,
} from './house.mjs';

const { hall, browser } = await openHouse();
const TALL = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LYING = { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true };
/** A window of 1280x800 whose page is magnified twice. */
const MAGNIFIED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
const SCREENS = { '1280x800': WIDE, '390x844': TALL, '360x640': PHONE, '844x390': LYING, '200 %': MAGNIFIED };

/** A table made without clicking, and its page. */
async function at(page, wish) {
  await page.goto(hall.url);
  const made = await page.evaluate(
    async (body) => {
      const answer = await fetch('/api/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      return answer.json();
    },
    JSON.stringify({ how: 'screen', clock: { kind: 'none' }, ...wish }),
  );
  await page.goto(`${hall.url}/t/${made.id}`);
  await page.waitForSelector('[role=grid]');
  return made.id;
}
/** Mate in one for red: b7-b9. */
const MATE = { game: 'xiangqi', fen: '4k4/R8/1R7/9/9/9/9/9/9/3K5 w' };
const within = (box, screen) =>
  box.x >= -1 && box.y >= -1 && box.x + box.width <= screen.viewport.width + 1 && box.y + box.height <= screen.viewport.height + 1;
const apart = (a, b) => a.x + a.width <= b.x + 1 || b.x + b.width <= a.x + 1 || a.y + a.height <= b.y + 1 || b.y + b.height <= a.y + 1;

for (const [name, screen] of Object.entries(SCREENS)) {
  test(`${name}: the result covers no piece, and what comes next is in sight`, async () => {
    const page = await visitor(browser, { screen });
    await at(page, MATE);
    const before = await resting(page.locator('.stage'));
    await put(page, 'b7', 'b9');
    await page.locator('.banner').waitFor();
    const card = await resting(page.locator('.banner'));
    const board = await resting(page.locator('.stage'));
    assert.deepEqual(board, before, 'the board stays where it was');
    assert.ok(apart(card, board), `the card ${JSON.stringify(card)} lies on the board ${JSON.stringify(board)}`);
    assert.ok(within(card, screen), `the card ${JSON.stringify(card)} is out of sight`);
    assert.ok(within(await page.locator('.banner').getByRole('button', { name: 'Rematch' }).boundingBox(), screen));
    const solid = await page.locator('.banner').evaluate((e) => /^rgb\(/.test(getComputedStyle(e).backgroundColor));
    assert.ok(solid, 'nothing shines through');
    await farewell(page);
  });

  test(`${name}: the hall shows a way to begin, and a table its board`, async () => {
    const page = await visitor(browser, { screen });
    await page.goto(hall.url);
    const computer = page.locator('.play').getByRole('button', { name: /^Computer/ });
    assert.ok(within(await resting(computer), screen), 'the computer in the panel that begins games');
    await at(page, { game: 'xiangqi' });
    const board = await resting(page.locator('.stage .board'));
    assert.ok(within(board, screen), `the board is cut: ${JSON.stringify(board)}`);
    assert.ok(board.width >= 300, `the board is ${board.width} wide`);
    await at(page, { game: 'locked' });
    await page.locator('.arrow').first().waitFor();
    for (const arrow of await page.locator('.arrow').all()) assert.ok(within(await resting(arrow), screen), 'an arrow is cut');
    assert.ok(within(await resting(page.locator('.stage .board')), screen), 'the board of locked chess is cut');
    await farewell(page);
  });
}

test('on a tall phone the moves stand under the board, where it was empty', async () => {
  const page = await visitor(browser, { screen: TALL });
  await at(page, { game: 'xiangqi' });
  await put(page, 'h2', 'e2');
  const moves = await resting(page.locator('.moves'));
  const bar = await resting(page.locator('.actions'));
  assert.ok(moves.height > 100 && Math.abs(moves.y + moves.height - bar.y) < 4, `${JSON.stringify(moves)} above ${JSON.stringify(bar)}`);
  await page.locator('.moves .walk').getByRole('button', { name: 'One move back' }).click();
  await until(() => page.locator('.walk .count').textContent(), '0 / 1');
  await until(() => button(page, 'Moves').isVisible(), false, 'no button for what is there');
  await farewell(page);
});

test('the usual clocks are one touch away', async () => {
  const page = await visitor(browser, { screen: PHONE });
  await begin(page, hall.url, 'Gomoku, standard', { how: 'Invite', quick: '3+2' });
  const { table } = await page.evaluate(async () => (await fetch(`/api/tables/${location.pathname.slice(3)}`)).json());
  assert.deepEqual(table.clock, { kind: 'fischer', base_ms: 180_000, increment_ms: 2000 });
  await farewell(page);
});

test('whose turn it is frames a board beside which there is room, and no other', async () => {
  for (const [screen, wanted] of [
    [WIDE, true],
    [TALL, false],
  ]) {
    const page = await visitor(browser, { screen });
    await at(page, { game: 'xiangqi' });
    const frame = await page.locator('.stage.yours').evaluate((e) => getComputedStyle(e).boxShadow !== 'none');
    assert.equal(frame, wanted);
    await farewell(page);
  }
});

test('gomoku’s grid stands in the middle of its board, without grain where it is small', async () => {
  for (const [screen, grain] of [
    [WIDE, 1],
    [PHONE, 0],
  ]) {
    const page = await visitor(browser, { screen, theme: 'dark' });
    await at(page, { game: 'gomoku/standard' });
    const board = await resting(page.locator('.stage .board svg'));
    const grid = await resting(page.locator('[role=grid]'));
    const [left, top] = [grid.x - board.x, grid.y - board.y];
    const [right, bottom] = [board.width - grid.width - left, board.height - grid.height - top];
    assert.ok(Math.abs(left - right) < 1 && Math.abs(top - bottom) < 1, JSON.stringify({ left, right, top, bottom }));
    assert.equal(await page.locator('.board .grain').count(), grain);
    await farewell(page);
  }
});

test('a file that is no record is refused beside the button, in words', async () => {
  for (const [lang, words] of [
    ['en', /“poem.txt” is no record.*PGN/],
    ['zh', /“poem.txt”不是这里能读的棋谱.*PGN/],
  ]) {
    const page = await visitor(browser, { lang });
    page.expected.push(/400/);
    await page.goto(hall.url);
    await page.locator('.card h2').first().waitFor();
    await page
      .locator('.import input')
      .setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from('\u0001 roses are red') });
    const alert = page.locator('.doors [role=alert]');
    await until(() => alert.textContent(), words);
    const [said, door] = [await resting(alert), await resting(page.locator('.import'))];
    assert.ok(said.y - (door.y + door.height) < 40, 'beside the button');
    await farewell(page);
  }
});

test('whoever is new and alone is offered the computer, and gomoku on the board of the terminal', async () => {
  const page = await visitor(browser, { gomoku: 'none' });
  await page.goto(hall.url);
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Gomoku', exact: true }) });
  await until(() => card.locator('.ways .primary').textContent(), 'Computer', 'the loud button');
  await until(() => card.locator('.size').textContent(), '20 × 20');
  await card.getByRole('button', { name: /^One screen/ }).click();
  await until(() => page.locator('[role=gridcell]').count(), 400);
  await page.goto(hall.url);
  await card.locator('.options').click();
  await page.locator('.variants small').first().waitFor();
  await radio(page, '15 × 15');
  await radio(page, 'One screen');
  await page.locator('.new-game button.primary').click();
  await until(() => page.locator('[role=gridcell]').count(), 225, 'the smaller board is a choice');
  await page.goto(hall.url);
  await until(() => page.locator('.doors').textContent(), /A room is a table with a name/);
  await farewell(page);
});

test('the button that begins a game has room under it on the smallest phone', async () => {
  const page = await visitor(browser, { screen: PHONE });
  await page.goto(hall.url);
  await page
    .locator('.card')
    .first()
    .getByRole('button', { name: /^Computer/ })
    .click();
  await page.locator('.levels .who-is b').waitFor();
  const [sheet, begin] = [await resting(page.locator('.sheet')), await resting(page.locator('.new-game button.primary'))];
  const room = Math.min(sheet.y + sheet.height, PHONE.viewport.height) - begin.y - begin.height;
  assert.ok(room >= 12, `${room} pixels`);
  await farewell(page);
});

test('Chinese readers hear what the board shows, in the editor, too', async () => {
  const page = await visitor(browser, { lang: 'zh' });
  await at(page, { game: 'xiangqi' });
  const label = (name) => cell(page, name).getAttribute('aria-label');
  for (const [name, words] of [
    ['c0', /第七路, 红方相/],
    ['c9', /第七路, 黑方象/],
    ['e0', /第五路, 红方帅/],
    ['e9', /第五路, 黑方将/],
    ['a3', /第九路, 红方兵/],
    ['a6', /第九路, 黑方卒/],
    ['d0', /第六路, 红方仕/],
  ])
    await until(() => label(name), words);
  await page.goto(hall.url);
  await page.locator('.card .options').first().click();
  await button(page, '摆局').click();
  await until(() => label('c0'), /第七路, 红方相/);
  await until(() => page.locator('.placing .names text').first().textContent(), '九', 'the files as at the table');
  await farewell(page);
});

test('an analysis judges nothing before it has looked, and a mate is the end', async () => {
  const page = await visitor(browser);
  const watch = () =>
    page.evaluate(() => {
      window.verdicts = [];
      const look = () => {
        const said = document.querySelector('.study .verdict b')?.textContent;
        const fill = document.querySelector('.study .bar i')?.style.width;
        if (said !== undefined) window.verdicts.push(`${said}|${fill}`);
      };
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    });
  await at(page, { game: 'xiangqi' });
  await put(page, 'h2', 'e2');
  await put(page, 'h9', 'g7');
  await button(page, 'Resign').click();
  await page.locator('.actions').getByRole('button', { name: 'Resign' }).click();
  await page.locator('.banner').waitFor();
  await watch();
  await page.locator('.banner').getByRole('button', { name: 'Analyse' }).click();
  await until(
    () =>
      page
        .locator('.study .lines .worth')
        .count()
        .then((n) => n > 0),
    true,
    'it has looked',
  );
  const seen = await page.evaluate(() => window.verdicts);
  assert.ok(!seen.some((v) => /wins|\b(0|4|96|100)%/.test(v)), `nobody has won on the board: ${seen}`);

  await at(page, MATE);
  await put(page, 'b7', 'b9');
  await page.locator('.banner').getByRole('button', { name: 'Analyse' }).click();
  await until(() => page.locator('.study .verdict b').textContent(), 'Red wins', 'not “in 1”');
  await until(() => page.locator('.study .bar i').evaluate((e) => e.style.width), '100%', 'without a sliver');
  await farewell(page);
});

test('an analysis keeps the move that is shown in sight, and a report shows its faults', async () => {
  const page = await visitor(browser);
  await page.goto(hall.url);
  // Rows of stones that never make five.
  const files = 'abcdefghijklmno';
  const points = [1, 3, 5, 7].flatMap((rank) => [...files].slice(0, 12).map((f) => `${f}${rank}`));
  const [first, second] = [points.filter((_, i) => i % 4 < 2), points.filter((_, i) => i % 4 >= 2)];
  const moves = first.flatMap((p, i) => [p, second[i]]);
  const made = await page.evaluate(async (text) => {
    const answer = await fetch('/api/records', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ content: text, base64: false, format: 'pos' }),
    });
    return answer.json();
  }, moves.join(''));
  assert.ok(made.id, JSON.stringify(made));
  await page.goto(`${hall.url}/t/${made.id}`);
  await page.waitForSelector('[role=grid]');
  const shown = async () => {
    const [item, list] = [await page.locator('.ply.on').boundingBox(), await page.locator('.moves ol').boundingBox()];
    return item.y >= list.y - 1 && item.y + item.height <= list.y + list.height + 1;
  };
  for (let i = 0; i < 6; i += 1) await page.keyboard.press('[');
  await until(() => page.locator('.walk .count').textContent(), new RegExp(`^${moves.length - 6} `));
  await until(shown, true);
  await button(page, 'Menu').click();
  await page.locator('.menu').getByRole('button', { name: 'Analyse' }).click();
  await page.locator('.study').waitFor();
  await until(shown, true, 'still in sight beside the analysis');
  await button(page, 'Close the analysis').first().click();
  await page.keyboard.press('End');

  await button(page, 'Resign').click();
  await page.locator('.actions').getByRole('button', { name: 'Resign' }).click();
  const better = { worth: { hundredths: 10 }, moves: ['h8'], names: [['h8']], depth: 5 };
  const faults = [4, 10, 16, 22].map((from) => ({ from, to: from + 1, by: 'first', fault: 'mistake', better }));
  const report = {
    done: 9,
    of: 9,
    points: [
      [0, { hundredths: 0 }],
      [20, { hundredths: 90 }],
    ],
    faults,
  };
  await page.route('**/report', (route) => route.fulfill({ json: report }));
  await page.locator('.banner').getByRole('button', { name: 'Analyse' }).click();
  await button(page, 'Make a report').click();
  await page.locator('.faults li').nth(3).waitFor();
  await until(
    () =>
      page
        .locator('.study .lines li')
        .count()
        .then((n) => n > 0),
    true,
  );
  const seen = async () => {
    const room = await page.locator('.study').boundingBox();
    const rows = await Promise.all((await page.locator('.faults li').all()).map((row) => row.boundingBox()));
    return rows.filter((row) => row.y + row.height <= room.y + room.height + 1).length >= 3;
  };
  await until(seen, true, 'three faults without scrolling at 800 px');
  await farewell(page);
});

test('a hall that cannot keep anything new says so in both languages until it can again', async () => {
  const low = join(tmpdir(), `qiguan-low-${process.pid}.toml`);
  writeFileSync(low, '[limits]\nfree_disk_bytes = 9000000000000000000\n');
  const own = await openHall();
  try {
    const [player, guest] = [await visitor(browser), await visitor(browser, { lang: 'zh' })];
    for (const page of [player, guest]) page.expected.push(/ERR_CONNECTION|WebSocket|503|Failed to load/);
    await player.goto(own.url);
    const made = await player.evaluate(async () => {
      const wish = { game: 'xiangqi', how: 'screen', clock: { kind: 'none' } };
      return (
        await fetch('/api/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(wish) })
      ).json();
    });
    await player.goto(`${own.url}/t/${made.id}`);
    await player.waitForSelector('[role=grid]');
    await guest.goto(own.url);
    await guest.locator('.card h2').first().waitFor();
    const board = await resting(player.locator('.stage'));
    await own.kill();
    await own.again('--limits', 'on', '--config', low);
    await until(() => player.locator('.trouble').textContent(), /disk is nearly full/);
    await until(() => guest.locator('.trouble').textContent(), /磁盘快满了/);
    assert.deepEqual(await resting(player.locator('.stage')), board, 'the board stays');
    assert.ok(apart(await resting(player.locator('.trouble')), board), 'and is not covered');
    await own.kill();
    await own.again('--limits', 'off');
    for (const page of [player, guest]) await page.locator('.trouble').waitFor({ state: 'detached' });
    await put(player, 'h2', 'e2');
    await farewell(player, guest);
  } finally {
    await own.close();
    rmSync(low, { force: true });
  }
});

// The styles of the workshop were everybody's once they were loaded: the hall's buttons stood in a column.
test('the hall looks the same after a visit to the maps', async () => {
  const page = await visitor(browser);
  await page.goto(hall.url);
  const ways = page.locator('.card .ways').first();
  const before = await resting(ways);
  await page.goto(`${hall.url}/maps`);
  await page.locator('.map-card').first().waitFor();
  await page.locator('.brand').click();
  assert.deepEqual(await resting(ways), before);
  await farewell(page);
});

// H5: at 400 % xiangqi was 48 pixels wide, locked chess had no board, and the workshop's pieces lay over its board (WCAG 1.4.10).
test('zoomed in, every place with a board has one of a useful size, one scrolls one way, and nothing lies over it', async () => {
  const first = await visitor(browser);
  await first.goto(`${hall.url}/rules/gomoku`);
  const made = await first.evaluate(async () => {
    const ask = async (path, body) => {
      const how = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
      return (await fetch(path, how)).json();
    };
    const maps = await ask('/api/maps');
    const map = (maps.maps ?? maps)[0].id;
    const open = async (game, more = {}) => (await ask('/api/tables', { game, how: 'screen', clock: { kind: 'none' }, ...more })).id;
    const games = ['xiangqi', 'draughts/international', 'gomoku/standard', 'locked'];
    const tables = await Promise.all([...games.map((game) => open(game)), open('jingbanqi', { map }), open('xiangqi', { how: 'invite' })]);
    return { tables, map };
  });
  const tables = made.tables.map((id) => `/t/${id}`);
  const places = [...tables, `/embed/${made.tables[0]}`, '/puzzles', '/workshop', `/maps/${made.map}`];
  const faults = [];
  await Promise.all(
    [
      [320, 256],
      [426, 341],
      [844, 390],
    ].map(async ([width, height]) => {
      const storageState = await first.context().storageState();
      const page = await visitor(browser, { screen: { viewport: { width, height } }, storageState });
      for (const place of [...places, `${tables[0]}#analysis`]) {
        await page.goto(`${hall.url}${place.replace('#analysis', '')}`);
        const board = page.locator('.board').first();
        await board.waitFor();
        if (place.endsWith('#analysis')) {
          await page.locator('.actions .menu-button').click();
          await button(page, 'Analyse').click();
          await page.locator('.study').waitFor();
        }
        const drawn = board.locator('svg, img').first();
        await resting(drawn);
        const found = await drawn.evaluate((e) => {
          e.scrollIntoView({ block: 'start' });
          const { left, top, right, bottom, width, height } = e.getBoundingClientRect();
          const out = Math.max(document.documentElement.scrollWidth - innerWidth, -left, right - innerWidth);
          // Parts fixed at the bottom may cover it until the page is scrolled.
          const own = (x, y) => e.parentElement.contains(document.elementFromPoint(x, y));
          const free = own((left + right) / 2, top + height / 3) && own(left + width / 4, top + height / 4);
          const beside = [...document.querySelectorAll('.bench-pieces, .bench-tools, .study, .note-row')].filter((other) => {
            const o = other.getBoundingClientRect();
            return o.width > 0 && o.left < right - 1 && o.right > left + 1 && o.top < bottom - 1 && o.bottom > top + 1;
          });
          return { size: Math.round(Math.min(width, height)), out: Math.round(out), free, over: beside.map((o) => o.className) };
        });
        const fits = found.size >= 198 && found.out <= 0 && found.free && found.over.length === 0;
        if (!fits) faults.push(`${width}x${height} ${place}: ${JSON.stringify(found)}`);
      }
      await farewell(page);
    }),
  );
  assert.deepEqual(faults, []);
  await farewell(first);
});

/** Windows in which the button of the form lies over what scrolls behind it, or would take most of the panel. */
const NARROW = {
  '360x640': PHONE,
  '320x256': { viewport: { width: 320, height: 256 } },
  '390x844': TALL,
  '844x390': LYING,
  '1280x800': WIDE,
};
for (const [name, screen] of Object.entries(NARROW)) {
  test(`${name}: what has the focus in the form of a new game is in sight, forwards and backwards`, async () => {
    const page = await visitor(browser, { screen });
    await page.goto(hall.url);
    await page.locator('.card .options').first().click();
    await page.locator('.new-game').waitFor();
    await radio(page, 'Lobby');
    await radio(page, 'Byo-yomi');
    await page.locator('.new-game details').evaluateAll((all) => all.forEach((one) => (one.open = true)));
    const seen = new Set();
    for (const [key, times] of [
      ['Tab', 60],
      ['Shift+Tab', 60],
    ]) {
      for (let i = 0; i < times; i += 1) {
        await page.keyboard.press(key);
        const found = await page.evaluate(() => {
          const focused = document.activeElement;
          const form = document.querySelector('.new-game');
          if (!focused || !form?.contains(focused)) return null;
          const start = form.querySelector('button.primary');
          // The picture of a choice is its label.
          const shown = (focused.matches('[type=radio], [type=checkbox]') && focused.closest('label')) || focused;
          const [box, over, panel] = [shown, start, form.closest('dialog')].map((e) => e.getBoundingClientRect());
          const hidden = focused === start ? 0 : Math.min(box.bottom, over.bottom) - Math.max(box.top, over.top);
          return {
            what: `${shown.tagName} ${shown.textContent.trim().slice(0, 30)} ${focused.getAttribute('name') ?? ''}`,
            hidden: Math.round(hidden),
            // A part taller than the panel can only be seen in part.
            out: box.height > panel.height ? 0 : Math.round(Math.max(panel.top - box.top, box.bottom - panel.bottom)),
            aside: Math.round(Math.max(panel.left - box.left, box.right - panel.right)),
          };
        });
        if (!found) continue;
        seen.add(found.what);
        assert.ok(found.hidden <= 0, `${key}: ${found.what} lies ${found.hidden} pixels under the button`);
        assert.ok(found.aside <= 1, `${key}: ${found.what} lies ${found.aside} pixels beside the panel`);
        assert.ok(found.out <= 1, `${key}: ${found.what} lies ${found.out} pixels outside the panel`);
      }
    }
    assert.ok(seen.size >= 10, `the whole form: ${[...seen].join(', ')}`);
    await page.screenshot({ path: `${PICTURES}/new-game-focus-${name}.png` });
    await farewell(page);
  });
}
