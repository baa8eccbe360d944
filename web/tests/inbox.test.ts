// The time left of a slow clock, in whole days, hours and minutes.

import { expect, test } from 'vitest';
import { left } from '../src/lib/inbox';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

test.each([
  ['three days', 3 * DAY, [3, 0, 0]],
  ['a moment less', 3 * DAY - 1, [2, 23, 59]],
  ['hours', 5 * HOUR + 30 * MINUTE, [0, 5, 30]],
  ['the last minute', MINUTE - 1, [0, 0, 0]],
  ['late', -5 * DAY, [0, 0, 0]],
])('%s', (_, ms, [days, hours, minutes]) => {
  expect(left(ms)).toEqual({ days, hours, minutes });
});
