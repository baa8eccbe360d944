import { beforeEach, expect, test } from 'vitest';
import { Connection, type Net, type Socket, type World } from '../src/lib/connection';
import type { ClientMessage, Problem, ServerMessage } from '../src/lib/wire';

/** A socket whose other end the test controls. */
class Wire implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: (() => void) | null = null;
  sent: ClientMessage[] = [];
  closed = false;

  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientMessage);
  }
  close(): void {
    this.closed = true;
  }
  open(): void {
    this.onopen?.();
  }
  says(m: ServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(m) });
  }
  cut(): void {
    this.onclose?.();
  }
}

let wires: Wire[];
let now: number;
let timers: { at: number; then: () => void }[];
let heard: ServerMessage[];
let states: Net[];
let done: string[];
let refused: [string, Problem][];
let connection: Connection;

const world: World = {
  open: (path) => {
    const wire = new Wire(path);
    wires.push(wire);
    return wire;
  },
  now: () => now,
  after: (ms, then) => {
    const timer = { at: now + ms, then };
    timers.push(timer);
    return () => (timers = timers.filter((x) => x !== timer));
  },
  random: () => 0.5,
};

function pass(ms: number): void {
  const end = now + ms;
  for (;;) {
    const next = timers.filter((x) => x.at <= end).sort((a, b) => a.at - b.at)[0];
    if (!next) break;
    now = next.at;
    timers = timers.filter((x) => x !== next);
    next.then();
  }
  now = end;
}

const full = (v: number): ServerMessage => ({ t: 'full', v }) as ServerMessage;
const moved = (v: number, cmd?: string): ServerMessage => ({
  t: 'ev',
  v,
  k: 'move',
  ply: ['h8', 'first', null, []],
  ...(cmd ? { cmd } : {}),
});
const last = (): Wire => {
  const wire = wires.at(-1);
  if (!wire) throw new Error('no connection was tried');
  return wire;
};
const wishes = (wire: Wire): ClientMessage[] => wire.sent.filter((m) => m.t === 'do');

beforeEach(() => {
  wires = [];
  now = 0;
  timers = [];
  heard = [];
  states = [];
  done = [];
  refused = [];
  connection = new Connection(
    'h3Kq',
    {
      message: (m) => heard.push(m),
      net: (s) => states.push(s),
      done: (cmd) => done.push(cmd),
      refused: (cmd, why) => refused.push([cmd, why]),
    },
    world,
  );
  connection.start();
});

function meet(v = 3): Wire {
  const wire = last();
  wire.open();
  wire.says(full(v));
  return wire;
}

test('the first connection knows nothing, the next one says what it knows', () => {
  const first = meet(3);
  expect(first.path).toBe('/ws?table=h3Kq');
  first.says(moved(4));
  first.cut();
  pass(300);
  expect(last().path).toBe('/ws?table=h3Kq&since=4');
});

test('the event with the id of the wish is the answer', () => {
  const wire = meet();
  const cmd = connection.wish({ k: 'move', move: 'h8' });
  expect(cmd).toMatch(/^[A-Za-z0-9]{12}$/);
  expect(wishes(wire)).toEqual([{ t: 'do', cmd, ver: 3, act: { k: 'move', move: 'h8' } }]);
  wire.says(moved(4));
  expect(done).toEqual([]);
  wire.says(moved(5, cmd));
  expect(done).toEqual([cmd]);
});

test('a refusal is told once', () => {
  const wire = meet();
  const cmd = connection.wish({ k: 'move', move: 'h8' });
  const why = { key: 'stale', args: {} };
  wire.says({ t: 'no', cmd, why });
  wire.says({ t: 'no', cmd, why });
  expect(refused).toEqual([[cmd, why]]);
});

test('an unanswered wish is sent again with the same id and the version it was made for', () => {
  const wire = meet();
  const cmd = connection.wish({ k: 'move', move: 'h8' });
  wire.cut();
  pass(300);
  last().open();
  expect(wishes(last())).toEqual([{ t: 'do', cmd, ver: 3, act: { k: 'move', move: 'h8' } }]);
  last().says(moved(4, cmd));
  expect(done).toEqual([cmd]);
  last().cut();
  pass(300);
  last().open();
  expect(wishes(last())).toEqual([]);
});

