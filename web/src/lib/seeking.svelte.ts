// The search for an opponent. It goes on while the visitor looks around: the frame of every place shows it.

import * as api from './api';
import { onAway } from './away';
import { at } from './base';
import { bell } from './bell.svelte';
import { go } from './router.svelte';
import { choose, settings } from './settings.svelte';
import type { PlayNow, PlayNowTold, PoolLeft } from './wire';
import { inWords } from './words';

/** The waiting time after which a program is offered as well, in milliseconds. */
export const PATIENCE_MS = 15_000;
/** The number of requests in a row that may fail while an opponent is looked for. */
const MISSES = 10;
/** The pause between two requests, in milliseconds. */
const PAUSE_MS = 1000;
/** The longest that a cancellation waits for a request under way, in milliseconds. */
const OVERTAKES_MS = 2000;

interface Search {
  wish: PlayNow;
  /** The game and its clock in words. */
  name: string;
  told: PlayNowTold;
  /** True if the opponent of the last search did not come. */
  again: boolean;
}

interface Seeking {
  now: Search | null;
  /** The reason why the last search ended without an opponent. */
  problem: string;
  /** The table that was found while the visitor plays another game, until they go there. */
  found: string | null;
  /** The last search that found an opponent, and its table: it is repeated if they do not come. */
  last: { wish: PlayNow; name: string; table: string } | null;
}

export const seeking: Seeking = $state({ now: null, problem: '', found: null, last: null });

/** The number of the latest search. */
let search = 0;
/** The latest request for an opponent, answered or under way. */
let asked: Promise<PlayNowTold | null> = Promise.resolve(null);

/** Goes to the table that was found, even if the visitor has just cancelled: the opponent waits there. */
function sit(table: string): void {
  const { now } = seeking;
  // Trial versions of maps are looked for by their authors alone: such a search is not repeated.
  if (now && !now.wish.map) seeking.last = { wish: now.wish, name: now.name, table };
  seeking.now = null;
  if (bell.plays() && !bell.alone()) seeking.found = table;
  else go(`/t/${table}`);
}

/** Asks the hall for an opponent once a second, until one is found or the search is cancelled. A new search replaces an old one. */
export async function seek(wish: PlayNow, name: string, again = false): Promise<void> {
  if (seeking.now) await seekNoMore();
  seeking.now = { wish, name, told: { waited_ms: 0, waiting: 1 }, again };
  seeking.problem = '';
  const mine = ++search;
  const isOver = (): boolean => !seeking.now || mine !== search;
  let missed = 0;
  while (!isOver()) {
    try {
      const question = api.ask<PlayNowTold>('/api/pool', 'POST', wish);
      asked = question.catch(() => null);
      const answer = await question;
      if (answer.table) return sit(answer.table);
      if (isOver()) return;
      if (seeking.now) seeking.now.told = answer;
      missed = 0;
    } catch (e) {
      if (isOver()) return;
      // A network that is gone for a moment, or a hall that is busy, does not end the search.
      const passes = e instanceof api.Refused && (e.status === 0 || e.status >= 500);
      if (!passes || ++missed === MISSES) {
        seeking.now = null;
        seeking.problem = inWords(e);
        return;
      }
    }
    await new Promise((wake) => setTimeout(wake, PAUSE_MS));
  }
}

/**
 * Cancels the search. A request under way is waited for first: if the cancellation overtook it, the hall would seek
 * on.
 */
export async function seekNoMore(): Promise<void> {
  if (!seeking.now) return;
  seeking.now = null;
  const last = await Promise.race([asked, new Promise<null>((wake) => setTimeout(wake, OVERTAKES_MS, null))]);
  if (last?.table) return;
  try {
    const answer = await api.request('/api/pool', { method: 'DELETE', keepalive: true });
    if (answer.status === 200) sit(((await answer.json()) as PoolLeft).table);
  } catch {
    // A visitor who asks no more is dropped from the search after a moment.
  }
}

/** Searches again for the same game, as the opponent did not come; returns false if `table` is not the one that was found. */
export function seekAgain(table: string): boolean {
  const { last } = seeking;
  if (!last || last.table !== table) return false;
  seeking.last = null;
  void seek(last.wish, last.name, true);
  return true;
}

/** Opens a game against the program while the search goes on. */
export async function playMeanwhile(): Promise<void> {
  const wish = seeking.now?.wish;
  if (!wish) return;
  try {
    const { game, map, options } = wish;
    const rules = map ? { map } : { options: options ?? {} };
    const made = await api.create({ game, ...rules, how: 'invite', clock: { kind: 'none' }, opponent: settings.opponent });
    choose('how', 'now');
    go(`/t/${made.id}`);
  } catch (e) {
    seeking.problem = inWords(e);
  }
}

// The search ends on the hall when the page is left; a page that comes back asks again by itself.
if (typeof document !== 'undefined') {
  onAway(
    () => void (seeking.now && navigator.sendBeacon(at('/api/pool/leave'))),
    () => undefined,
  );
}
