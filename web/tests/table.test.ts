// The state of a table after each message, without a screen.

import { beforeEach, expect, test, vi } from 'vitest';
import { Connection, type World } from '../src/lib/connection';
import { Table } from '../src/lib/table.svelte';
import type { EventKind, Happened, Offer, Outcome, Patch, Side, TableInfo } from '../src/lib/wire';

const nowhere: World = {
  open: () => ({ send: () => undefined, close: () => undefined, onopen: null, onmessage: null, onclose: null }),
  now: () => 0,
  after: () => () => undefined,
  random: () => 0.5,
};

let table: Table;
let v: number;

function sit(how: 'screen' | 'invite', you: Side[], more: Partial<TableInfo> = {}): void {
  v = 0;
  table = new Table('h3Kq', nowhere);
  table.hear({
    t: 'full',
    v,
    table: {
      id: 'h3Kq',
      game: 'gomoku/standard',
      options: {},
      fen: null,
      how,
      room: null,
      clock: { kind: 'none' },
      board: { lines: 'points', files: 15, ranks: 15, names: { kind: 'letters-up', first: 1 }, stars: [] },
      notations: [],
      seats: [
        { id: 'A', name: 'Ann' },
        { id: how === 'screen' ? 'A' : 'B', name: null },
      ],
      started: true,
      created_ms: 0,
      next: null,
      ...more,
    },
    view: {
      turn: 'first',
      pieces: [],
      marks: [],
      moves: 'empty',
      buttons: [],
      prompt: null,
      last: [],
      withdraws: false,
      outcome: null,
    },
    record: [],
    clk: null,
    offers: [],
    end: null,
    you,
    here: [true, true],
    watchers: 0,
  });
}

function ev(k: EventKind, more: Partial<Happened> = {}): void {
  v += 1;
  table.hear({ t: 'ev', v, k, ...more });
}
const move = (text: string, by: Side, p: Patch = { turn: by === 'first' ? 'second' : 'first' }, more: Partial<Happened> = {}): void =>
  ev('move', { ply: [text, by, null, []], p, ...more });

beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no network in tests')));
  sit('invite', ['first']);
});

test('moves change the board, the record and whose turn it is', () => {
  expect(table.mine).toBe(true);
  move('h8', 'first', { turn: 'second', put: [[112, 'first', 'stone']], last: [112] });
  expect(table.mine).toBe(false);
  expect(table.record).toEqual([['h8', 'first', null, []]]);
  expect(table.shown?.pieces).toEqual([[112, 'first', 'stone']]);
  expect([...table.numbers()]).toEqual([[112, 1]]);
});

test('a move says whether the page was left in that turn, and in that turn alone', () => {
  const wished = vi.spyOn(Connection.prototype, 'wish');
  const moves = [{ text: 'h8' }] as unknown as Parameters<Table['play']>;
  const played = (): unknown => {
    table.play(...moves);
    const act = wished.mock.lastCall?.[0];
    expect(table.pending).not.toBeNull();
    table.pending = null;
    move('h8', 'first');
    return act?.k === 'move' ? (act.away ?? false) : act;
  };
  expect(played()).toBe(false);
  // In the opponent's turn the page may be left.
  table.left();
  move('h9', 'second');
  expect(played()).toBe(false);
  move('i9', 'second');
  table.left();
  expect(played()).toBe(true);
  move('i10', 'second');
  expect(played()).toBe(false);
  sit('invite', ['first'], { clock: { kind: 'per-move', turn_ms: 864e5 } });
  table.left();
  expect(played()).toBe(false);
  wished.mockRestore();
});

test('the offers are those the hall tells', () => {
  const offers: [Side, Offer][] = [
    ['first', 'draw'],
    ['second', 'takeback'],
  ];
  ev('offer', { by: 'second', what: 'takeback', offers });
  expect(table.offers).toEqual(offers);
  move('h8', 'first');
  expect(table.offers).toEqual(offers);
  move('h9', 'second', {}, { offers: [] });
  expect(table.offers).toEqual([]);
});

test('what became of one’s own offer is there to be read until something is done', () => {
  const rows: [Side, Offer, string][] = [
    ['second', 'takeback', 'said-declined-takeback'],
    ['second', 'draw', 'said-declined-draw'],
    ['first', 'draw', 'said-cancelled'],
  ];
  for (const [by, what, said] of rows) {
    ev('offer', { by: 'first', what, offers: [['first', what]] });
    ev('decline', { by, what, offers: [] });
    expect(table.said).toBe(said);
    expect(table.notice).toBe(by === 'first' ? '' : said);
    move('a1', 'second');
    expect(table.notice).toBe(by === 'first' ? '' : said);
    table.wish({ k: 'offer', what });
    expect(table.notice).toBe('');
  }
});

