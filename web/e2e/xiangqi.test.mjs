// Xiangqi between two browsers: what a perpetual check and a perpetual chase come to, and why; positions put together by hand.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { begin, button, cell, farewell, openBrowser, openHall, pair, plies, stoneAt, until, visitor } from './house.mjs';

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

/** A rook checks a lone general from one rank and the next. */
const CHECKS = '3k5/R8/9/9/9/9/9/9/9/4K4 w';
/** A rook follows a horse that nothing protects. */
const CHASES = { Red: [['rook', 'd0'], ['general', 'f0']], Black: [['general', 'e9'], ['horse', 'c7']] };

/** Touches the squares of a move and waits until the hall has played it. */
async function go(page, ...squares) {
  const before = await plies(page);
  for (const square of squares) await cell(page, square).click();
  await until(() => plies(page), before + 1, squares.join('-'));
}

/** Plays the moves in turn, each seen by both. */
async function line(players, moves, from = 0) {
  for (const [k, move] of moves.entries()) {
    const i = from + k;
    const [mover, other] = i % 2 === 0 ? players : [...players].reverse();
    await until(() => plies(mover), i, 'the move before is seen');
    await go(mover, ...move.split('-'));
    await until(() => plies(other), i + 1, 'both see the move');
  }
}

/** A position or a table that the hall refuses is an answer, not a fault. */
const REFUSED = [/status of 400 .*\/api\/(positions|tables)$/];

const texts = (locator) => locator.allTextContents().then((all) => all.map((s) => s.trim()));
/** What the move list marks as judged: the number of the ply and the word beside the move. */
const judged = (page) => page.locator('.ply.judged').evaluateAll((all) => all.map((p) => `${p.dataset.ply} ${p.querySelector('small').textContent}`));
const moves = (page) => page.locator('.ply').evaluateAll((all) => all.map((p) => p.firstChild.textContent));

