// The HTTP half of the hall.

import type { Created, OpenTable, EngineInfo, GameInfo, Lessons, Me, NewName, Problem, Replay, ServerMessage, Tables } from './wire';

/** What the hall would not do, in a form that can be said. */
export class Refused extends Error {
  why: Problem;
  status: number;

  constructor(status: number, why: Problem) {
    super(why.key);
    this.status = status;
    this.why = why;
  }
}

/** The answer of the hall, unless it is a refusal. */
export async function request(path: string, how?: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, how);
  } catch {
    throw new Refused(0, { key: 'hall-unreachable', args: {} });
  }
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => null)) as { error?: Problem } | null;
  throw new Refused(answer.status, said?.error ?? { key: 'hall-error', args: { status: String(answer.status) } });
}

export async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const answer = await request(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

let shelf: Promise<GameInfo[]> | null = null;

/** The catalogue; asked for once. */
export function games(): Promise<GameInfo[]> {
  shelf ??= ask<GameInfo[]>('/api/games').catch((e: unknown) => {
    shelf = null;
    throw e;
  });
  return shelf;
}

export const engines = (): Promise<EngineInfo[]> => ask('/api/engines');
export const me = (): Promise<Me> => ask('/api/me');
export const rename = (name: NewName): Promise<Me> => ask('/api/me', 'PUT', name);
export const create = (wish: OpenTable): Promise<Created> => ask('/api/tables', 'POST', wish);
export const tables = (): Promise<Tables> => ask('/api/tables');
export const table = (id: string): Promise<ServerMessage> => ask(`/api/tables/${encodeURIComponent(id)}`);
/** What the game looked like after `from` plies and, as far as the hall tells at once, after each of the next `plies`. */
export const replay = (id: string, from: number, plies: number): Promise<Replay> =>
  ask(`/api/tables/${encodeURIComponent(id)}/replay?from=${from}&plies=${plies}`);
export const lessons = (id: string): Promise<Lessons> => ask(`/api/tables/${encodeURIComponent(id)}/lessons`);
export const recordPath = (id: string, format: string): string => `/api/tables/${encodeURIComponent(id)}/record?format=${format}`;
