// Files are cached one by one, in the background, and one that fails costs only itself (M1: all or nothing, 163 at
// once).

import { expect, test } from 'vitest';
import { keepRest, type Kept } from '../src/lib/keep';

/** Answers the requests in turn; returns their number and the wait after each, in seconds. */
async function kept(answers: Kept[], calm: () => boolean = () => true): Promise<[number, number[]]> {
  const waits: number[] = [];
  let wishes = 0;
  const wish = (): Promise<Kept> => Promise.resolve(answers[Math.min(wishes++, answers.length - 1)] as Kept);
  await keepRest(wish, calm, (ms) => {
    waits.push(ms / 1000);
    return Promise.resolve();
  });
  return [wishes, waits];
}
const came = (left: number): Kept => ({ left, ok: true, wait: null });
const failed = (left: number, wait: string | null = null): Kept => ({ left, ok: false, wait });

test('one file after the other, with a pause', async () => {
  const [wishes, waits] = await kept([came(2), came(1), came(0)]);
  expect(wishes).toBe(3);
  expect(waits.every((s) => s > 1 && s < 2)).toBe(true);
});

test('a file that is refused is waited for as the hall asks, and the others come', async () => {
  const [wishes, waits] = await kept([came(3), failed(3, '20'), came(2), failed(2), came(1), came(0)]);
  expect(wishes).toBe(6);
  expect(waits[1]).toBeGreaterThanOrEqual(20);
  expect(waits[3]).toBeGreaterThan(2);
});

test('after eight failures in a row the rest is left to another visit', async () => {
  expect((await kept([failed(5)]))[0]).toBe(8);
});

test('nothing is fetched while the page is hidden, away or must not cost', async () => {
  let looks = 0;
  const [wishes, waits] = await kept([came(0)], () => ++looks > 3);
  expect([wishes, waits.length]).toEqual([1, 3]);
});
