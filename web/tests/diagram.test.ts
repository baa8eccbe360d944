// Would catch: a position as text whose columns do not stand under each other, or whose pieces are the other side's.

import { expect, test } from 'vitest';
import { diagram } from '../src/lib/diagram';
import { paintOf } from '../src/lib/paint';
import type { Board, Piece } from '../src/lib/wire';

const goban: Board = { lines: 'points', files: 5, ranks: 3, names: { kind: 'letters-up', first: 8 }, stars: [] };
const pieces: Piece[] = [
  [1, 'first', 'stone'],
  [7, 'second', 'stone'],
];

test('stones are letters, and colours follow a swap', () => {
  const rows = (swapped: boolean): string[] => diagram(goban, { pieces, swapped }, paintOf('gomoku'), ['black', 'white']).split('\n');
  expect(rows(false)).toEqual(['10 . x . . .', ' 9 . . o . .', ' 8 . . . . .', '   a b c d e']);
  expect(rows(true)[0]).toBe('10 . o . . .');
});

test('characters stand in columns of their own width', () => {
  const palace: Board = { ...goban, files: 3, names: { kind: 'letters-up', first: 0 } };
  const generals: Piece[] = [
    [1, 'second', 'general'],
    [7, 'first', 'general'],
  ];
  const text = diagram(palace, { pieces: generals }, paintOf('xiangqi'), ['red', 'black']);
  expect(text.split('\n')).toEqual(['2 ＋將＋', '1 ＋＋＋', '0 ＋帥＋', '  ａｂｃ']);
});

test('kings are large and gaps are empty', () => {
  const squares: Board = { lines: 'cells', files: 2, ranks: 2, names: { kind: 'numbers', first: 1 }, stars: [], gaps: [0, 3] };
  const kings: Piece[] = [[1, 'first', 'king']];
  expect(diagram(squares, { pieces: kings }, paintOf('draughts'), ['white', 'black']).split('\n').slice(0, 2)).toEqual(['1   O', '2 .']);
});
