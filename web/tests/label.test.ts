// The label of a cell for screen readers: the piece and its side, the cell's name, the last move, and the targets.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { labels } from '../src/lib/label';
import { paintOf } from '../src/lib/paint';
import { settings } from '../src/lib/settings.svelte';
import { learn } from '../src/lib/texts.svelte';
import type { Target } from '../src/lib/walk';
import type { Board, View } from '../src/lib/wire';

const root = join(import.meta.dirname, '../../texts');
const sentences = (lang: string): string =>
  readdirSync(join(root, lang))
    .map((file) => readFileSync(join(root, lang, file), 'utf8'))
    .join('\n');
vi.stubGlobal('fetch', (url: string) => Promise.resolve(new Response(sentences(url.includes('/zh/') ? 'zh' : 'en'))));

const board: Board = { lines: 'points', files: 9, ranks: 10, names: { kind: 'letters-up', first: 0 }, stars: [] };
const view = {
  turn: 'second',
  pieces: [
    [64, 'first', 'elephant'],
    [0, 'second', 'elephant'],
    [1, null, '车'],
  ],
  marks: [{ kind: 'check', cells: [0] }],
  last: [64],
} as unknown as View;
const shown = {
  board,
  view,
  paint: paintOf('xiangqi'),
  sides: ['red', 'black'] as [string, string],
  naming: 'letters' as const,
  flipped: false,
  map: false,
  targets: [{ cell: 2 }] as Target[],
};

test.each([
  ['en', ['b2, Red elephant, last move', 'a9, Black elephant, in check', 'c9, empty, may be chosen', 'b9, Neutral 车 (chariot)']],
  ['zh', ['b2, 红方相, 最后一手', 'a9, 黑方象, 被将军', 'c9, 空, 可选', 'b9, 中立车']],
] as const)('places in words (%s)', async (lang, [red, black, empty, made]) => {
  settings.lang = lang;
  await learn(lang);
  const label = labels(shown);
  expect([label(64), label(0), label(2)]).toEqual([red, black, empty]);
  expect(labels({ ...shown, map: true })(1)).toBe(made);
  // After a swap in an opening the first player has the other stones.
  const swapped = labels({ ...shown, sides: ['black', 'white'], view: { ...view, swapped: true } });
  expect(swapped(64)).toContain(lang === 'en' ? 'White' : '白方');
});
