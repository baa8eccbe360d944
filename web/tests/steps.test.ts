import { expect, test } from 'vitest';
import { turnsOf, turnText } from '../src/lib/steps';
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