test('a takeback shortens the record, and the game that had ended goes on', () => {
  const outcome: Outcome = { winner: 'second', reason: 'no-moves' };
  for (const [i, m] of ['h8', 'h9', 'i8'].entries()) move(m, i % 2 === 0 ? 'first' : 'second');
  move('i9', 'second', {}, { end: outcome });
  expect(table.live).toBe(false);
  ev('withdraw', { by: 'second', cut: 3, p: { outcome: null }, end: null });
  expect(table.live).toBe(true);
  ev('takeback', { by: 'first', cut: 1, p: { turn: 'second' } });
  expect(table.record.map((p) => p[0])).toEqual(['h8']);
});

test('on one screen what was taken back can be played again, until another move is made', () => {
  sit('screen', ['first', 'second']);
  for (const [i, m] of ['h8', 'h9', 'i8'].entries()) move(m, i % 2 === 0 ? 'first' : 'second');
  ev('takeback', { by: 'second', cut: 1, p: { turn: 'second' } });
  expect(table.redo).toEqual(['i8', 'h9']);
  move('h9', 'second');
  expect(table.redo).toEqual(['i8']);
  move('a1', 'first');
  expect(table.redo).toEqual([]);
});

test('seats: a swap changes who sits where, and one’s own side is near', () => {
  expect(table.near).toBe('first');
  expect(table.playerName('first')).toBe('Ann');
  const [first, second] = table.info?.seats ?? [null, null];
  ev('swap', { seats: [second, first] });
  table.hear({ t: 'you', you: ['second'] });
  expect(table.near).toBe('second');
  expect(table.playerName('second')).toBe('Ann');
  expect(table.mine).toBe(false);
});

test('a rematch is announced to whoever leads to it', () => {
  const went: string[] = [];
  table.onrematch = (id) => went.push(id);
  ev('resign', { by: 'first', end: { winner: 'second', reason: 'resign' } });
  ev('rematch', { next: 'next' });
  expect(went).toEqual(['next']);
  expect(table.info?.next).toBe('next');
});

test('who looks on may sit where a seat is free, and not move', () => {
  sit('invite', []);
  expect(table.mine).toBe(false);
  expect(table.freeSeat).toBeNull();
  sit('invite', [], { started: false });
  ev('leave', { by: 'second', seats: [{ id: 'A', name: 'Ann' }, null] });
  expect(table.freeSeat).toBe('second');
  ev('sit', {
    by: 'second',
    seats: [
      { id: 'A', name: 'Ann' },
      { id: 'C', name: null },
    ],
    started: true,
  });
  expect(table.freeSeat).toBeNull();
  expect(table.live).toBe(true);
});

test('a move is read in the notation of choice, and stones are numbered as they stand', () => {
  sit('invite', ['first'], { notations: ['chinese', 'wxf'] });
  ev('move', { ply: ['h2e2', 'first', null, ['炮二平五', 'C2=5']], p: { turn: 'second' } });
  const ply = table.record[0];
  expect(ply && table.written(ply)).toBe('C2=5');
  sit('screen', ['first', 'second']);
  for (const [i, m] of ['h8', 'swap', 'h9'].entries()) {
    const cell = { h8: 112, h9: 97 }[m];
    move(m, i % 2 === 0 ? 'first' : 'second', cell === undefined ? {} : { put: [[cell, 'first', 'stone']] });
  }
  expect([...table.numbers()]).toEqual([
    [112, 1],
    [97, 2],
  ]);
});

test('a program that failed ends the game, and one’s own side has won', () => {
  ev('offer', { by: 'first', what: 'draw', offers: [['first', 'draw']] });
  ev('forfeit', { by: 'second', offers: [], end: { winner: 'first', reason: 'engine-died' } });
  expect(table.live).toBe(false);
  expect(table.end?.winner).toBe('first');
  expect(table.offers).toEqual([]);
});

test('beside the game nobody moves, and a new move brings everybody back', () => {
  const view = table.view;
  if (!view) throw new Error('there is a board');
  table.aside = { ...view, turn: 'second', pieces: [[0, 'first', 'stone']] };
  table.arrows = [[[112], 0]];
  expect(table.mine).toBe(false);
  expect(table.shown?.pieces).toHaveLength(1);
  move('h8', 'first', { turn: 'second', put: [[112, 'first', 'stone']] });
  expect(table.aside).toBeNull();
  expect(table.arrows).toEqual([]);
  expect(table.shown?.pieces).toEqual([[112, 'first', 'stone']]);
});

