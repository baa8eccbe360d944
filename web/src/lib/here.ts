// Being here: every page of the hall has one connection to it, which rings the bell.
//
// The hall and tables have a socket of their own, which counts and which tells the bell; places that show who plays have
// `/ws/lobby`, all others `/ws/here`.

import { onAway, tellSight } from './away';
import { socketOf, within } from './base';
import { bell, hear } from './bell.svelte';
import { PROTOCOL } from './connection';
import { next } from './inbox';
import { NOBODY, tell } from './lobby';
import { go, route, type Place } from './router.svelte';
import { tables } from './tables.svelte';
import { challenges } from './together';
import type { Challenges, InboxNext, ServerMessage } from './wire';

/** The table of a challenge that was accepted while this page was hidden. */
let waiting: string | null = null;

/**
 * Handles an event from elsewhere in the hall: an announcement, or an answer to a challenge. Goes to the table of an
 * accepted challenge, unless a game is being played here or the page is hidden.
 */
export function ring(m: ServerMessage): void {
  if (m.t !== 'challenged' && m.t !== 'bell') return;
  if (m.t === 'bell' && m.announced) {
    const lines = m.announced;
    void import('./announced.svelte').then(({ announce }) => announce(lines));
    return;
  }
  if (m.t === 'challenged' && m.table) {
    const table = m.table;
    if (within(location.pathname) === `/t/${table}`) return;
    if (bell.plays()) bell.answers = [...bell.answers.filter((a) => a.table !== table), { table }];
    else if (document.visibilityState === 'visible') return go(`/t/${table}`);
    else waiting = table;
  }
  if (m.t === 'challenged' && m.declined) bell.answers = [...bell.answers, { who: m.declined.name, reason: m.reason ?? 'generic' }];
  bell.rings += 1;
  const before = known;
  look()
    .then(({ challenges: { received } }) => {
      const come = received.find((c) => !before.has(c.id));
      // In the hall challenges stand above the games, and at a running game the bell tells enough.
      if (come && route.place.at !== 'hall' && !bell.plays()) bell.news = come;
      else if (bell.news && !received.some((c) => c.id === bell.news?.id)) bell.news = null;
    })
    .catch(() => undefined);
}

/** The ids of the challenges that the bell has counted. */
let known = new Set<string>();

/** Loads the challenges and the turns in slow games, and updates the number of them. */
export async function look(): Promise<{ challenges: Challenges; next: InboxNext }> {
  const [found, turns] = await Promise.all([challenges(), next('')]);
  known = new Set(found.received.map((c) => c.id));
  bell.waits = found.received.length + turns.waiting;
  return { challenges: found, next: turns };
}

let socket: WebSocket | null = null;
let timer = 0;
let wait = 1000;
type Line = '/ws/here' | '/ws/lobby';
/** The line of the place that is shown; `null` where it has one of its own. */
let wanted: Line | null = null;
/** The line that is open. */
let line: Line | null = null;

function connect(): void {
  clearTimeout(timer);
  if (!wanted || socket) return;
  const mine = new WebSocket(socketOf(wanted), PROTOCOL);
  [socket, line] = [mine, wanted];
  tellSight(mine);
  mine.onopen = () => (wait = 1000);
  mine.onmessage = (event) => {
    const m = JSON.parse(String(event.data)) as ServerMessage;
    if (m.t === 'lobby' || m.t === 'lobby-change') tables.now = tell(tables.now ?? NOBODY, m);
    else hear(m);
  };
  mine.onclose = () => {
    if (socket !== mine) return;
    [socket, line] = [null, null];
    wait = Math.min(30_000, wait * 2);
    if (wanted) timer = window.setTimeout(connect, wait * (0.5 + Math.random() / 2));
  };
}

function drop(): void {
  clearTimeout(timer);
  const mine = socket;
  [socket, line] = [null, null];
  mine?.close();
}

/** Makes the connection again after a sign-in, so that the person counts as present. */
export function comeIn(): void {
  drop();
  connect();
}

/** The places that show who plays and who waits. */
const LISTS: Place['at'][] = ['game', 'games', 'watch'];

/** Opens or closes the socket for the place that is shown now: lobby and tables have one of their own. */
export function goTo({ at }: Place): void {
  wanted = at === 'hall' || at === 'table' ? null : LISTS.includes(at) ? '/ws/lobby' : '/ws/here';
  if (wanted !== line) drop();
  connect();
}

onAway(drop, connect);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState !== 'visible') return;
  const table = waiting;
  waiting = null;
  if (table && !bell.plays()) go(`/t/${table}`);
  connect();
});
