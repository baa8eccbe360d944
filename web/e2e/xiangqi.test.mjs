// Xiangqi between two browsers: the rulings on perpetual check and perpetual chase, with their reasons; positions put
// together by hand.

import { test } from 'node:test';
import { begin, button, cell, farewell, openHouse, pair, plies, put, radio, shut, stoneAt, toMove, until, visitor } from './house.mjs';

const { hall, browser } = await openHouse();

/** A rook checks a lone general from one rank and the next. */
const CHECKS = '3k5/R8/9/9/9/9/9/9/9/4K4 w';
/** A rook follows a horse that nothing protects. */
const CHASES = {
  Red: [
    ['rook', 'd0'],
    ['general', 'f0'],
  ],
  Black: [
    ['general', 'e9'],
    ['horse', 'c7'],
  ],
};

/** Plays the moves in turn, each seen by both. */
async function line(players, moves, from = 0) {
  for (const [k, move] of moves.entries()) {
    const i = from + k;
    const [mover, other] = i % 2 === 0 ? players : [...players].reverse();
    await put(mover, ...move.split('-'));
    await until(() => plies(other), i + 1, 'both see the move');
  }
}

/** A position or a table that the hall refuses is an answer, not an error. */
const REFUSED = [/status of 400 .*\/api\/(positions|tables)$/];

const texts = (locator) => locator.allTextContents().then((all) => all.map((s) => s.trim()));
/** Returns the sentences of a ruling, one a line. */
const notes = (page) => texts(page.locator('.banner .ruling li')).then((all) => all.join('\n'));
/** Returns the judged moves of the list: the number of the ply and the word beside the move. */
const judged = (page) =>
  page.locator('.ply.judged').evaluateAll((all) => all.map((p) => `${p.dataset.ply} ${p.querySelector('small').textContent}`));
const moves = (page) => page.locator('.ply').evaluateAll((all) => all.map((p) => p.firstChild.textContent));

test('perpetual check by link: who loses, and why, in both languages, for all who look', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  const c = await visitor(browser, { lang: 'zh' });
  a.expected = REFUSED;
  await a.goto(hall.url);
  await a
    .locator('.card', { has: a.getByRole('heading', { name: 'Xiangqi', exact: true }) })
    .locator('.options')
    .click();
  await radio(a, 'Invite');
  await radio(a, 'Red');
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
  await until(() => stoneAt(b, 'd9'), /黑方将.*被将军/, 'check is shown');
  await until(() => b.locator('.note').textContent(), '将军。轮到你走，你执黑方。', 'and said');
  await until(() => b.locator('.board .check .says').textContent(), '将军');
  await until(() => stoneAt(a, 'a9'), /Red rook, last move/);
  await until(() => a.locator('.board .corners').count(), 2, 'where it came from and where it went');
  // A move that does not answer the check is refused, with the reason.
  await cell(b, 'd9').click();
  await cell(b, 'c9').click();
  await b.locator('.note.problem', { hasText: '将军' }).waitFor();
  await until(() => plies(b), 1);
  await b.keyboard.press('Escape');

  await line([a, b], ['d9-d8', 'a9-a8', 'd8-d9', 'a8-a9', 'd9-d8', 'a9-a8', 'd8-d9'], 1);
  await a.locator('.banner', { hasText: 'You lose' }).waitFor();
  await b.locator('.banner', { hasText: '你赢了' }).waitFor();

  const english = async (page) => {
    await until(() => page.locator('.banner p').first().textContent(), 'perpetual check');
    await until(
      () => notes(page),
      /^Red gave check with every move until the position stood for the third time\. Perpetual check loses\.$/m,
    );
    await until(() => notes(page), /^Red’s R9\+1 \(车九进一\) gives check\.$/m, 'the checks are named');
    await until(() => judged(page), ['1 check', '3 check', '5 check', '7 check']);
  };
  const chinese = async (page) => {
    // The texts of a language that was just chosen take a moment.
    await until(() => page.locator('html').getAttribute('lang'), 'zh', 'the page speaks Chinese');
    await until(() => page.locator('.banner p').first().textContent(), '长将', 'and says why');
    await until(() => notes(page), /^红方步步将军，直到局面第三次出现。单方长将，作负。$/m);
    await until(() => notes(page), /^红方的车九进一（R9\+1）将军。$/m, 'the checks are named');
    await until(() => judged(page), ['1 将', '3 将', '5 将', '7 将']);
  };
  await english(a);
  await chinese(b);
  await chinese(c);
  await until(() => c.locator('.banner h2').textContent(), /黑方胜/);

  // Each reader sees the moves in their own notation, and in the one they choose.
  await until(async () => (await moves(a)).slice(0, 4), ['R9+1', 'K4+1', 'R9-1', 'K4-1']);
  await until(async () => (await moves(b)).slice(0, 4), ['车九进一', '将4进1', '车九退一', '将4退1']);
  await button(a, 'Settings').click();
  await a.getByLabel('Moves of Xiangqi in').waitFor();
  await until(
    () => texts(a.getByLabel('Moves of Xiangqi in').locator('option')),
    ['Chinese', 'Chinese, traditional characters', 'WXF (letters)', 'ICCS (squares)'],
  );
  for (const [notation, written] of [
    ['chinese', '车九进一'],
    ['chinese-traditional', '車九進一'],
    ['iccs', 'A8-A9'],
    ['wxf', 'R9+1'],
    ['chinese', '车九进一'],
  ]) {
    await a.getByLabel('Moves of Xiangqi in').selectOption(notation);
    await until(async () => (await moves(a))[0], written, 'the list is written anew at once');
  }
  await shut(a);
  await button(a, 'Settings').click();
  await radio(a, '中文');
  await shut(a);
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
  await until(async () => (await texts(c.locator('.board .names text'))).slice(0, 9), [...'abcdefghi']);
  // The rules say more, in a place of their own.
  await c.locator('.banner .why').click();
  await c.getByRole('heading', { name: '局面重复时' }).waitFor();
  await until(() => c.url(), /\/rules\/xiangqi#ruling$/);
  await farewell(a, b, c);
});

