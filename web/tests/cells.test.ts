import { expect, test } from 'vitest';
import { cellNamed, isPlace, nameOf, step } from '../src/lib/cells';
import type { Board } from '../src/lib/wire';

const goban: Board = { lines: 'points', files: 15, ranks: 15, names: { kind: 'letters-up', first: 1 }, stars: [] };
const slate: Board = { lines: 'cells', files: 12, ranks: 12, names: { kind: 'letters-down', first: 1 }, stars: [] };
const palace: Board = { lines: 'points', files: 9, ranks: 10, names: { kind: 'letters-up', first: 0 }, stars: [] };

/** A board whose cells are every other square, without the one at the top left. */
const squares: Board = {
  lines: 'cells',
  files: 10,
  ranks: 10,
  names: { kind: 'numbers', first: 1 },
  stars: [],
  gaps: Array.from({ length: 100 }, (_, cell) => cell).filter((cell) => (Math.floor(cell / 10) + (cell % 10)) % 2 === 0),
};

test.each([
  ['ranks count from the bottom', goban, 112, 'h8'],
  ['the top left corner', goban, 0, 'a15'],
  ['ranks count from the top', slate, 99, 'd9'],
  ['ranks that begin at 0', palace, 85, 'e0'],
  ['the first numbered place', squares, 1, '1'],
  ['the first of the second row', squares, 10, '6'],
  ['the last numbered place', squares, 98, '50'],
])('%s', (_, board, cell, name) => {
  expect(nameOf(board, cell)).toBe(name);
  expect(cellNamed(board, name)).toBe(cell);
  expect(cellNamed(board, name.toUpperCase())).toBe(cell);
});

test('every cell has a name that leads back', () => {
  for (const board of [goban, slate, palace, squares]) {
    for (let cell = 0; cell < board.files * board.ranks; cell += 1) {
      if (isPlace(board, cell)) expect(cellNamed(board, nameOf(board, cell))).toBe(cell);
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

test.each(['0', '51', '1000', 'a1', '-1', ''])('%j is no numbered place', (name) => {
  expect(cellNamed(squares, name)).toBeNull();
});

test('steps skip gaps, reach every row, and lead back', () => {
  expect(step(squares, 1, 1, 0)).toBe(3);
  expect(step(squares, 9, 1, 0)).toBe(9);
  expect(step(squares, 1, 0, 1)).toBe(10);
  expect(step(squares, 10, 0, -1)).toBe(1);
  expect(step(squares, 98, 0, 1)).toBe(98);
  for (let cell = 0; cell < 90; cell += 1) {
    if (isPlace(squares, cell)) expect(step(squares, step(squares, cell, 0, 1), 0, -1)).toBe(cell);
  }
});

test('places of a board wider than the alphabet are pairs', () => {
  const wide: Board = { lines: 'cells', files: 40, ranks: 3, names: { kind: 'pairs', first: 1 }, stars: [] };
  expect(nameOf(wide, 0)).toBe('1,1');
  expect(nameOf(wide, 119)).toBe('3,40');
  for (let cell = 0; cell < 120; cell += 1) expect(cellNamed(wide, nameOf(wide, cell))).toBe(cell);
  for (const name of ['0,1', '1,0', '4,1', '1,41', '1', 'a1', '']) expect(cellNamed(wide, name)).toBeNull();
});
