import { expect, test } from 'vitest';
import { clockText, counted, read, urgency } from '../src/lib/clock';
import type { ClockFace, ClockSpec } from '../src/lib/wire';

const fischer: ClockSpec = { kind: 'fischer', base_ms: 60_000, increment_ms: 0 };
const byo: ClockSpec = { kind: 'byo-yomi', base_ms: 60_000, period_ms: 30_000, periods: 3 };

test('only the running clock goes on, and never below nothing', () => {
  const face: ClockFace = { ms: [60_000, 50_000], run: 'second' };
  expect(read(fischer, face, 'first', 4000)).toMatchObject({ ms: 60_000, runs: false });
  expect(read(fischer, face, 'second', 4000)).toMatchObject({ ms: 46_000, runs: true });
  expect(read(fischer, face, 'second', 90_000).ms).toBe(0);
});

test.each([
  ['in the base time', false, 3, 10_000, 4000, { ms: 6000, periods: 3, byo: false }],
  ['the base time runs out', false, 3, 10_000, 12_000, { ms: 28_000, periods: 3, byo: true }],
  ['a period runs out', true, 3, 10_000, 12_000, { ms: 28_000, periods: 2, byo: true }],
  ['two periods run out', true, 3, 10_000, 42_000, { ms: 28_000, periods: 1, byo: true }],
  ['the last period runs out', true, 1, 10_000, 12_000, { ms: 0, periods: 1, byo: true }],
])('byo-yomi: %s', (_, inByo, periods, ms, elapsed, shown) => {
  const face: ClockFace = { ms: [ms, 60_000], periods: [periods, 3], byo: [inByo, false], run: 'first' };
  expect(read(byo, face, 'first', elapsed)).toMatchObject(shown);
});

test.each([
  [3_723_000, '1:02:03'],
  [754_000, '12:34'],
  [59_900, '1:00'],
  [20_000, '0:20'],
  [10_000, '0:10'],
  [9_990, '0:09.9'],
  [400, '0:00.4'],
  [0, '0:00.0'],
])('%d ms reads %s', (ms, text) => expect(clockText(ms)).toBe(text));

test.each([
  [20_000, 'calm'],
  [19_999, 'amber'],
  [10_000, 'amber'],
  [9_999, 'red'],
])('%d ms is %s', (ms, color) => expect(urgency(ms)).toBe(color));

test('a weekend is not counted where the table has a pause', () => {
  const [day, noon] = [864e5, Date.UTC(2026, 0, 3, 12)];
  const days: ClockSpec = { kind: 'per-move', turn_ms: 3 * day };
  const weekdays: ClockSpec = { ...days, weekend_pause: true };
  // Friday noon to Saturday noon, and on to Monday noon.
  expect(counted(weekdays, day, noon)).toBe(day / 2);
  expect(counted(weekdays, 3 * day, noon + 2 * day)).toBe(day);
  expect(counted(days, day, noon)).toBe(day);
});
