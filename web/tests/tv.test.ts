// Would catch: a programme that stops at the end of its list, hangs on a game that is gone, or shows a wrong
// position.

import { expect, test } from 'vitest';
import { after, seen, type Seen } from '../src/lib/tv';
import type { ServerMessage, TableLine } from '../src/lib/wire';

const line = (id: string): TableLine => ({ id }) as TableLine;

test('one after the other, and again from the beginning', () => {
  const lines = [line('a'), line('b')];
  expect(after(lines, null)?.id).toBe('a');
  expect(after(lines, 'a')?.id).toBe('b');
  expect(after(lines, 'b')?.id).toBe('a');
  expect(after(lines, 'gone')?.id).toBe('a');
  expect(after([], 'a')).toBeNull();
});

test('a game is followed event by event, and anew after a gap', () => {
  const full = { t: 'full', v: 3, table: { board: {}, seats: [null, null] }, view: { pieces: [] }, record: [1, 2], end: null };
  const start = seen(null, full as unknown as ServerMessage) as Seen;
  expect(start.plies).toBe(2);
  const ev = (v: number, more: object): ServerMessage => ({ t: 'ev', v, ...more }) as unknown as ServerMessage;
  const moved = seen(start, ev(4, { ply: ['h8'], p: { put: [[112, 'first', 'stone']] } })) as Seen;
  expect([moved.plies, moved.view.pieces.length]).toEqual([3, 1]);
  expect(seen(moved, ev(5, { cut: 1 }))?.plies).toBe(1);
  expect(seen(moved, ev(4, { ply: ['h8'] }))).toBe(moved);
  expect(seen(moved, ev(7, {}))).toBeNull();
});
