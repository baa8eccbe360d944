// The picture of a game that starts empty: stones in order of play, the first side's first, as columns and rows from
// the middle.

import type { Side } from './wire';

export const SAMPLE: readonly [number, number][] = [
  [0, 0],
  [1, -1],
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [-1, -2],
  [2, 1],
  [1, 1],
  [-1, 1],
  [2, 0],
  [0, -2],
  [3, 0],
  [4, 0],
  [2, 2],
  [3, 3],
  [1, 3],
  [-1, -1],
  [-1, 2],
  [-2, 3],
  [3, -2],
  [-3, 2],
  [2, -3],
  [-2, -3],
];

/** Returns the side of the `i`-th stone of the sample. */
export function sampleSide(i: number): Side {
  return i % 2 === 0 ? 'first' : 'second';
}
