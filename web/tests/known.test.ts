// The state that a client keeps of each message: every field, and nothing else.

import { expect, test } from 'vitest';
import { NOTHING, order, store, type Known } from '../src/lib/known';
import type { Happened, PlyInfo, ServerMessage, TableInfo, View } from '../src/lib/wire';

const view: View = {
  turn: 'first',
  pieces: [],
  marks: [],
  moves: 'empty',
  buttons: [],
  prompt: null,
  last: [],
  withdraws: false,
  outcome: null,
};
const info: TableInfo = {
  id: 'ABCDEFGHIJKLMNOPQRST',
  game: 'gomoku/standard',
  options: {},
  fen: null,
  how: 'invite',
  room: null,
  clock: { kind: 'none' },
  board: { lines: 'points', files: 15, ranks: 15, names: { kind: 'letters-up', first: 1 }, stars: [] },
  notations: [],
  seats: [{ id: 'A', name: 'Ann' }, null],
  started: false,
  created_ms: 0,
  next: null,
};
const record: PlyInfo[] = [
  ['h8', 'first', null, []],
  ['h9', 'second', 900, []],
];
const clk = { ms: [1000, 2000], run: null } as unknown as NonNullable<Known['clk']>;
const full: ServerMessage = {
  t: 'full',
  v: 7,
  table: info,
  view,
  record,
  clk,
  offers: [['first', 'draw']],
  end: null,
  you: ['first'],
  here: [true, false],
  watchers: 2,
};
const known = store(NOTHING, full);
const ev = (more: Partial<Happened>): ServerMessage => ({ t: 'ev', v: 8, k: 'pause', ...more });

test('a full replaces everything', () => {
  expect(known).toEqual({
    ver: 7,
    info,
    view,
    record,
    offers: [['first', 'draw']],
    end: null,
    you: ['first'],
    clk,
    first: null,
    here: [true, false],
    watchers: 2,
    claim: null,
  });
  const anew: ServerMessage = { ...full, v: 3, record: [], offers: [], you: [], clk: null, watchers: 0 };
  expect(store(known, anew)).toMatchObject({ ver: 3, record: [], offers: [], you: [], clk: null, watchers: 0 });
});

const faces = { ...clk, ms: [500, 2000] } as NonNullable<Known['clk']>;
const seats: TableInfo['seats'] = [
  { id: 'B', name: null },
  { id: 'A', name: 'Ann' },
];
const ply: PlyInfo = ['i8', 'first', 40, ['a name']];
const ended = { winner: 'second' as const, reason: 'resign' };
const rows: [string, Partial<Happened>, Partial<Known>][] = [
  ['nothing but the version', {}, {}],
  ['a first move is waited for', { first_ms: 20_000 }, { first: 20_000 }],
  ['and is no more', { first_ms: null }, { first: null }],
  ['what happened changes nothing by itself', { k: 'swap', by: 'first', what: 'swap', cmd: 'mine' }, {}],
  ['plies are cut', { cut: 1 }, { record: record.slice(0, 1) }],
  ['all plies are cut', { cut: 0 }, { record: [] }],
  ['a ply is added', { ply }, { record: [...record, ply] }],
  ['plies are cut before one is added', { cut: 1, ply }, { record: [['h8', 'first', null, []], ply] }],
  [
    'the board is patched',
    { p: { turn: 'second', put: [[112, 'first', 'stone']] } },
    { view: { ...view, turn: 'second', pieces: [[112, 'first', 'stone']] } },
  ],
  ['the clocks', { clk: faces }, { clk: faces }],
  ['the seats', { seats }, { info: { ...info, seats } }],
  ['the start', { seats, started: true }, { info: { ...info, seats, started: true } }],
  ['all offers', { offers: [['second', 'takeback']] }, { offers: [['second', 'takeback']] }],
  ['no offers', { offers: [] }, { offers: [] }],
  ['the end', { end: ended }, { end: ended }],
  ['the next table', { next: 'TSRQPONMLKJIHGFEDCBA' }, { info: { ...info, next: 'TSRQPONMLKJIHGFEDCBA' } }],
];
test.each(rows)('an event sets what is in it: %s', (_, more, wanted) => {
  expect(store(known, ev(more))).toEqual({ ...known, ver: 8, ...wanted });
  expect(known).toEqual(store(NOTHING, full));
});

test('the end stays where it is not told, and goes where it is told to be none', () => {
  const over = store(known, ev({ end: ended }));
  expect(store(over, { t: 'ev', v: 9, k: 'offer' }).end).toEqual(ended);
  expect(store(over, { t: 'ev', v: 9, k: 'withdraw', end: null }).end).toBeNull();
});

test('a game that has started never ceases to have started', () => {
  const started = store(known, ev({ started: true }));
  expect(store(started, { t: 'ev', v: 9, k: 'swap', seats }).info?.started).toBe(true);
});

test('an event that was known, or with others missing before it, is not stored', () => {
  expect([order(7, 6), order(7, 7), order(7, 8), order(7, 9), order(null, 1)]).toEqual(['old', 'old', 'next', 'gap', 'gap']);
  for (const v of [1, 7, 9]) expect(store(known, { t: 'ev', v, k: 'move', ply })).toBe(known);
  expect(store(NOTHING, { t: 'ev', v: 1, k: 'move', ply })).toBe(NOTHING);
});

test('who is here and which seats one holds are no events', () => {
  expect(store(known, { t: 'here', here: [false, true], watchers: 9 })).toEqual({
    ...known,
    here: [false, true],
    watchers: 9,
    claim: null,
  });
  expect(store(known, { t: 'you', you: ['second'] })).toEqual({ ...known, you: ['second'] });
});

test('other messages store nothing', () => {
  const why = { key: 'table-failed', args: {} };
  const others: ServerMessage[] = [
    { t: 'ok', cmd: 'mine', v: 9 },
    { t: 'no', cmd: 'mine', why },
    { t: 'failed', why },
    { t: 'pong', n: 1 },
    { t: 'stopping' },
  ];
  for (const message of others) expect(store(known, message)).toBe(known);
});
