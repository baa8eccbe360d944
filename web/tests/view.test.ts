import { expect, test } from 'vitest';
import { apply, follow, freeBeside, homeSide, moveByPath, moveByText, moved, type Standing } from '../src/lib/view';
import { targets } from '../src/lib/walk';
import type { Board, Piece, View } from '../src/lib/wire';

const goban: Board = { lines: 'points', files: 15, ranks: 15, names: { kind: 'letters-up', first: 1 }, stars: [] };
const slate: Board = { lines: 'cells', files: 12, ranks: 12, names: { kind: 'letters-down', first: 1 }, stars: [] };

const start: View = {
  turn: 'first', pieces: [], marks: [], moves: 'empty', buttons: [], prompt: null, last: [], withdraws: false, outcome: null,
};

test('a patch changes what it names and leaves the rest', () => {
  const after = apply(start, { turn: 'second', put: [[112, 'first', 'stone']], last: [112] });
  expect(after).toEqual({ ...start, turn: 'second', pieces: [[112, 'first', 'stone']], last: [112] });
  expect(start.pieces).toEqual([]);
});

test('cells are emptied before they are filled, and pieces rise by cell', () => {
  const view: View = { ...start, pieces: [[5, 'first', 'stone'], [9, 'second', 'stone']] };
  const after = apply(view, { gone: [5, 9], put: [[9, 'first', 'stone'], [3, 'second', 'stone']] });
  expect(after.pieces).toEqual([[3, 'second', 'stone'], [9, 'first', 'stone']]);
});

test('null in a patch is a value: the prompt and the outcome go away', () => {
  const view: View = { ...start, prompt: { key: 'choose', step: 3, of: 5 }, outcome: { winner: 'first', reason: 'x' } };
  expect(apply(view, { prompt: null, outcome: null })).toEqual(start);
  expect(apply(view, {})).toEqual(view);
});

test('where any empty cell will do, a touch is a move by its name, and a taken cell is none', () => {
  const view: View = { ...start, pieces: [[112, 'first', 'stone']] };
  expect(moveByPath(view, goban, [0])).toEqual({ text: 'a15', path: [0] });
  expect(moveByPath(view, goban, [112])).toBeNull();
  expect(moveByText(view, goban, ' H9 ')?.path).toEqual([97]);
  expect(targets(view, [])).toEqual([]);
});

test('a piece that moves takes what stood where it goes: one piece a place', () => {
  const pieces: Piece[] = [[3, 'first', 'cannon'], [5, 'second', 'horse'], [9, 'second', 'rook']];
  expect(moved(pieces, 3, 9)).toEqual([[5, 'second', 'horse'], [9, 'first', 'cannon']]);
  expect(moved(pieces, 9, 3)).toEqual([[3, 'second', 'rook'], [5, 'second', 'horse']]);
  for (const [from] of pieces) for (let to = 0; to < 12; to += 1) {
    const cells = moved(pieces, from, to).map((p) => p[0]);
    expect(cells).toEqual([...new Set(cells)].sort((a, b) => a - b));
    expect(cells).toContain(to);
  }
});

test('what is written beside a piece covers no other', () => {
  const rows: [string, number, number[], boolean, [number, number] | null][] = [
    ['above', 112, [], false, [0, -1]],
    ['below what is taken above', 112, [97], false, [0, 1]],
    ['below at the upper edge', 7, [], false, [0, 1]],
    ['at the left between two', 112, [97, 127], false, [-1, 0]],
    ['at the right beside the left edge', 15, [0, 30], false, [1, 0]],
    ['above as a flipped board is seen', 112, [97], true, [0, -1]],
    ['nowhere among four', 112, [97, 127, 111, 113], false, null],
  ];
  for (const [name, cell, taken, flipped, place] of rows) {
    expect([name, freeBeside(goban, new Map(taken.map((c) => [c, true])), cell, flipped)]).toEqual([name, place]);
  }
});

test('a walk over cells: first the pieces that can go, then where to', () => {
  const view: View = {
    ...start,
    pieces: [[1, 'first', 'horse'], [9, 'second', 'pawn']],
    moves: [{ text: 'b1a3', path: [1, 8] }, { text: 'b1c3', path: [1, 9] }, { text: 'd1d2', path: [3, 4], warning: 'mate' }],
  };
  expect(targets(view, []).map((x) => [x.cell, x.move, x.warning])).toEqual([[1, null, false], [3, null, true]]);
  expect(targets(view, [1]).map((x) => [x.cell, x.move?.text, x.takes])).toEqual([[8, 'b1a3', false], [9, 'b1c3', true]]);
  expect(moveByPath(view, slate, [1])).toBeNull();
  expect(moveByPath(view, slate, [1, 9])?.text).toBe('b1c3');
});

