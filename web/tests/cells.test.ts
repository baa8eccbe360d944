import { expect, test } from 'vitest';
import { cellNamed, nameOf, step } from '../src/lib/cells';
import type { Board } from '../src/lib/wire';

const goban: Board = { lines: 'points', files: 15, ranks: 15, names: { kind: 'letters-up', first: 1 }, stars: [] };
const slate: Board = { lines: 'cells', files: 12, ranks: 12, names: { kind: 'letters-down', first: 1 }, stars: [] };
const palace: Board = { lines: 'points', files: 9, ranks: 10, names: { kind: 'letters-up', first: 0 }, stars: [] };

test.each([
  ['ranks count from the bottom', goban, 112, 'h8'],
  ['the top left corner', goban, 0, 'a15'],
  ['ranks count from the top', slate, 99, 'd9'],
  ['ranks that begin at 0', palace, 85, 'e0'],
])('%s', (_, board, cell, name) => {
  expect(nameOf(board, cell)).toBe(name);
  expect(cellNamed(board, name)).toBe(cell);
  expect(cellNamed(board, name.toUpperCase())).toBe(cell);
});

test('every cell has a name that leads back', () => {
  for (const board of [goban, slate, palace]) {
    for (let cell = 0; cell < board.files * board.ranks; cell += 1) {
      expect(cellNamed(board, nameOf(board, cell))).toBe(cell);
    }
  }
});

test.each(['', 'h', '8', 'h0', 'h16', 'p1', 'h8x', 'hh8', '7 12', 'h1234'])('%j is no place', (name) => {
  expect(cellNamed(goban, name)).toBeNull();
});

test('a step ends at the edge', () => {
  expect(step(goban, 0, 1, 0)).toBe(1);
  expect(step(goban, 0, -1, 0)).toBe(0);
  expect(step(goban, 14, 1, 0)).toBe(14);
  expect(step(goban, 0, 0, 1)).toBe(15);
});
