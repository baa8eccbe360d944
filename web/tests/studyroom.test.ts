// An open study and answers of the hall that come late, or not at all.

import { beforeEach, expect, test, vi } from 'vitest';
import { Room } from '../src/lib/studyroom.svelte';
import type { Study, StudyEntry, StudyRole } from '../src/lib/wire';

const study = (ver: number, name: string): Study => ({
  id: 's',
  ver,
  name,
  access: 'link',
  owner: { id: 'A', name: 'Ann' },
  members: [],
  chapters: [{ id: 0, name: '', game: 'xiangqi', players: ['', ''], nodes: [], next: 1 }],
  next: 1,
});
const named = (ver: number): StudyEntry => ({ ver, at_ms: 0, by: 'A', event: { t: 'named', name: `name ${ver}` } });
const invited = (ver: number): StudyEntry => ({ ver, at_ms: 0, by: 'A', event: { t: 'invited', member: { id: 'B', name: 'Bo' } } });

/** The requests for the whole study that wait for an answer, and the results of changes. */
let asked: { answer: (ver: number, name: string, role?: StudyRole) => void; fail: (status: number) => void }[];
let done: StudyEntry;
let room: Room;
const settle = (): Promise<void> => vi.advanceTimersByTimeAsync(0).then(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal('fetch', (path: string) => {
    if (path.endsWith('/changes')) return Promise.resolve(Response.json({ entry: done }));
    if (path.includes('/film')) return new Promise(() => undefined);
    return new Promise<Response>((resolve) =>
      asked.push({
        answer: (ver, name, role = 'owner') => resolve(Response.json({ study: study(ver, name), role })),
        fail: (status) => resolve(Response.json({ error: { key: 'slow-down', args: {} } }, { status })),
      }),
    );
  });
  room = new Room('s');
});

async function did(entry: StudyEntry): Promise<void> {
  done = entry;
  await room.wish({ t: 'name', name: '' });
}

test('an answer that events have overtaken changes nothing, and what waited for it follows', async () => {
  const first = room.read();
  asked[0]?.answer(1, 'name 1');
  await first;
  const late = room.read();
  await did(named(2));
  asked[1]?.answer(1, 'name 1');
  await late;
  expect(room.study?.name).toBe('name 2');
  // The third was missed: the fourth waits for it.
  await did(named(4));
  expect(room.study?.name).toBe('name 2');
  const next = room.read();
  asked[2]?.answer(3, 'name 3');
  await next;
  expect([room.study?.name, room.study?.ver]).toEqual(['name 4', 4]);
});

test('what one may do is taken from the newest answer', async () => {
  const first = room.read();
  asked[0]?.answer(1, '');
  await first;
  await did(invited(2));
  await did(invited(3));
  asked[2]?.answer(3, '', 'contributor');
  await settle();
  asked[1]?.answer(2, '', 'reader');
  await settle();
  expect(room.role).toBe('contributor');
});

test.each([
  [429, false],
  [500, false],
  [403, true],
  [404, true],
])('an answer %i to who may read: gone is %s', async (status, gone) => {
  const first = room.read();
  asked[0]?.answer(1, '', 'owner');
  await first;
  await did(invited(2));
  asked[1]?.fail(status);
  await settle();
  expect(room.gone).toBe(gone);
  await vi.advanceTimersByTimeAsync(60_000);
  // It is asked again if the error says nothing about the study.
  expect(asked.length).toBe(gone ? 2 : 3);
  asked[2]?.answer(2, '', 'contributor');
  await settle();
  expect(room.role).toBe(gone ? 'owner' : 'contributor');
});
