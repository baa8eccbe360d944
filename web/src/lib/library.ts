// The library's requests.

import { ask, request, whole } from './api';
import { go } from './router.svelte';
import type { Created, FoundGame, FoundGames, GameCollection, ImportedGames, ImportRecord, LibraryGame, PlayedMoves } from './wire';

/** Returns the query string of an address, without the parts that are empty. */
export function query(parts: Record<string, string | number | null | undefined>): string {
  const all = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return new URLSearchParams(all.map(([key, value]) => [key, String(value)])).toString();
}

/** Writes options of a game for an address: `size=15,ranks=15`. */
export const optionsText = (options: Record<string, number | bigint>): string =>
  Object.entries(options)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
/** Parses the text of [`optionsText`]; parts that are not an option are left out. */
export const optionsOf = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split(',')
      .map((part) => part.split('='))
      .filter(([key, value]) => key && value && /^-?\d{1,9}$/.test(value))
      .map(([key, value]) => [key, Number(value)]),
  ) as Record<string, number>;

/** Returns a page of the collections that the visitor may see; `more` is true if another page follows. */
export async function collections(page: number): Promise<{ sets: GameCollection[]; more: boolean }> {
  const answer = await request(`/api/library?${query({ page })}`);
  const more = /rel="?next/.test(answer.headers.get('link') ?? '');
  return { sets: JSON.parse(await whole(answer.text())) as GameCollection[], more };
}
export const make = (name: string, access: string): Promise<GameCollection> => ask('/api/library', 'POST', { name, access });
export const remove = (key: string): Promise<void> => ask(`/api/library/collections/${encodeURIComponent(key)}`, 'DELETE');
export const search = (parts: Record<string, string | number | null | undefined>): Promise<FoundGames> =>
  ask(`/api/library/games?${query(parts)}`);
export const explore = (parts: Record<string, string | number | null | undefined>): Promise<PlayedMoves> =>
  ask(`/api/library/explore?${query(parts)}`);
export const game = (id: string, collection: string): Promise<LibraryGame> =>
  ask(`/api/library/games/${encodeURIComponent(id)}?${query({ collection })}`);

/** Imports a file, with as many requests as it takes. */
export async function bring(key: string, name: string, content: string, told: (so: ImportedGames) => void): Promise<ImportedGames> {
  for (;;) {
    const so = await ask<ImportedGames>(`/api/library/collections/${encodeURIComponent(key)}/games`, 'POST', { name, content });
    told(so);
    if (so.done) return so;
  }
}

/** Opens a table at the end of a record, and goes there, where the parts that the table cannot hold are named. */
export async function openRecord(record: ImportRecord): Promise<void> {
  const { id, told } = await ask<Created>('/api/records', 'POST', record);
  if (told) sessionStorage.setItem(`told-${id}`, JSON.stringify(told));
  go(`/t/${id}`);
}

/** Returns the result as a score: `1–0`, `0–1`, `½–½`, a dash for a void game, and a star where it is unknown. */
export function score(result: string): string {
  return { first: '1–0', second: '0–1', draw: '½–½', void: '–' }[result] ?? '*';
}

/** Returns the address of a found game in the library, at the ply that was searched for. */
export function placeOfGame(found: FoundGame, collection: string): string {
  const at = found.ply > 0 ? `ply=${found.ply}` : '';
  const hash = [collection ? `in=${encodeURIComponent(collection)}` : '', at].filter(Boolean).join('&');
  return `/library/${found.id}${hash ? `#${hash}` : ''}`;
}
