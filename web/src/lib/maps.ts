// The requests for maps and for the workshop.

import { ask, Refused, request } from './api';
import { base64 } from './base64';
import { mapName } from './mapname';
import { t } from './texts.svelte';
import { inWords } from './words';
import type {
  BoardCsv,
  BalanceReport,
  DraftChecked,
  DraftRead,
  MapCheck,
  MapDraft,
  MapInfo,
  MapLine,
  Problem,
  UploadMap,
  Workbook,
} from './wire';

export const list = (search: string): Promise<MapLine[]> => ask(`/api/maps?search=${encodeURIComponent(search)}`);
export const info = (id: string): Promise<MapInfo> => ask(`/api/maps/${encodeURIComponent(id)}`);
export const check = (map: UploadMap): Promise<MapCheck> => ask('/api/maps/check', 'POST', map);
export const upload = (map: UploadMap): Promise<MapInfo> => ask('/api/maps', 'POST', map);
export const read = (book: Workbook): Promise<DraftRead> => ask('/api/workshop/read', 'POST', book);
export const checkDraft = (draft: MapDraft): Promise<DraftChecked> => ask('/api/workshop/check', 'POST', draft);
export const write = (draft: MapDraft): Promise<Workbook> => ask('/api/workshop/write', 'POST', draft);
export const readBoard = (csv: string, draft: MapDraft): Promise<MapDraft> => ask('/api/workshop/board/read', 'POST', { csv, draft });
export const writeBoard = (draft: MapDraft): Promise<BoardCsv> => ask('/api/workshop/board/write', 'POST', draft);
export const bookPath = (id: string): string => `/api/maps/${encodeURIComponent(id)}/map.xlsx`;
export const balance = (id: string): Promise<BalanceReport> => ask(`/api/maps/${encodeURIComponent(id)}/balance`, 'POST', {});
export const plotPath = (id: string, plot: string): string => `/api/maps/${encodeURIComponent(id)}/balance/${plot}.svg`;
export const extensionPath = (id: string, n: number): string => `/api/maps/${encodeURIComponent(id)}/extensions/${n}`;

/** The largest size of a file in bytes, so that a file that the hall would refuse is not uploaded at all. */
export const MOST_MAP_BYTES = 4 * 1024 * 1024;
export const MOST_EXTENSION_BYTES = 256 * 1024;

export async function encoded(file: Blob): Promise<string> {
  return base64(new Uint8Array(await file.arrayBuffer()));
}

/** Loads a file from the hall, in Base64. */
export async function fetched(path: string): Promise<string> {
  return encoded(await (await request(path)).blob());
}

/** Saves a file on the visitor's device. */
export const save = (file: string, bytes: string): void =>
  saveBlob(
    file,
    Uint8Array.from(atob(bytes), (c) => c.charCodeAt(0)),
  );
export function saveBlob(file: string, content: BlobPart): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = file;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Returns a file name for a map, without characters that file systems forbid. */
export const fileName = (name: string): string =>
  `${
    mapName(name)
      .replace(/[\\/:*?"<>|]+/g, '-')
      .trim() || 'map'
  }.xlsx`;

/** Returns an error as a sentence in the language of the page. */
export const saidOf = (e: unknown): string => (e instanceof Refused ? said(e.why) : inWords(e));

const said = (problem: Problem): string => t(`problem-${problem.key}`, problem.args);

/** Returns the problems as sentences, each sentence once. */
export function sentences(problems: Problem[]): string[] {
  return [...new Set(problems.map(said))];
}

const TURNED: Record<string, string> = { '↖': '↘', '↑': '↓', '↗': '↙', '←': '→', '→': '←', '↙': '↗', '↓': '↑', '↘': '↖' };

/** Returns a problem with the arrows in its arguments turned round, as the other side sees the board. */
export function turned(problem: Problem): Problem {
  const args = Object.entries(problem.args).map(([key, text]) => [
    key,
    key === 'name' || key === 'value' ? text : [...text].map((c) => TURNED[c] ?? c).join(''),
  ]);
  return { ...problem, args: Object.fromEntries(args) as Record<string, string> };
}
