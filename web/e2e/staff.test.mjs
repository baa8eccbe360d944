// The desk of the staff: a member of the staff finds a person, suspends them and lets them in again, bans addresses
// and lifts that, and announces something that everybody reads and closes; other visitors see nothing of it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { binary, button, farewell, faultsOf, openHouse, PHONE, PICTURES, signUp, until, visitor, WIDE } from './house.mjs';

const { hall, browser } = await openHouse();

/** Runs an `admin` command as the keeper does, beside the running hall. */
function admin(...words) {
  const done = spawnSync(binary, ['admin', ...words, '--data', hall.data], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
}

const SAY = {
  en: {
    desk: 'Desk of the staff',
    find: 'Find',
    look: 'Look',
    decide: 'Decide',
    reopen: 'Let in again',
    back: 'Back',
    ask: 'Whom would it hit?',
    ban: 'Ban',
    lift: 'Lift: 192.0.2.0/24',
    announce: 'Announce',
    close: 'Close',
    words: 'We are back at ten.',
    suspended: 'suspended until',
  },
  zh: {
    desk: '工作台',
    find: '查找',
    look: '查看',
    decide: '决定',
    reopen: '解除限制',
    back: '返回',
    ask: '会影响谁？',
    ban: '封禁',
    lift: '解除: 192.0.2.0/24',
    announce: '发布',
    close: '关闭',
    words: '十点恢复。',
    suspended: '暂停至',
  },
};

for (const [shape, screen, lang, theme] of [
  ['wide', WIDE, 'en', 'light'],
  ['phone', PHONE, 'zh', 'dark'],
]) {
  test(`${shape}, ${lang}: a day at the desk`, async () => {
    const say = SAY[lang];
    const [sal, bob] = [await visitor(browser, { screen, lang, theme }), await visitor(browser, { lang })];
    const names = { sal: `Sal${shape}`, bob: `Bob${shape}` };
    await signUp(hall, sal, names.sal);
    await signUp(hall, bob, names.bob);
    // The desk is hidden from people without a role.
    bob.expected.push(/403/);
    await bob.goto(`${hall.url}/people/staff`);
    await bob.locator('.problem').first().waitFor();
    assert.equal(await bob.locator('#staff-search').count(), 0);
    admin('role', names.sal, 'admin');
    await sal.goto(`${hall.url}/account`);
    await sal.getByRole('link', { name: say.desk }).click();
    await sal.getByRole('heading', { name: say.desk }).waitFor();

    await sal.locator('#staff-search').fill(names.bob.slice(0, 5).toLowerCase());
    await button(sal, say.find).click();
    await button(sal, `${say.look}: ${names.bob}`).click();
    await sal.locator('#staff-decision').selectOption('suspend');
    await sal.locator('#staff-reason').fill('be kind');
    await button(sal, say.decide).click();
    await sal.getByText(say.suspended).first().waitFor();
    const faults = await faultsOf(sal, 'one person');
    await sal.screenshot({ path: join(PICTURES, `staff-one-${shape}-${lang}.png`), fullPage: true });
    assert.match(admin('bans'), new RegExp(names.bob));
    await button(sal, say.reopen).click();
    await until(() => sal.getByText(say.suspended).count(), 0, 'nothing keeps them out');
    await button(sal, say.back).click();

    await sal.locator('#staff-network').fill('192.0.2.77/24');
    await button(sal, say.ask).click();
    await sal.locator('#staff-ban-days').fill('3');
    await button(sal, say.ban).click();
    await button(sal, say.lift).waitFor();
    await sal.locator('#staff-en').fill(SAY.en.words);
    await sal.locator('#staff-zh').fill(SAY.zh.words);
    await button(sal, say.announce).click();
    // Everybody reads it, wherever they are, until they close it.
    await bob.goto(hall.url);
    await bob.locator('aside', { hasText: say.words }).waitFor();
    faults.push(...(await faultsOf(bob, 'announced')));
    await bob.screenshot({ path: join(PICTURES, `announced-${lang}.png`) });
    await bob.locator('aside').getByRole('button', { name: say.close }).click();
    await until(() => bob.locator('aside', { hasText: say.words }).count(), 0, 'it is closed');
    await bob.reload();
    await bob.locator('.card').first().waitFor();
    await bob.waitForTimeout(1500);
    assert.equal(await bob.locator('aside', { hasText: say.words }).count(), 0, 'it stays closed');

    await button(sal, say.lift).click();
    await until(() => button(sal, say.lift).count(), 0, 'the ban is lifted');
    faults.push(...(await faultsOf(sal, 'the desk')));
    await sal.screenshot({ path: join(PICTURES, `staff-${shape}-${lang}.png`), fullPage: true });
    assert.deepEqual(faults, []);
    assert.match(admin('audit'), /announce/);
    const n = admin('announce').match(/^(\d+)\t/m)[1];
    admin('announce', '--withdraw', n);
    await farewell(sal, bob);
  });
}