test('perpetual check by link: who loses, and why, in both languages, for all who look', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  const c = await visitor(browser, { lang: 'zh' });
  a.expected = REFUSED;
  await a.goto(hall.url);
  await a.locator('.card', { has: a.getByRole('heading', { name: 'Xiangqi', exact: true }) }).locator('.options').click();
  await a.getByRole('radio', { name: 'Invite', exact: true }).check({ force: true });
  await a.getByRole('radio', { name: 'Red', exact: true }).check({ force: true });
  await a.locator('.new-game details:not(.variants) summary').click();
  await a.getByLabel('Start position').fill('3k5/R8/9/9/9/9/9/9/9/3K5 w');
  await a.locator('.new-game button.primary').click();
  await until(() => a.locator('.new-game [role=alert]').textContent(), /generals face each other/, 'what may not be is refused in words');
  await a.getByLabel('Start position').fill(CHECKS);
  await a.locator('.new-game button.primary').click();
  await a.waitForURL(/\/t\//);
  await b.goto(await a.locator('.share input').inputValue());
  await b.locator('.sit').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');
  await c.goto(a.url());
  await c.waitForSelector('[role=grid]');

  await line([a, b], ['a8-a9']);
  assert.match(await stoneAt(b, 'd9'), /黑方将帅.*被将军/, 'check is shown');
  assert.equal(await b.locator('.note').textContent(), '将军。轮到你走，你执黑方。', 'and said');
  assert.equal(await b.locator('.board .check .says').textContent(), '将军');
  assert.match(await stoneAt(a, 'a9'), /Red rook, last move/);
  assert.ok((await a.locator('.board .corners').count()) === 2, 'where it came from and where it went');
  // What does not answer the check is refused, with the reason.
  await cell(b, 'd9').click();
  await cell(b, 'c9').click();
  await until(() => b.locator('.note').textContent(), /将军/, 'the reason is told');
  assert.equal(await plies(b), 1);
  await b.keyboard.press('Escape');

  await line([a, b], ['d9-d8', 'a9-a8', 'd8-d9', 'a8-a9', 'd9-d8', 'a9-a8', 'd8-d9'], 1);
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  await b.locator('.banner', { hasText: '你赢了' }).waitFor();

  const english = async (page) => {
    const [why, ...notes] = [await page.locator('.banner p').textContent(), ...(await texts(page.locator('.banner .ruling li')))];
    assert.equal(why, 'perpetual check');
    assert.match(notes[0], /^Red gave check with every move until the position stood for the third time\. Perpetual check loses\.$/);
    assert.ok(notes.some((n) => /^Red’s R9\+1 \(车九进一\) gives check\.$/.test(n)), `the checks are named: ${notes.join(' ')}`);
    assert.deepEqual(await judged(page), ['1 check', '3 check', '5 check', '7 check']);
  };
  const chinese = async (page) => {
    // Whoever has just chosen the language waits for its sentences.
    await until(() => page.locator('html').getAttribute('lang'), 'zh', 'the page speaks Chinese');
    await until(() => page.locator('.banner p').first().textContent(), '长将', 'and says why');
    const [why, ...notes] = [await page.locator('.banner p').textContent(), ...(await texts(page.locator('.banner .ruling li')))];
    assert.equal(why, '长将');
    assert.equal(notes[0], '红方步步将军，直到局面第三次出现。单方长将，作负。');
    assert.ok(notes.includes('红方的车九进一（R9+1）将军。'), `the checks are named: ${notes.join(' ')}`);
    assert.deepEqual(await judged(page), ['1 将', '3 将', '5 将', '7 将']);
  };
  await english(a);
  await chinese(b);
  await chinese(c);
  assert.match(await c.locator('.banner h2').textContent(), /黑方胜/);

  // The moves are written as each reads them, and as they choose.
  assert.deepEqual((await moves(a)).slice(0, 4), ['R9+1', 'K4+1', 'R9-1', 'K4-1']);
  assert.deepEqual((await moves(b)).slice(0, 4), ['车九进一', '将4进1', '车九退一', '将4退1']);
  await button(a, 'Settings').click();
  await a.getByLabel('Moves of Xiangqi in').waitFor();
  assert.deepEqual(await texts(a.getByLabel('Moves of Xiangqi in').locator('option')), ['Chinese', 'Chinese, traditional characters', 'WXF (letters)', 'ICCS (squares)']);
  for (const [notation, written] of [['chinese', '车九进一'], ['chinese-traditional', '車九進一'], ['iccs', 'A8-A9'], ['wxf', 'R9+1'], ['chinese', '车九进一']]) {
    await a.getByLabel('Moves of Xiangqi in').selectOption(notation);
    await until(async () => (await moves(a))[0], written, 'the list is written anew at once');
  }
  await a.keyboard.press('Escape');
  await button(a, 'Settings').click();
  await a.getByRole('radio', { name: '中文' }).check({ force: true });
  await a.keyboard.press('Escape');
  await chinese(a);

  for (const page of [b, c]) {
    await page.reload();
    await page.locator('.banner .ruling li').first().waitFor();
    await chinese(page);
  }
  // Closed, it is called back; the squares it speaks of are named beside the board meanwhile.
  await c.locator('.banner .close').click();
  await until(() => c.locator('.note').textContent(), /黑方胜.*长将/, 'the result stays in words');
  await button(c, '结果').click();
  await chinese(c);
  assert.deepEqual((await texts(c.locator('.board .names text'))).slice(0, 9), [...'abcdefghi']);
  // The rules say more, in a place of their own.
  await c.locator('.banner .why').click();
  await c.getByRole('heading', { name: '局面重复时' }).waitFor();
  assert.match(c.url(), /\/rules\/xiangqi#ruling$/);
  await farewell(a, b, c);
});

test('perpetual chase from a position put together by hand; the editor refuses what may not be', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  const c = await visitor(browser);
  a.expected = REFUSED;
  await a.goto(hall.url);
  await a.locator('.card', { has: a.getByRole('heading', { name: 'Xiangqi', exact: true }) }).locator('.options').click();
  await button(a, 'Set up a position').click();
  await a.locator('.set-up [role=grid]').waitFor();
  await button(a, 'Clear').click();
  await until(() => a.locator('.set-up .note').textContent(), /has no general/, 'an empty board is no game');
  assert.ok(await button(a, 'Use this position').isDisabled());
  for (const [side, pieces] of Object.entries(CHASES)) {
    for (const [piece, square] of pieces) {
      await button(a, `${side} ${piece}`).click();
      await cell(a, square).click();
      assert.match(await stoneAt(a, square), new RegExp(`${side} ${piece}`));
    }
  }
  await until(() => a.locator('.set-up .note').textContent(), 'A game may start so.', 'it may');
  // A general in the other's sight, an elephant across the river, a side in check that is not to move.
  await button(a, 'Move').click();
  await cell(a, 'f0').click();
  await cell(a, 'e0').click();
  await until(() => a.locator('.set-up .note').textContent(), 'The two generals face each other with nothing between them.', 'facing');
  await cell(a, 'e0').click();
  await cell(a, 'f0').click();
  await button(a, 'Red elephant').click();
  await cell(a, 'c9').click();
  await until(() => a.locator('.set-up .note').textContent(), 'Red’s elephant can never stand on c9.', 'off limits');
  await cell(a, 'c9').click();
  await button(a, 'Red soldier').click();
  await cell(a, 'e8').click();
  await until(() => a.locator('.set-up .note').textContent(), 'Black is in check from e8, but it is the other side’s turn.', 'whose turn');
  assert.ok(await button(a, 'Use this position').isDisabled());
  await button(a, 'Remove').click();
  await cell(a, 'e8').click();
  await until(() => a.locator('.set-up .note').textContent(), 'A game may start so.', 'again it may');
  assert.equal(await a.getByLabel('Position as text (FEN)').inputValue(), '4k4/9/2n6/9/9/9/9/9/9/3R1K3 w - - 0 1');
  await button(a, 'Use this position').click();
  await a.getByRole('radio', { name: 'Invite', exact: true }).check({ force: true });
  await a.getByRole('radio', { name: 'Red', exact: true }).check({ force: true });
  await a.locator('.new-game button.primary').click();
  await a.waitForURL(/\/t\//);
  await b.goto(await a.locator('.share input').inputValue());
  await b.locator('.sit').click();
  await until(() => a.locator('.note').textContent(), /Your move/, 'the game begins');
  await c.goto(a.url());
  await c.waitForSelector('[role=grid]');

  await line([a, b], ['d0-c0', 'c7-d5', 'c0-d0', 'd5-c7', 'd0-c0', 'c7-d5', 'c0-d0', 'd5-c7']);
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  for (const page of [a, c]) {
    await page.locator('.banner .ruling li').first().waitFor();
    const notes = await texts(page.locator('.banner .ruling li'));
    assert.equal(await page.locator('.banner p').textContent(), 'perpetual chase');
    assert.match(notes[0], /^Red chased the horse that is now on c7 with every move until the position stood for the third time\./);
    assert.ok(notes.some((n) => /lets the rook on c0 attack the horse on c7, which nothing protects\.$/.test(n)), notes.join(' '));
    assert.deepEqual(await judged(page), ['1 chase', '3 chase', '5 chase', '7 chase']);
    assert.match(await stoneAt(page, 'c7'), /Black horse.*chased/);
    assert.match(await stoneAt(page, 'd0'), /Red rook.*chases/);
    assert.equal(await page.locator('.board .mark.chased').count(), 1);
    assert.equal(await page.locator('.board .mark.chaser').count(), 1);
  }
  await b.reload();
  await b.locator('.banner .ruling li').first().waitFor();
  const notes = await texts(b.locator('.banner .ruling li'));
  assert.equal(await b.locator('.banner p').textContent(), '长捉');
  assert.equal(notes[0], '红方步步捉吃现在 c7 位的马，直到局面第三次出现。单方长捉，作负。');
  assert.ok(notes.some((n) => n.endsWith('使 c0 位的车捉 c7 位的马，马无根。')) || notes.some((n) => n.includes('c7 位的马')), notes.join(' '));
  assert.deepEqual(await judged(b), ['1 捉', '3 捉', '5 捉', '7 捉']);
  assert.match(await stoneAt(b, 'c7'), /黑方马.*被捉/);
  // Looking back shows the board of then, without what was found later.
  await b.locator('[data-ply="1"]').click();
  await until(() => stoneAt(b, 'c0'), /红方车/, 'the board of ply 1');
  assert.equal(await b.locator('.board .mark.chased').count(), 0);
  await farewell(a, b, c);
});

test('the board is turned for Black, by hand, and keeps its names', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await pair(a, b, hall.url, 'Xiangqi', { side: 'Red' });
  const first = (page) => page.locator('[role=gridcell]').first().getAttribute('aria-label');
  assert.match(await first(a), /^a9, Black rook/);
  assert.match(await first(b), /^i0, 红方车/);
  await go(a, 'h2', 'e2');
  await until(() => stoneAt(b, 'e2'), /红方炮/, 'seen');
  await a.keyboard.press('f');
  await until(() => first(a), /^i0, Red rook/, 'turned');
  await a.locator('.top').getByRole('button', { name: 'Turn the board' }).click();
  await until(() => first(a), /^a9/, 'and back');
  // A horse that is blocked says so.
  await go(b, 'h7', 'e7');
  await cell(a, 'h0').click();
  await cell(a, 'h4').click();
  await until(() => a.locator('.note').textContent(), 'The horse on h0 cannot go to h4.', 'the reason is told');
  await farewell(a, b);
});

test('home rules: the general is taken, and nothing is judged', async () => {
  const a = await visitor(browser);
  await begin(a, hall.url, 'Xiangqi, home rules', { how: 'One screen' });
  for (const move of ['b2-e2', 'h7-e7', 'e2-e6', 'a9-a8', 'e6-e9']) await go(a, ...move.split('-'));
  await a.locator('.banner', { hasText: 'Red wins' }).waitFor();
  assert.equal(await a.locator('.banner p').textContent(), 'the general was taken');
  await farewell(a);
});
