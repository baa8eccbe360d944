// People together: a challenge by name, talk at the table in two languages, a report that a moderator decides, an appeal, a block.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, test } from 'node:test';
import { binary, button, farewell, faultsOf, openHall, openBrowser, PHONE, PICTURES, until, visitor, WIDE, signUp } from './house.mjs';

const hall = await openHall();
after(() => hall.close());
const browser = await openBrowser();
after(() => browser.close());

/** Makes a visitor with an account, as a program would. */
async function account(name, options) {
  const page = await visitor(browser, { gomoku: 'freestyle', ...options });
  await signUp(hall, page, name);
  return page;
}

const SAY = {
  en: {
    challenge: 'Challenge',
    send: 'Send the challenge',
    sent: /The challenge is sent/,
    accept: 'Accept',
    menu: 'Menu',
    talk: 'Talk',
    hello: 'Hello!',
    say: 'Say',
    report: 'Report',
    reported: /Reported/,
    decide: 'Decide',
    play: 'How they have played',
    unrated: 'They have played no rated game.',
    nothing: /Nothing waits/,
    muted: /Mute/,
    appeal: 'Appeal',
    waits: /waits for an answer/,
    block: 'Block',
    unblock: 'Unblock',
    blocked: /blocked/,
  },
  zh: {
    challenge: '约战',
    send: '发出约战',
    sent: /约战已发出/,
    accept: '接受',
    menu: '菜单',
    talk: '聊天',
    hello: '你好！',
    say: '发送',
    report: '举报',
    reported: /已举报/,
    decide: '决定',
    play: '对局情况',
    unrated: '没有下过等级分对局。',
    nothing: /没有待处理/,
    muted: /禁言/,
    appeal: '申诉',
    waits: /待答复/,
    block: '屏蔽',
    unblock: '解除屏蔽',
    blocked: /已屏蔽/,
  },
};

for (const [shape, screen, lang, theme] of [
  ['wide', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
]) {
  test(`${shape}, ${lang}, ${theme}: challenge, talk, report, decide, appeal, block`, async () => {
    const say = SAY[lang];
    const faults = [];
    const see = async (page, place) => {
      faults.push(...(await faultsOf(page, place)));
      await page.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}-${theme}.png`, fullPage: true });
    };
    const names = [`Carl ${shape}`, `Dora ${shape}`, `Mona ${shape}`];
    const a = await account(names[0], { screen, lang, theme });
    // The other reads the other language: phrases are read by everybody in their own.
    const b = await account(names[1], { screen, lang: lang === 'en' ? 'zh' : 'en', theme });
    const m = await account(names[2], { screen, lang, theme });
    const theirs = SAY[lang === 'en' ? 'zh' : 'en'];
    // A page may send a request while the hall is away, or wait for an answer just then.
    for (const page of [a, b, m]) page.expected.push(/net::ERR_/);
    await hall.kill();
    execFileSync(binary, ['admin', 'role', names[2], 'moderator', '--data', hall.data]);
    await hall.again();

    // A challenge by name, seen in the lobby at once.
    await b.goto(hall.url);
    await b.locator('.card h2, .card h3').first().waitFor();
    await a.goto(`${hall.url}/@/${encodeURIComponent(names[1])}`);
    const company = a.locator('.company');
    await company.locator('summary', { hasText: say.challenge }).click();
    await company.locator('select').first().selectOption('gomoku/freestyle');
    await see(a, 'company');
    await button(a, say.send).click();
    await until(() => company.locator('[role=status]').textContent(), say.sent);
    await a.goto(hall.url);
    await b.locator('.challenged li').waitFor();
    await see(b, 'challenged');
    await until(
      () =>
        a
          .locator('.card')
          .count()
          .then((n) => n > 0),
      true,
      'the lobby is here',
    );
    await button(b, theirs.accept).click();
    await Promise.all([a, b].map((page) => page.waitForURL(/\/t\//)));
    assert.equal(new URL(a.url()).pathname, new URL(b.url()).pathname, 'one table for both');
    await Promise.all([a, b].map((page) => page.waitForSelector('[role=grid]')));

    // Talk: a phrase in each one's language, and words.
    await button(b, theirs.menu).click();
    await button(b, theirs.talk).click();
    await b.locator('.chat select').selectOption('hello');
    await until(() => b.locator('.chat .lines').textContent(), new RegExp(theirs.hello));
    // It opens by itself when the other player writes.
    await until(() => a.locator('.chat .lines').textContent(), new RegExp(say.hello));
    await a.locator('.chat input').fill('you <b>stone</b> https://x.example');
    await button(a, say.say).click();
    const insult = b.locator('.chat .lines li', { hasText: 'you <b>stone</b> https://x.example' });
    await insult.waitFor();
    assert.equal(await b.locator('.chat .lines :is(a, b b)').count(), 0, 'nothing of it is more than text');
    await see(a, 'chat');
    await insult.locator('button').click();
    await button(b, theirs.report).last().click();
    await until(() => b.locator('.chat [role=status]').textContent(), theirs.reported);

    // The moderator sees what was said, and decides.
    await m.goto(`${hall.url}/people/moderation`);
    const report = m.locator('.report');
    await until(() => report.locator('.said').textContent(), /you <b>stone<\/b>/);
    await button(m, say.play).click();
    await until(() => report.locator('.play p').textContent(), say.unrated);
    await report.locator('select').selectOption('mute');
    await report.locator('textarea').fill('Be kind.');
    await see(m, 'moderation');
    await button(m, say.decide).click();
    await until(() => m.locator('main').textContent(), say.nothing);
    await a.locator('.chat input').fill('again');
    await button(a, say.say).click();
    await a.locator('.chat [role=alert]').waitFor();

    // The reported person is told the reason, and appeals.
    await a.goto(`${hall.url}/account`);
    await until(() => a.locator('section[aria-labelledby=decisions]').textContent(), say.muted);
    await a.locator('section[aria-labelledby=decisions] textarea').fill('It was a joke.');
    await see(a, 'decisions');
    await a.locator('section[aria-labelledby=decisions]').getByRole('button').click();
    await until(() => a.locator('section[aria-labelledby=decisions]').textContent(), say.waits);
    await m.reload();
    await until(() => m.locator('.report').textContent(), /It was a joke/);
    await button(m, say.decide).click();
    await until(() => m.locator('main').textContent(), say.nothing);

    // Blocked, he is on her list and cannot challenge her.
    await b.goto(`${hall.url}/@/${encodeURIComponent(names[0])}`);
    await button(b, theirs.block).click();
    await button(b, theirs.unblock).waitFor();
    await b.goto(`${hall.url}/people`);
    await until(() => b.locator('main').textContent(), theirs.blocked);
    await see(b, 'people');
    a.expected.push(/403 .*\/api\/challenge\//);
    const refused = await a.evaluate(
      (name) =>
        fetch(`/api/challenge/${encodeURIComponent(name)}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ game: 'gomoku/freestyle', clock: { kind: 'none' } }),
        }).then((answer) => answer.status),
      names[1],
    );
    assert.equal(refused, 403);
    assert.deepEqual(faults, []);
    await farewell(a, b, m);
  });
}