test('a move is pointed at where it would go', () => {
  expect(table.pointed('h8')).toEqual([[112]]);
  expect(table.pointed('z99')).toEqual([]);
});

test('the past is fetched in parts, and only once', async () => {
  const asked: string[] = [];
  const start = { ...table.view!, marks: [], buttons: [] };
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url);
    const from = Number(/from=(\d+)/.exec(url)?.[1]);
    // The hall tells 150 plies at once, and each ply marks its own cell.
    const patches = Array.from({ length: Math.min(150, 500 - from) }, (_, i): Patch => ({ turn: 'first', last: [from + i + 1] }));
    const told = { from, of: 500, start: { ...start, last: [from] }, patches };
    return Promise.resolve(new Response(JSON.stringify(told), { headers: { 'content-type': 'application/json' } }));
  });
  for (let i = 0; i < 500; i++) move('h8', i % 2 === 0 ? 'first' : 'second');
  await table.look(399);
  expect(table.ply).toBe(399);
  expect(table.shown?.last).toEqual([399]);
  expect(asked).toHaveLength(2);
  await table.look(200);
  expect(table.shown?.last).toEqual([200]);
  await table.look(3);
  expect(table.shown?.last).toEqual([3]);
  expect(asked).toHaveLength(3);
  ev('takeback', { by: 'first', cut: 200 });
  await table.look(199);
  expect(table.shown?.last).toEqual([199]);
  expect(asked).toHaveLength(4);
});

test('a table that is left before it is there is not connected to', async () => {
  const open = vi.fn(nowhere.open);
  const told = (path: string): Promise<Response> => Promise.resolve(new Response(path === '/api/games' ? '[]' : '{"t":"stopping"}'));
  for (const fetch of [told, () => Promise.reject(new Error('gone'))]) {
    vi.stubGlobal('fetch', fetch);
    const left = new Table('h3Kq', { ...nowhere, open });
    const opened = left.open();
    left.close();
    await opened;
  }
  expect(open).not.toHaveBeenCalled();
});

test('an event that does not follow is not stored', () => {
  move('h8', 'first');
  v += 1;
  move('h9', 'second');
  v -= 3;
  move('h8', 'first');
  expect(table.record.map((p) => p[0])).toEqual(['h8']);
});

test('a table that failed keeps its board, and nothing can be done there', () => {
  move('h8', 'first', { turn: 'first', put: [[112, 'first', 'stone']] });
  expect(table.mine).toBe(true);
  table.wish({ k: 'offer', what: 'draw' });
  table.hear({ t: 'failed', why: { key: 'table-failed', args: {} } });
  expect(table.failed?.key).toBe('table-failed');
  expect(table.shown?.pieces).toEqual([[112, 'first', 'stone']]);
  expect([table.live, table.mine, table.freeSeat]).toEqual([false, false, null]);
});

test('keys that are pressed while the positions are on their way all count', async () => {
  const start = table.view;
  if (!start) throw new Error('there is a board');
  const answers: (() => void)[] = [];
  const replay = { from: 0, of: 30, start, patches: Array.from({ length: 30 }, (_, i) => ({ last: [i] })) };
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise((answer) =>
        answers.push(() => {
          answer(new Response(JSON.stringify(replay)));
        }),
      ),
  );
  for (let i = 0; i < 30; i += 1) move(`a${i}`, i % 2 === 0 ? 'first' : 'second');
  for (let i = 0; i < 20; i += 1) table.look_by(-1);
  expect(answers).toHaveLength(1);
  answers[0]?.();
  await vi.waitFor(() => expect(table.ply).toBe(10));
  expect(table.shown?.last).toEqual([9]);
  for (let i = 0; i < 4; i += 1) table.look_by(-1);
  expect(table.ply).toBe(6);
  table.look_by(40);
  expect(table.ply).toBeNull();
});

test('whoever comes back to now while the positions are on their way stays there', async () => {
  const start = table.view;
  let answer = (): void => undefined;
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise(
        (done) =>
          (answer = () => {
            done(new Response(JSON.stringify({ from: 0, of: 2, start, patches: [{}, {}] })));
          }),
      ),
  );
  move('h8', 'first');
  move('h9', 'second');
  const looked = table.look(1);
  table.now();
  answer();
  await looked;
  expect(table.ply).toBeNull();
});

test('trouble of the hall is known until it is over', () => {
  expect(table.trouble).toBeNull();
  table.hear({ t: 'storage', trouble: { key: 'disk-low', args: {} } });
  expect(table.trouble?.key).toBe('disk-low');
  move('h8', 'first');
  expect(table.trouble?.key).toBe('disk-low');
  table.hear({ t: 'storage', trouble: null });
  expect(table.trouble).toBeNull();
});
