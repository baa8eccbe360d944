// The lobby after each message.

import { expect, test } from 'vitest';
import { NOBODY, tell } from '../src/lib/lobby';
import type { ServerMessage, TableLine, Tables } from '../src/lib/wire';

function line(id: string, created_ms: number, players: 0 | 1 | 2 = 1): TableLine {
  const player = { id: 'A', name: null };
  return {
    id,
    game: 'gomoku/standard',
    options: {},
    how: 'room',
    room: id,
    clock: { kind: 'none' },
    seats: [players > 0 ? player : null, players > 1 ? player : null],
    plies: 0,
    created_ms,
  };
}
const ids = (tables: Tables): [string[], string[]] => [tables.open.map((l) => l.id), tables.live.map((l) => l.id)];
const change = (put: TableLine[], gone: string[] = []): ServerMessage => ({ t: 'lobby-change', put, gone });
const known = tell(NOBODY, { t: 'lobby', open: [line('c', 3), line('a', 1)], live: [line('b', 2, 2)] });

const rows: [string, ServerMessage, [string[], string[]]][] = [
  ['everything is replaced', { t: 'lobby', open: [], live: [line('x', 9, 2)] }, [[], ['x']]],
  ['a new table stands where its age puts it', change([line('n', 2)]), [['c', 'n', 'a'], ['b']]],
  ['the newest stands first', change([line('n', 4)]), [['n', 'c', 'a'], ['b']]],
  ['a table is watched once both seats are taken', change([line('a', 1, 2)]), [['c'], ['b', 'a']]],
  ['a table waits again once a seat is free', change([line('b', 2, 1)]), [['c', 'b', 'a'], []]],
  ['a waiting room may be empty', change([line('a', 1, 0)]), [['c', 'a'], ['b']]],
  ['tables go', change([], ['a', 'b']), [['c'], []]],
  ['a table that is not known goes', change([], ['nobody']), [['c', 'a'], ['b']]],
  ['other messages change nothing', { t: 'stopping' }, [['c', 'a'], ['b']]],
];
test.each(rows)('%s', (_, message, wanted) => {
  expect(ids(tell(known, message))).toEqual(wanted);
});

test('who waits for an opponent is known until it is told anew', () => {
  const pools = [{ game: 'xiangqi', clock: { kind: 'none' } as const, waiting: 2 }];
  expect(known.pools).toEqual([]);
  const waits = tell(known, { t: 'lobby-change', put: [], gone: [], pools });
  expect(waits.pools).toEqual(pools);
  expect(tell(waits, change([line('n', 2)])).pools).toEqual(pools);
  expect(tell(waits, { t: 'lobby-change', put: [], gone: [], pools: [] }).pools).toEqual([]);
  expect(tell(waits, { t: 'lobby', open: [], live: [] }).pools).toEqual([]);
});

test('a line that changed is there once, as it is now', () => {
  const after = tell(known, change([{ ...line('a', 1), plies: 5 }]));
  expect(after.open.filter((l) => l.id === 'a')).toEqual([{ ...line('a', 1), plies: 5 }]);
});