test('a button that moves one piece is also played by touching where it goes', () => {
  const view: View = { ...start, moves: [{ text: 'u', path: [], shifts: [[20, 8]] }, { text: 'd', path: [], shifts: [[20, 32]] }] };
  expect(targets(view, []).map((x) => [x.cell, x.move?.text])).toEqual([[8, 'u'], [32, 'd']]);
  expect(moveByPath(view, slate, [32])?.text).toBe('d');
  const army: View = { ...start, moves: [{ text: 'u', path: [], shifts: [[20, 8], [30, 18]] }] };
  expect(targets(army, [])).toEqual([]);
});

test.each<[string, number[], number[], [number, number][]]>([
  ['one piece moves', [10, 20], [10, 21], [[10, 10], [20, 21]]],
  ['all move together, even into each other’s places', [10, 11, 12], [11, 12, 13], [[10, 11], [11, 12], [12, 13]]],
  ['all move aslant', [10, 20], [23, 33], [[10, 23], [20, 33]]],
])('pieces keep their numbers: %s', (_, before, after, journeys) => {
  let ids = 0;
  const fresh = (): number => (ids += 1);
  const piece = (cell: number): Piece => [cell, 'first', 'stone'];
  const old: Standing[] = follow([], before.map(piece), 12, fresh);
  const now = follow(old, after.map(piece), 12, fresh);
  for (const [from, to] of journeys) {
    expect(now.find((s) => s.cell === to)?.id).toBe(old.find((s) => s.cell === from)?.id);
  }
});

test('a new piece gets a new number and the others keep theirs', () => {
  let ids = 0;
  const fresh = (): number => (ids += 1);
  const old = follow([], [[1, 'first', 'stone']], 12, fresh);
  const now = follow(old, [[1, 'first', 'stone'], [2, 'second', 'stone']], 12, fresh);
  expect(now.map((s) => [s.id, s.cell])).toEqual([[1, 1], [2, 2]]);
});

test('a piece that walked a trail keeps its number while others are taken and it is crowned', () => {
  let ids = 0;
  const fresh = (): number => (ids += 1);
  const old = follow([], [[1, 'first', 'man'], [2, 'first', 'man'], [11, 'second', 'man'], [31, 'second', 'man']], 10, fresh);
  const now = follow(old, [[2, 'first', 'man'], [41, 'first', 'king']], 10, fresh, [1, 21, 41]);
  expect(now.map((s) => [s.id, s.cell])).toEqual([[1, 41], [2, 2]]);
  // Looking back, the trail is that of an earlier move and moves no piece.
  const back = follow(now, [[1, 'first', 'man'], [2, 'first', 'man'], [11, 'second', 'man']], 10, fresh, [31, 21]);
  expect(back.filter((s) => s.owner === 'first').map((s) => [s.id, s.cell])).toEqual([[1, 1], [2, 2]]);
});

test('a name or a ruling that is gone leaves nothing behind', () => {
  const named: View = { ...start, caption: { key: 'd4', args: {} }, ruling: { notes: [], marks: [], plies: [] } };
  expect(apply(named, { caption: null, ruling: null })).toEqual({ ...start, caption: undefined, ruling: undefined });
  expect(apply(start, { swapped: true, trail: [1, 2] })).toEqual({ ...start, swapped: true, trail: [1, 2] });
});

test('the side whose pieces begin at the bottom is at home there', () => {
  const at = (first: number, second: number): View => ({ ...start, pieces: [[first, 'first', 'man'], [second, 'second', 'man']] });
  expect(homeSide(at(140, 3), slate)).toBe('first');
  expect(homeSide(at(3, 140), slate)).toBe('second');
  expect(homeSide(start, slate)).toBe('first');
});

test('when the players exchange their colours, every stone stays where it is', () => {
  let ids = 10;
  const before: Standing[] = [{ id: 1, cell: 4, owner: 'first', face: 'stone' }, { id: 2, cell: 7, owner: 'second', face: 'stone' }];
  const after = follow(before, [[4, 'second', 'stone'], [7, 'first', 'stone']], 15, () => (ids += 1));
  expect(after.map((s) => [s.id, s.cell, s.owner])).toEqual([[1, 4, 'second'], [2, 7, 'first']]);
});

test('a patch tells whose stone is put next, and when it is again that of whoever moves', () => {
  const between = apply(start, { puts: 'second' });
  expect(between.puts).toBe('second');
  expect(apply(between, { puts: null }).puts).toBeUndefined();
});
