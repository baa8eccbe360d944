// Maps as works: the gallery, versions, stars.

import { ask } from './api';
import type { Gallery, MapDiff, NewWork, WorkInfo, WorkLine } from './wire';

export const SORTS = ['newest', 'played', 'stars', 'even', 'name'] as const;
export type Sort = (typeof SORTS)[number];
export const PAGE = 24;

const at = (id: string): string => `/api/works/${encodeURIComponent(id)}`;
export const gallery = (search: string, sort: Sort, page: number, mine: boolean): Promise<Gallery> =>
  ask(`/api/works?search=${encodeURIComponent(search)}&sort=${sort}&page=${page}&mine=${String(mine)}`);
export const work = (id: string): Promise<WorkInfo> => ask(at(id));
export const publish = (wish: NewWork): Promise<WorkInfo> => ask('/api/works', 'POST', wish);
export const remove = (id: string): Promise<void> => ask(at(id), 'DELETE');
export const star = (id: string, stars: number): Promise<void> => ask(`${at(id)}/stars`, 'PUT', { stars });
export const list = (id: string, listed: boolean): Promise<void> => ask(`${at(id)}/listed`, 'PUT', { listed });
export const diff = (before: string, after: string): Promise<MapDiff> =>
  ask(`/api/maps/${encodeURIComponent(before)}/diff/${encodeURIComponent(after)}`);
export const picturePath = (map: string): string => `/api/maps/${encodeURIComponent(map)}/picture.svg`;

/** Returns the side that the engine sees ahead and its share in percent; `null` without a report. */
export function ahead({ first_share: share }: WorkLine): { first: boolean; percent: number } | null {
  if (share === undefined) return null;
  const first = share >= 0.5;
  return { first, percent: Math.round((first ? share : 1 - share) * 100) };
}

/** Parses the tags that a person typed, separated by blanks or commas, each once. */
export const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,，、#]+/)
      .map((tag) => tag.toLowerCase())
      .filter(Boolean),
  ),
];
