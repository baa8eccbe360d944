// Catches lists that tell plies where players count moves.

import { expect, test } from 'vitest';
import { movesIn } from '../src/lib/numbers';
import type { GameInfo } from '../src/lib/wire';

test('plies are told in moves, turns of five plies too', () => {
  const locked = { turn_plies: 5 } as GameInfo;
  expect([0, 1, 2, 3, 80].map((plies) => movesIn(undefined, plies))).toEqual([0, 1, 1, 2, 40]);
  expect([0, 5, 10, 11, 25].map((plies) => movesIn(locked, plies))).toEqual([0, 1, 1, 2, 3]);
});