test('a wish made while away waits for the next connection', () => {
  meet().cut();
  const cmd = connection.wish({ k: 'resign' });
  pass(300);
  last().open();
  expect(wishes(last())).toHaveLength(1);
  last().says({ t: 'ok', cmd, v: 4 });
  expect(done).toEqual([cmd]);
});

test('missed events are heard in order, repeated ones are not heard twice', () => {
  const wire = meet(3);
  wire.says(moved(4));
  wire.says(moved(4));
  wire.says(moved(5));
  expect(heard.filter((m) => m.t === 'ev').map((m) => m.v)).toEqual([4, 5]);
});

test('a gap asks for everything, once', () => {
  const wire = meet(3);
  wire.says(moved(5));
  wire.says(moved(6));
  expect(wire.sent).toEqual([{ t: 'full' }]);
  expect(heard.filter((m) => m.t === 'ev')).toEqual([]);
  wire.says(full(6));
  wire.says(moved(7));
  expect(heard.at(-1)).toMatchObject({ t: 'ev', v: 7 });
});

test('a wish whose answer a full may have swallowed is sent again, as it was', () => {
  const wire = meet(3);
  const cmd = connection.wish({ k: 'move', move: 'h8' });
  wire.says(full(9));
  const asked = { t: 'do', cmd, ver: 3, act: { k: 'move', move: 'h8' } };
  expect(wishes(wire)).toEqual([asked, asked]);
  wire.says({ t: 'ok', cmd, v: 7 });
  expect(done).toEqual([cmd]);
});

test('it waits longer and longer, at most eight seconds, and starts over once it is back', () => {
  meet().cut();
  const waits: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    const before = now;
    const tries = wires.length;
    while (wires.length === tries) pass(1);
    waits.push(now - before);
    last().cut();
  }
  // At random between half and all of 300, 600, …; this test's random number is in the middle.
  expect(waits).toEqual([225, 450, 900, 1800, 3600, 6000, 6000, 6000]);
  pass(6000);
  meet().cut();
  const tries = wires.length;
  pass(225);
  expect(wires.length).toBe(tries + 1);
});

test('nine seconds of silence are a lost connection; answers to pings are not silence', () => {
  const wire = meet();
  for (let i = 0; i < 4; i += 1) {
    pass(5000);
    expect(wire.sent.filter((m) => m.t === 'ping')).toHaveLength(i + 1);
    wire.says({ t: 'pong', n: i + 1 });
  }
  expect(states).not.toContain('offline');
  pass(9000);
  expect(states.at(-1)).toBe('offline');
  expect(wire.closed).toBe(true);
});

test('who says something that is no wish hears whether it was sent', () => {
  const wire = meet();
  expect(connection.tell({ t: 'chat' })).toBe(true);
  wire.cut();
  expect(connection.tell({ t: 'chat' })).toBe(false);
  pass(300);
  expect(connection.tell({ t: 'chat' })).toBe(false);
  last().open();
  expect(connection.tell({ t: 'chat' })).toBe(true);
});

test('the browser’s word counts at once: gone, and back', () => {
  const wire = meet();
  connection.lost();
  expect(states.at(-1)).toBe('offline');
  expect(wire.closed).toBe(true);
  const tries = wires.length;
  connection.hurry();
  expect(wires.length).toBe(tries + 1);
});

test('nothing is heard from a connection that was given up', () => {
  const wire = meet();
  connection.lost();
  wire.says(moved(4));
  expect(heard.filter((m) => m.t === 'ev')).toEqual([]);
});

test('after stop nothing is tried again', () => {
  const wire = meet();
  connection.stop();
  wire.cut();
  pass(60_000);
  expect(wires).toHaveLength(1);
});

test('after a table failed nothing is expected, sent or tried again', () => {
  const wire = meet();
  connection.wish({ k: 'resign' });
  const why = { key: 'table-failed', args: {} };
  wire.says({ t: 'failed', why });
  expect(heard.at(-1)).toEqual({ t: 'failed', why });
  expect(wire.closed).toBe(true);
  wire.cut();
  wire.says(moved(4));
  connection.hurry();
  pass(60_000);
  expect(wires).toHaveLength(1);
  expect(heard.at(-1)).toEqual({ t: 'failed', why });
  expect(states).not.toContain('offline');
});
