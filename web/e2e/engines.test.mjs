// Games against programs: a level of every family and of a map, their look, and the page's messages.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { axe, button, farewell, openHall, openHouse, PHONE, pick, PICTURES, plies, put, until, visitor, witness } from './house.mjs';

const { hall, browser } = await openHouse();

const picture = (page, name) => page.screenshot({ path: join(PICTURES, `engines-${name}.png`) });

/** Starts a game against the computer from the card of a family in the hall. */
async function against(page, family, level = 3, side = 'first') {
  await page.goto(hall.url);
  await page
    .locator('.card', { has: page.getByRole('heading', { name: family, exact: true }) })
    .getByRole('button', { name: /^(Computer|电脑)[:：]/ })
    .click();
  await sitDown(page, level, side);
}

async function sitDown(page, level, side) {
  await pick(page.locator('.levels .steps input').nth(level - 1));
  await pick(
    page
      .locator('.new-game .segments')
      .filter({ has: page.locator('legend', { hasText: /^(Your side|执子)$/ }) })
      .locator('input')
      .nth(side === 'first' ? 0 : 1),
  );
  await page.locator('.new-game button.primary').click();
  await page.waitForURL(/\/t\//);
  await page.waitForSelector('[role=grid]');
}

/** Returns true if it is the person's turn, or the game is over. */
const mine = async (page) => /^●/.test(await page.title()) || (await page.locator('.banner').count()) > 0;

/** Plays any legal moves for the person's whole turn, and waits for the answer. */
async function turn(page) {
  await until(() => mine(page), true, 'the person is to move');
  const before = await plies(page);
  for (let i = 0; i < 8 && (await mine(page)) && !(await page.locator('.banner').isVisible()); i += 1) {
    const known = await plies(page);
    await anyPly(page);
    await until(() => plies(page).then((n) => n > known), true, 'the ply is played');
  }
  await until(() => mine(page), true, 'the program has answered');
  await until(async () => (await plies(page)) > before + 1 || (await page.locator('.banner').isVisible()), true, 'both have moved');
}

/** Plays one legal ply, from the table's own list. */
async function anyPly(page) {
  const id = new URL(page.url()).pathname.split('/').pop();
  const full = await page.evaluate((path) => fetch(path).then((r) => r.json()), `/api/tables/${id}`);
  const { moves, pieces } = full.view;
  let text;
  if (moves === 'empty') {
    const taken = new Set(pieces.map((p) => p[0]));
    const labels = await page
      .locator('[role=gridcell]')
      .evaluateAll((all) => all.map((c) => [Number(c.dataset.cell), c.getAttribute('aria-label').split(',')[0]]));
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
    await until(() => page.locator('.strip.far span.name').textContent(), /^Level 3 · Companion$/);
    for (let i = 0; i < 3; i += 1) await turn(page);
    await until(async () => (await plies(page)) >= 6, true, 'three turns each');
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
  await until(() => axe(page, 'levels'), []);
  await sitDown(page, 3, 'first');
  await until(() => page.locator('.strip.far span.name').textContent(), '3 级 · 棋友');
  await turn(page);
  await turn(page);
  await picture(page, 'map-phone-zh');
  await farewell(page);
});

test('one takes back, offers a draw, gives up and plays again', async () => {
  const page = await visitor(browser, { gomoku: 'freestyle' });
  await page.goto(hall.url);
  await page
    .locator('.card', { has: page.getByRole('heading', { name: 'Gomoku', exact: true }) })
    .getByRole('button', { name: /^Computer/ })
    .click();
  await picture(page, 'levels');
  await until(() => axe(page, 'levels'), []);
  await sitDown(page, 10, 'first');
  const thought = await witness(page, '.strip.far .thinks');
  await put(page, 'h8');
  await until(thought, true, 'it thinks, and that is shown');
  await picture(page, 'thinks');
  await button(page, 'Take back').click();
  await until(() => plies(page), 0, 'what it thought about is taken back');
  await put(page, 'h8');
  await until(() => plies(page), 2, 'it answers the new one');
  const offered = await witness(page, '.offer');
  await button(page, 'Offer draw').click();
  await until(offered, true, 'a draw is offered');
  await until(() => page.locator('.offer').count(), 0, 'too early a draw is declined');
  await button(page, 'Resign').click();
  await page.locator('.actions .danger').click();
  await page.locator('.banner').getByRole('button', { name: 'Rematch' }).click();
  await until(async () => plies(page).catch(() => -1), 1, 'with colours changed it begins');
  await until(() => page.locator('.strip.far span.name').textContent(), /^Level 10/);
  await farewell(page);
});

test('a hint points at a move and says it', async () => {
  const page = await visitor(browser, { lang: 'zh' });
  await page.goto(hall.url);
  await page
    .locator('.card', { has: page.getByRole('heading', { name: '象棋', exact: true }) })
    .getByRole('button', { name: /^电脑[:：]/ })
    .click();
  await sitDown(page, 3, 'first');
  await button(page, '提示').click();
  await until(() => page.locator('.note').textContent(), /^可以走.+。之后可能是/, 'it is said');
  await until(() => page.locator('.advice.best').count(), 1, 'and shown');
  await picture(page, 'hint-zh');
  await turn(page);
  await until(() => page.locator('.advice').count(), 0, 'it was about another position');
  await farewell(page);
});

test('between people there are no hints', async () => {
  const page = await visitor(browser);
  const id = await page.goto(hall.url).then(() =>
    page.evaluate(() =>
      fetch('/api/tables', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ game: 'xiangqi', how: 'invite', clock: { kind: 'none' }, side: 'first' }),
      })
        .then((r) => r.json())
        .then((m) => m.id),
    ),
  );
  const other = await visitor(browser);
  await other.goto(`${hall.url}/t/${id}`);
  await other.locator('.sit').click();
  await page.goto(`${hall.url}/t/${id}`);
  await until(() => page.locator('.note').textContent(), /Your move/, 'the game is on');
  await until(() => button(page, 'Hint').count(), 0);
  await page.locator('.menu-button').click();
  await page.locator('.menu').waitFor();
  await until(() => page.locator('.menu').getByText('Analyse').count(), 0);
  await farewell(page, other);
});