test('perpetual chase from a position put together by hand; the editor refuses what may not be', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  const c = await visitor(browser);
  a.expected = REFUSED;
  await a.goto(hall.url);
  await a
    .locator('.card', { has: a.getByRole('heading', { name: 'Xiangqi', exact: true }) })
    .locator('.options')
    .click();
  await button(a, 'Set up a position').click();
  await a.locator('.set-up [role=grid]').waitFor();
  await button(a, 'Clear').click();
  await until(() => a.locator('.set-up .note').textContent(), /has no general/, 'an empty board is no game');
  await until(() => button(a, 'Use this position').isDisabled(), true);
  for (const [side, pieces] of Object.entries(CHASES)) {
    for (const [piece, square] of pieces) {
      await button(a, `${side} ${piece}`).click();
      await cell(a, square).click();
      await until(() => stoneAt(a, square), new RegExp(`${side} ${piece}`));
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
  await until(() => button(a, 'Use this position').isDisabled(), true);
  await button(a, 'Remove').click();
  await cell(a, 'e8').click();
  await until(() => a.locator('.set-up .note').textContent(), 'A game may start so.', 'again it may');
  await until(() => a.getByLabel('Position as text (FEN)').inputValue(), '4k4/9/2n6/9/9/9/9/9/9/3R1K3 w - - 0 1');
  await button(a, 'Use this position').click();
  await radio(a, 'Invite');
  await radio(a, 'Red');
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
    await until(() => page.locator('.banner p').textContent(), 'perpetual chase');
    await until(() => notes(page), /^Red chased the horse that is now on c7 with every move until the position stood for the third time\./);
    await until(() => notes(page), /lets the rook on c0 attack the horse on c7, which nothing protects\.$/m);
    await until(() => judged(page), ['1 chase', '3 chase', '5 chase', '7 chase']);
    await until(() => stoneAt(page, 'c7'), /Black horse.*chased/);
    await until(() => stoneAt(page, 'd0'), /Red rook.*chases/);
    await until(() => page.locator('.board .mark.chased').count(), 1);
    await until(() => page.locator('.board .mark.chaser').count(), 1);
  }
  await b.reload();
  await b.locator('.banner .ruling li').first().waitFor();
  await until(() => b.locator('.banner p').textContent(), '长捉');
  await until(() => notes(b), /^红方步步捉吃现在 c7 位的马，直到局面第三次出现。单方长捉，作负。$/m);
  await until(() => notes(b), /使 c0 位的车捉 c7 位的马；该子无根。$/m);
  await until(() => judged(b), ['1 捉', '3 捉', '5 捉', '7 捉']);
  await until(() => stoneAt(b, 'c7'), /黑方马.*被捉/);
  // A past position is shown without the marks found later.
  await b.locator('[data-ply="1"]').click();
  await until(() => stoneAt(b, 'c0'), /红方车/, 'the board of ply 1');
  await until(() => b.locator('.board .mark.chased').count(), 0);
  await farewell(a, b, c);
});

