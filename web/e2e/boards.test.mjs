// The boards of the old games, their editor and their chooser: accessible and within the screen in every look, and
// pictured for people to judge.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cell, farewell, faultsOf, looks, openHouse, openSettings, PICTURES, put, shut, toMove, until, visitor } from './house.mjs';

const { hall, browser } = await openHouse();

const HAND = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

const AROUND = 'W:W33,46:B1,18,19,28,29';
const CHASES = ['4k4/9/2n6/9/9/9/9/9/9/3R1K3 w', 'd0-c0 c7-d5 c0-d0 d5-c7 d0-c0 c7-d5 c0-d0 d5-c7'];
const CHECKS = ['3k5/R8/9/9/9/9/9/9/9/4K4 w', 'a8-a9 d9-d8 a9-a8 d8-d9 a8-a9 d9-d8 a9-a8 d8-d9'];

async function make(page, wish) {
  const made = await page.evaluate(
    (body) =>
      fetch('/api/tables', { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }).then((r) =>
        r.json(),
      ),
    { how: 'screen', clock: { kind: 'none' }, ...wish },
  );
  await page.goto(`${hall.url}/t/${made.id}`);
  await page.waitForSelector('[role=grid]');
}

async function play(page, moves) {
  for (const move of moves.split(' ')) await put(page, ...move.split('-'));
}

for (const { shape, screen, lang, theme } of looks({ phone: HAND, themes: ['light', 'dark'] })) {
  test(`${shape}, ${lang}, ${theme}: xiangqi and draughts`, async () => {
    const a = await visitor(browser, { screen, lang, theme });
    // A position that the editor refuses is an answer, not an error.
    a.expected = [/status of 400 .*\/api\/positions$/];
    const faults = [];
    const see = async (place) => {
      faults.push(...(await faultsOf(a, place)));
      await a.screenshot({ path: `${PICTURES}/${place}-${shape}-${lang}-${theme}.png` });
    };
    await a.goto(hall.url);
    await a.locator('.card .play').nth(3).waitFor();
    await see('boards-hall');
    await openSettings(a);
    await a.locator('dialog[open] select').first().waitFor();
    await see('boards-settings');
    await shut(a);
    const card = (name) => a.locator('.card', { has: a.getByRole('heading', { name, exact: true }) }).locator('.options');
    await card(lang === 'zh' ? '国际跳棋' : 'Draughts').click();
    await a.locator('.variants summary').click();
    await see('boards-variants');
    await a.locator('.variants summary').click();
    await a.locator('.wide-button').click();
    await a.locator('.set-up [role=grid]').waitFor();
    await a.locator('.set-up .piece-of').nth(1).click();
    await cell(a, '23').click();
    await see('boards-draughts-editor');
    await a.locator('dialog[open] .sheet-head button').click();
    await a.locator('dialog').waitFor({ state: 'detached' });
    await card(lang === 'zh' ? '象棋' : 'Xiangqi').click();
    await a.locator('.wide-button').click();
    await a.locator('.set-up [role=grid]').waitFor();
    await a.locator('.set-up .piece-of').nth(2).click();
    await cell(a, 'e5').click();
    await until(() => a.locator('.set-up .note').getAttribute('class'), /problem/, 'no elephant there');
    await see('boards-xiangqi-editor');
    await a.locator('dialog[open] .sheet-head button').click();
    await a.locator('dialog').waitFor({ state: 'detached' });

    await make(a, { game: 'xiangqi' });
    await play(a, 'h2-e2 h9-g7 h0-g2');
    await see('boards-xiangqi');
    await make(a, { game: 'xiangqi', fen: CHECKS[0] });
    await play(a, CHECKS[1].split(' ')[0]);
    await see('boards-xiangqi-check');
    await play(a, CHECKS[1].split(' ').slice(1).join(' '));
    await a.locator('.banner .ruling').waitFor();
    await see('boards-perpetual-check');
    await make(a, { game: 'xiangqi', fen: CHASES[0] });
    await play(a, CHASES[1]);
    await a.locator('.banner .ruling').waitFor();
    await see('boards-perpetual-chase');

    await make(a, { game: 'draughts/international' });
    await play(a, '32-28 19-23 28-19 14-23');
    await see('boards-draughts');
    await make(a, { game: 'draughts/international', fen: AROUND });
    await toMove(a);
    await cell(a, '46').click();
    await until(() => a.locator('.board .flash').count(), 1, 'pointed at');
    await see('boards-must');
    for (const square of ['33', '22', '13']) await cell(a, square).click();
    await until(() => a.locator('.board .piece.dim').count(), 2, 'two captured');
    await see('boards-capture');
    await make(a, { game: 'draughts/canadian' });
    await see('boards-canadian');
    await make(a, { game: 'draughts/turkish' });
    await see('boards-turkish');
    await make(a, { game: 'draughts/russian', fen: 'W:Wa1,Kc1,e1:Bb8,Kd8,h8' });
    await see('boards-kings');
    assert.deepEqual(faults, [], `${shape} ${lang} ${theme}`);
    await farewell(a);
  });
}