/** A game on one screen that the first player could have won, and lost. */
async function lost(page) {
  await page.goto(hall.url);
  const id = await page.evaluate(() =>
    fetch('/api/tables', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ game: 'gomoku/freestyle', options: { size: 15 }, how: 'screen', clock: { kind: 'none' } }),
    })
      .then((r) => r.json())
      .then((m) => m.id),
  );
  await page.goto(`${hall.url}/t/${id}`);
  await page.waitForSelector('[role=grid]');
  for (const name of ['h8', 'g7', 'i8', 'g6', 'j8', 'g5', 'k8', 'g4', 'm12', 'g3']) await put(page, name);
  await page.locator('.banner').waitFor();
}

for (const [what, options, words] of [
  ['desk', {}, { analyse: 'Analyse', make: 'Make a report', sure: /^White wins/, try: 'Try moves from here', back: 'Back to the game' }],
  [
    'phone-zh',
    { screen: PHONE, lang: 'zh', theme: 'dark' },
    { analyse: '研究', make: '生成复盘', sure: /^白方胜/, try: '从这里自己试着走', back: '回到对局' },
  ],
]) {
  test(`a finished game is analysed and reported on: ${what}`, async () => {
    const page = await visitor(browser, options);
    await lost(page);
    // A small phone has the button below only.
    await page
      .locator(what === 'desk' ? '.banner' : '.actions')
      .getByRole('button', { name: words.analyse })
      .click();
    await until(() => page.locator('.verdict b').textContent(), words.sure, 'who won');
    await button(page, words.make).click();
    await until(
      () =>
        page
          .locator('.faults b.fault.blunder')
          .count()
          .then((n) => n > 0),
      true,
      'the report finds what lost the game',
    );
    await page.locator('.found').waitFor();
    const last = page
      .locator('.faults button')
      .filter({ has: page.locator('.fault.blunder') })
      .last();
    await until(() => last.textContent(), /\?\?.*5\. m12.*(g8|l8)/s);
    await last.click();
    await until(() => page.locator('.walk .count').textContent(), /^8 \/ 10$/, 'one looks at the position before');
    await until(() => page.locator('.lines li').count(), 3, 'as many lines as are asked for');
    await until(() => page.locator('.lines li').filter({ hasText: /^\+#1/ }).count(), 2, 'both fives');
    await until(() => page.locator('.advice').count(), 3, 'they are shown');
    if (what === 'desk')
      await until(async () => (await page.locator('.moves small.fault').count()) > 0, true, 'the list of moves has the signs');
    await picture(page, `study-${what}`);
    await page.screenshot({ path: join(PICTURES, `engines-study-${what}-full.png`), fullPage: true });
    await until(() => axe(page, `study ${what}`), []);
    await page.locator('.line-moves button').first().click();
    const back = page.locator('.study').getByRole('button', { name: words.back, exact: true });
    await back.waitFor();
    await until(
      () =>
        page
          .locator('[role=gridcell][aria-label^="g8,"], [role=gridcell][aria-label^="l8,"]')
          .evaluateAll((all) => all.some((c) => /last|刚走|最后/.test(c.getAttribute('aria-label')))),
      true,
      'the move of the line is on the board',
    );
    await back.click();
    await button(page, words.try).click();
    await until(
      () =>
        page
          .locator('.walk .count')
          .textContent()
          .catch(() => ''),
      /^0 \/ 0$/,
      "a board of one's own from there",
    );
    await farewell(page);
  });
}

test('the hall falls while it thinks, and it goes on', async () => {
  const page = await visitor(browser, { gomoku: 'freestyle' });
  page.expected = [/ERR_CONNECTION_REFUSED|WebSocket|Failed to load/];
  await against(page, 'Gomoku', 10);
  const thought = await witness(page, '.strip.far .thinks');
  await put(page, 'h8');
  await until(thought, true, 'it thinks');
  await hall.kill();
  await hall.again();
  await until(() => plies(page), 2, 'it has answered');
  await farewell(page);
});

/** A program that answers one move, evaluates it as even, and then breaks down. */
const SCRIPT = `while read -r line; do case "$line" in
uci) echo 'option name MultiPV type spin default 1 min 1 max 5'; echo uciok;;
isready) echo readyok;;
*moves*moves*) exit 3;;
*b9c7*) exit 3;;
go*) echo 'info depth 9 multipv 1 score cp 0 nodes 77 pv b9c7 b2e2'; echo bestmove b9c7;;
esac; done
`;

test("somebody else's program plays, breaks down, and loses; the person is told", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'qiguan-engine-'));
  writeFileSync(join(folder, 'engine.sh'), SCRIPT);
  writeFileSync(
    join(folder, 'engines.toml'),
    '[[engine]]\nname = "Fake Fish"\ncommand = ["sh", "engine.sh"]\nprotocol = "uci"\ngames = ["xiangqi"]\nunconfined = true\n',
  );
  const other = await openHall('--engines', join(folder, 'engines.toml'));
  const page = await visitor(browser);
  try {
    await page.goto(other.url);
    await page
      .locator('.card', { has: page.getByRole('heading', { name: 'Xiangqi', exact: true }) })
      .getByRole('button', { name: /^Computer/ })
      .click();
    await page.locator('.levels .others label', { hasText: 'Fake Fish' }).click();
    await picture(page, 'foreign');
    await pick(
      page
        .locator('.new-game .segments', { has: page.locator('legend', { hasText: 'Your side' }) })
        .locator('input')
        .first(),
    );
    await page.locator('.new-game button.primary').click();
    await page.waitForURL(/\/t\//);
    await page.waitForSelector('[role=grid]');
    await until(() => page.locator('.strip.far span.name').textContent(), 'Fake Fish');
    await put(page, 'h2', 'e2');
    await until(() => plies(page), 2, 'it answers');
    await put(page, 'h0', 'g2');
    await until(
      () =>
        page
          .locator('.banner p')
          .first()
          .textContent()
          .catch(() => ''),
      /program has stopped working/,
      'what happened is told',
    );
    await until(() => page.locator('.banner h2').textContent(), /You win/);
    await page.locator('.banner').getByRole('button', { name: 'Analyse' }).click();
    await page.locator('.study .who').selectOption('Fake Fish');
    await farewell(page);
  } finally {
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
