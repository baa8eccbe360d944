// The HTTP requests to the hall.

import { at } from './base';
import { patiently } from './patience.svelte';
import { learnWhy } from './texts.svelte';
import { visitor } from './visitor.svelte';
import type {
  Created,
  OpenTable,
  EngineInfo,
  GameInfo,
  Lessons,
  Me,
  NewName,
  Problem,
  Replay,
  ServerMessage,
  Tables,
  Welcome,
} from './wire';

/** A refusal by the hall, or a failure to reach it, with the message to show. */
export class Refused extends Error {
  why: Problem;
  status: number;
  /** Seconds that the hall asks to wait. */
  after: string | null;

  constructor(status: number, why: Problem, after: string | null = null) {
    super(why.key);
    this.status = status;
    this.why = why;
    this.after = after;
  }
}

const unreachable = (): Refused => new Refused(0, { key: 'hall-unreachable', args: {} });

/** Returns the body that `reading` reads; a connection that breaks meanwhile becomes a [`Refused`]. */
export const whole = <T>(reading: Promise<T>): Promise<T> =>
  reading.catch(() => {
    throw unreachable();
  });

/**
 * Returns the hall's answer; throws [`Refused`] if it refuses. Requests that may succeed in a moment are retried,
 * except with `at once`.
 */
export async function request(path: string, how?: RequestInit, when: 'patiently' | 'at once' = 'patiently'): Promise<Response> {
  const answer = await (when === 'patiently' ? patiently : fetch)(at(path), how).catch(() => {
    throw unreachable();
  });
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => null)) as { error?: Problem } | null;
  if (said?.error) await learnWhy(said.error.key);
  throw new Refused(
    answer.status,
    said?.error ?? { key: 'hall-error', args: { status: String(answer.status) } },
    answer.headers.get('retry-after'),
  );
}

export async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const answer = await request(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await whole(answer.text());
  // Some answers have no body.
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

let shelf: Promise<GameInfo[]> | null = null;
let levels: Promise<EngineInfo[]> | null = null;
/** True if the visitor has an account, as the hall said on arrival; `null` before it did. */
let owner: boolean | null = null;
/** The table that was created last on this page: it need not be looked up before it is opened. */
let made: string | null = null;

/** Loads all that the hall page needs, in one answer: the visitor, the games, and the programs. */
export async function welcome(): Promise<Me> {
  const { me, games, engines } = JSON.parse(await whole((await request('/api/welcome', undefined, 'at once')).text())) as Welcome;
  shelf = Promise.resolve(games);
  levels = Promise.resolve(engines);
  owner = me.kind === 'account';
  visitor.me = me;
  return me;
}

export const hasAccount = async (): Promise<boolean> => owner ?? (await me()).kind === 'account';
export const isMade = (id: string): boolean => id === made;

/** Returns the catalogue of games, which is requested once. */
export function games(): Promise<GameInfo[]> {
  shelf ??= ask<GameInfo[]>('/api/games').catch((e: unknown) => {
    shelf = null;
    throw e;
  });
  return shelf;
}

export const engines = (): Promise<EngineInfo[]> => levels ?? ask('/api/engines');
const told = async (asked: Promise<Me>): Promise<Me> => (visitor.me = await asked);
export const me = (): Promise<Me> => told(ask('/api/me'));
export const rename = (name: NewName): Promise<Me> => told(ask('/api/me', 'PUT', name));
export async function create(wish: OpenTable): Promise<Created> {
  const created = await ask<Created>('/api/tables', 'POST', wish);
  made = created.id;
  return created;
}
export const tables = (): Promise<Tables> => ask('/api/tables');
export const table = (id: string): Promise<ServerMessage> => ask(`/api/tables/${encodeURIComponent(id)}`);
/**
 * Returns the position after `from` plies and, as far as the hall sends them at once, after each of the next `plies`.
 */
export const replay = (id: string, from: number, plies: number): Promise<Replay> =>
  ask(`/api/tables/${encodeURIComponent(id)}/replay?from=${from}&plies=${plies}`);
export const lessons = (id: string): Promise<Lessons> => ask(`/api/tables/${encodeURIComponent(id)}/lessons`);
export const recordPath = (id: string, format: string): string => `/api/tables/${encodeURIComponent(id)}/record?format=${format}`;