test('the board is turned for Black, by hand, and keeps its names', async () => {
  const a = await visitor(browser);
  const b = await visitor(browser, { lang: 'zh' });
  await pair(a, b, hall.url, 'Xiangqi', { side: 'Red' });
  const first = (page) => page.locator('[role=gridcell]').first().getAttribute('aria-label');
  await until(() => first(a), /^a9, file 9, Black rook/);
  await until(() => first(b), /^i0, 第9路, 红方车/);
  await put(a, 'h2', 'e2');
  await until(() => stoneAt(b, 'e2'), /红方炮/, 'seen');
  await a.keyboard.press('f');
  await until(() => first(a), /^i0, file 9, Red rook/, 'turned');
  await a.locator('.top').getByRole('button', { name: 'Turn the board' }).click();
  await until(() => first(a), /^a9/, 'and back');
  // The page says that a blocked horse cannot move.
  await put(b, 'h7', 'e7');
  await cell(a, 'h0').click();
  await cell(a, 'h4').click();
  await until(() => a.locator('.note').textContent(), 'The horse on h0 cannot go to h4.', 'the reason is told');
  await farewell(a, b);
});

test('home rules: the general is taken, and nothing is judged', async () => {
  const a = await visitor(browser);
  await begin(a, hall.url, 'Xiangqi, home rules', { how: 'One screen' });
  for (const move of ['b2-e2', 'h7-e7', 'e2-e6', 'a9-a8', 'e6-e9']) await put(a, ...move.split('-'));
  await a.locator('.banner', { hasText: 'Red wins' }).waitFor();
  await until(() => a.locator('.banner p').textContent(), 'the general was taken');
  await farewell(a);
});

/** One-screen tables: the other side may move, either side begins at home, and a game starts again. */
test('one screen: who moves is exchanged, a game begins anew, and at home either side begins', async () => {
  const a = await visitor(browser);
  await begin(a, hall.url, 'Xiangqi', { how: 'One screen' });
  await put(a, 'h2', 'e2');
  await until(() => plies(a), 1);
  const first = a.url();
  await button(a, 'Menu').click();
  await button(a, 'Let the other side move').click();
  await until(async () => a.url() !== first && (await plies(a)) === 0, true, 'another table stands there');
  await until(() => a.locator('.strip.near').getAttribute('class'), /turn/, 'Red moves again');
  await put(a, 'h0', 'g2');
  await until(() => plies(a), 1);
  await button(a, 'Menu').click();
  await button(a, 'New game').click();
  await until(() => plies(a), 0, 'a new game');
  await begin(a, hall.url, 'Xiangqi, home rules', { how: 'One screen' });
  const red = a.url();
  await toMove(a);
  await cell(a, 'h9').click();
  await until(() => a.url() !== red, true, 'Black begins');
  await until(() => a.locator('.board .mark.chosen').count(), 1, 'and the horse is chosen already');
  await put(a, 'g7');
  await until(() => plies(a), 1);
  await farewell(a);
});
