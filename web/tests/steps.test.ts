import { expect, test } from 'vitest';
import { numberAt } from '../src/lib/numbers';
import { countsOf, numbered, rowsOf, turnsOf, turnText } from '../src/lib/steps';
import type { PlyInfo } from '../src/lib/wire';

const plies = (side: 'first' | 'second', moves: string): PlyInfo[] => moves.split(' ').map((m) => [m, side, null, []]);

test('plies of one side in a row are one turn', () => {
  const record = [...plies('first', 'u l d4 d r'), ...plies('second', 'd r e8 u l'), ...plies('first', 'd')];
  const turns = turnsOf(record);
  expect(turns.map((x) => [x.side, x.from, turnText(x.plies.map((p) => p[0]))])).toEqual([
    ['first', 0, 'ul d4 dr'],
    ['second', 5, 'dr e8 ul'],
    ['first', 10, 'd'],
  ]);
});

test('where sides alternate every ply is a turn', () => {
  expect(turnsOf([...plies('first', 'h8'), ...plies('second', 'h9')]).map((x) => turnText(x.plies.map((p) => p[0])))).toEqual(['h8', 'h9']);
});

test('moves are counted by turns, one of each side with one number', () => {
  const sides = (text: string): ('first' | 'second')[] => [...text].map((c) => (c === '1' ? 'first' : 'second'));
  for (const [who, numbers] of [
    ['1212', '1. 1… 2. 2…'],
    ['2121', '1… 2. 2… 3.'],
    ['1122111', '1. 1. 1… 1… 2. 2. 2.'],
    ['2211', '1… 1… 2. 2.'],
    ['', ''],
  ] as const) {
    expect(countsOf(sides(who)).map(numbered).join(' '), who).toBe(numbers);
    // The list of moves has a row for each number.
    const record = sides(who).flatMap((side) => plies(side, 'x'));
    const rows = rowsOf(turnsOf(record)).flatMap((row, i) => row.flatMap((turn) => turn.plies.map(() => i + 1)));
    expect(rows, who).toEqual(countsOf(sides(who)).map(({ n }) => n));
  }
});

test('a line shows the numbers that tell its turns apart', () => {
  for (const [who, shown] of [
    ['1212', '1. - 2. -'],
    ['2121', '1… 2. - 3.'],
    ['1122112', '1. - 1… - 2. - 2…'],
  ] as const) {
    const counts = countsOf([...who].map((c) => (c === '1' ? 'first' : 'second')));
    expect(counts.map((_, i) => numberAt(counts, i) || '-').join(' '), who).toBe(shown);
  }
  const inside = countsOf(['first', 'second', 'first', 'second']);
  expect(numberAt(inside, 3, true)).toBe('2…');
});
