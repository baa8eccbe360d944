// The walk from touches to a move, on capture paths as draughts has them.

import { expect, test } from 'vitest';
import { drop, targets, walk } from '../src/lib/walk';
import type { Board, View } from '../src/lib/wire';

const board: Board = { lines: 'cells', files: 10, ranks: 10, names: { kind: 'numbers', first: 1 }, stars: [] };

function offering(...paths: number[][]): View {
  return {
    turn: 'first',
    pieces: paths.map((p) => [p[0] ?? 0, 'first', 'man']),
    marks: [],
    buttons: [],
    prompt: null,
    last: [],
    withdraws: false,
    outcome: null,
    moves: paths.map((path) => ({ text: path.join('x'), path })),
  };
}
/** Returns the step as text: a move's text, `1,2` for a way so far, `?1,2` for a fork, or `-` for nothing. */
function said(step: ReturnType<typeof walk>): string {
  if (step.is === 'move') return step.move.text;
  if (step.is === 'nothing') return '-';
  return (step.is === 'fork' ? '?' : '') + step.path.join(',');
}

const three = offering([1, 10, 30], [1, 12, 32, 50], [1, 12, 34, 50], [7, 16]);
const round = offering([5, 25, 27, 7, 5], [5, 24]);

test.each<[string, View, number[], number, string]>([
  ['a piece that may move is chosen', three, [], 1, '1'],
  ['a piece that may not move is nothing', three, [], 9, '-'],
  ['an end that only one move has is that move, wherever it leads over', three, [1], 30, '1x10x30'],
  ['the next cell is a way', three, [1], 12, '1,12'],
  ['an end of several moves leads to where they part', three, [1], 50, '?1,12'],
  ['then one more cell tells them apart', three, [1, 12], 34, '1,12,34'],
  ['the end after that is the move', three, [1, 12, 34], 50, '1x12x34x50'],
  ['a later cell of one way walks up to it', three, [1], 32, '1,12,32'],
  ['a plain move', three, [7], 16, '7x16'],
  ['a cell of another piece’s move is nothing', three, [7], 10, '-'],
  ['the chosen piece again is no round trip', round, [5], 5, '-'],
  ['a round trip ends where it began once it is under way', round, [5, 25], 5, '5x25x27x7x5'],
  ['a round trip may be walked the other way round', round, [5], 7, '5,7'],
  ['and on', round, [5, 7], 27, '5,7,27'],
  ['and home', round, [5, 7, 27, 25], 5, '5x25x27x7x5'],
  ['its far side is walked up to as it is written', round, [5], 27, '5,25,27'],
  ['two round trips of their own stay two', offering([5, 25, 27, 7, 5], [5, 7, 27, 25, 5]), [5, 7, 27, 25], 5, '5x7x27x25x5'],
])('%s', (_, view, path, cell, wanted) => {
  expect(said(walk(view, board, path, cell))).toBe(wanted);
});

test('where a move may end or go on, a second touch ends it', () => {
  const view = offering([1, 12], [1, 12, 34]);
  expect(said(walk(view, board, [1], 12))).toBe('1,12');
  expect(said(walk(view, board, [1, 12], 12))).toBe('1x12');
  expect(said(walk(view, board, [1, 12], 34))).toBe('1x12x34');
});

test.each<[string, View, number[], number, string]>([
  ['carried straight to an end of one move', three, [1, 20], 30, '1x10x30'],
  ['carried over the cells that tell two moves apart', three, [1, 11, 12, 23, 34, 42], 50, '1x12x34x50'],
  ['carried straight to an end of two moves, it must be walked', three, [1], 50, '?1,12'],
  ['put down halfway, it goes on from there', three, [1], 12, '1,12'],
  ['put down where nothing goes', three, [1], 99, '-'],
  ['put back where it stood', round, [5, 14], 5, '-'],
  ['carried all the way round', round, [5, 14, 25, 26, 27, 17, 7], 5, '5x25x27x7x5'],
  ['carried round the other way', round, [5, 7, 17, 27, 26, 25, 14], 5, '5x25x27x7x5'],
])('%s', (_, view, carried, cell, wanted) => {
  expect(said(drop(view, board, carried, cell))).toBe(wanted);
});

test('after a piece is chosen its next cells and its ends are pointed out', () => {
  expect(targets(three, []).map((x) => x.cell)).toEqual([1, 7]);
  expect(targets(three, [1]).map((x) => [x.cell, x.far, x.move?.text ?? null])).toEqual([
    [10, false, null],
    [12, false, null],
    [30, true, '1x10x30'],
    [50, true, null],
  ]);
  expect(targets(round, [5]).map((x) => x.cell)).toEqual([25, 24, 7]);
});

test('a piece that acts where it stands is touched twice, and never acts by being put down there', () => {
  const own: View = {
    ...offering(),
    pieces: [
      [9, 'first', 'x'],
      [3, null, 'y'],
    ],
    moves: [
      { text: 'stay', path: [9, 9] },
      { text: 'go', path: [9, 10] },
      { text: 'push', path: [3, 4] },
    ],
  };
  expect(walk(own, board, [], 9)).toEqual({ is: 'way', path: [9] });
  expect(
    targets(own, [9])
      .map((x) => x.cell)
      .sort(),
  ).toEqual([10, 9]);
  expect(walk(own, board, [9], 9)).toMatchObject({ is: 'move', move: { text: 'stay' } });
  expect(drop(own, board, [9], 9)).toEqual({ is: 'nothing' });
  expect(drop(own, board, [9, 10, 9], 9)).toEqual({ is: 'nothing' });
  expect(drop(own, board, [9, 10], 10)).toMatchObject({ is: 'move', move: { text: 'go' } });
  expect(walk(own, board, [3], 4)).toMatchObject({ is: 'move', move: { text: 'push' } });
});
