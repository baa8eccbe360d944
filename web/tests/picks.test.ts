// Would catch a piece of the hand that is put without being taken up, one that cannot be taken up, and a choice of what
// a piece becomes that is not asked for.

import { expect, test } from 'vitest';
import { Chooser } from '../src/lib/chooser.svelte';
import { cellAt, frameOf, middleOf, paintOf } from '../src/lib/paint';
import type { Board, MoveView, View } from '../src/lib/wire';

const board: Board = { lines: 'cells', files: 3, ranks: 3, names: { kind: 'pairs', first: 1 }, stars: [], hands: 'first' };
const drop = (pick: string, cell: number): MoveView => ({ text: `${pick}*${cell}`, path: [cell], pick, face: pick });
const MOVES: MoveView[] = [
  { text: '4-1=鸡', path: [4, 1], shifts: [[4, 1]], pick: '鸡', face: '鸡' },
  { text: '4-1=鹰', path: [4, 1], shifts: [[4, 1]], pick: '鹰', face: '鹰' },
  { text: '4-5', path: [4, 5], shifts: [[4, 5]] },
  drop('象', 6),
  drop('象', 8),
  drop('鹿', 6),
];
const view: View = {
  turn: 'first',
  pieces: [[4, 'first', '雏']],
  marks: [],
  moves: MOVES,
  buttons: [],
  prompt: null,
  outcome: null,
  last: [],
  withdraws: false,
} as unknown as View;

function chooser(of: Board = board, moves = MOVES): { one: Chooser; played: string[] } {
  const played: string[] = [];
  const one = new Chooser(
    () => ({ ...view, moves }),
    () => of,
    () => paintOf('jingbanqi'),
    (move) => played.push(move.text),
  );
  return { one, played };
}

test('a piece of the hand is taken up first, and then put', () => {
  const { one, played } = chooser();
  one.touch(6);
  expect(played).toEqual([]);
  one.picks.take('象');
  expect([one.hints.targets?.map((x) => x.cell), one.hints.nextFace, one.begins]).toEqual([[6, 8], '象', false]);
  one.touch(8);
  expect(played).toEqual(['象*8']);
  expect(one.picks.held).toBeNull();
});

test('a piece is put back by the same touch, by one elsewhere, and for another', () => {
  const { one, played } = chooser();
  one.picks.take('象');
  one.picks.take('象');
  expect(one.picks.held).toBeNull();
  one.picks.take('象');
  one.picks.take('鹿');
  expect(one.picks.held).toBe('鹿');
  one.touch(0);
  expect([one.picks.held, one.path, played]).toEqual([null, [], []]);
});

test('a move that differs in what the piece becomes is asked about', () => {
  const { one, played } = chooser();
  one.touch(4);
  one.touch(1);
  expect(one.picks.asked.map((move) => move.text)).toEqual(['4-1=鸡', '4-1=鹰']);
  expect(played).toEqual([]);
  one.picks.pick(MOVES[1] as MoveView);
  expect([played, one.picks.asked]).toEqual([['4-1=鹰'], []]);
  one.clear();
  one.touch(4);
  one.touch(5);
  expect(played).toEqual(['4-1=鹰', '4-5']);
});

test('without hands beside the board there is one kind to put, at once', () => {
  const { hands, ...bare } = board;
  expect(hands).toBe('first');
  const { one, played } = chooser(bare, [drop('●', 6), drop('●', 8)]);
  expect([one.hints.puts, one.hints.nextFace]).toEqual([new Set([6, 8]), '●']);
  one.touch(8);
  expect(played).toEqual(['●*8']);
});

test('hexagons stand half a cell further to the right in each row, and hands have rows of their own', () => {
  const hex: Board = { ...board, hex: true };
  const frame = frameOf(hex, 'none');
  const [x, y] = middleOf(hex, frame, false, 0);
  const [under, lower] = middleOf(hex, frame, false, 3);
  expect([under - x, lower - y]).toEqual([50, 87]);
  expect(middleOf(hex, frame, true, 8)).toEqual([x, y]);
  expect(y).toBeGreaterThan(frame.hand);
  expect(frame.width - 2 * frame.left).toBe(400);
  for (const flipped of [false, true]) {
    for (let cell = 0; cell < 9; cell += 1) {
      expect(cellAt(hex, frame, flipped, ...middleOf(hex, frame, flipped, cell))).toBe(cell);
    }
  }
  expect(cellAt(hex, frame, false, x - 10, lower)).toBeNull();
  expect(cellAt(hex, frame, false, x, y - 90)).toBeNull();
});
