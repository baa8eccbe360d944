// Games found by what people call them. Would catch a name that is not found with other accents, capitals or in the other language.

import { beforeAll, expect, test, vi } from 'vitest';
import { readFileSync, readdirSync } from 'node:fs';
import { aboutOf, briefOf, calledOf, findGames, gameAt, pageOf, plain } from '../src/lib/find';
import { settings } from '../src/lib/settings.svelte';
import { learn } from '../src/lib/texts.svelte';
import type { GameInfo } from '../src/lib/wire';

const texts = (lang: string): string =>
  readdirSync(`../texts/${lang}`)
    .map((name) => readFileSync(`../texts/${lang}/${name}`, 'utf8'))
    .join('\n');

beforeAll(async () => {
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(new Response(texts(url.includes('zh') ? 'zh' : 'en'))));
  await learn('en');
  await learn('zh');
  settings.lang = 'en';
});

const game = (key: string, ...addresses: string[]): GameInfo =>
  ({ key, family: key.split('/')[0] ?? '', addresses, board: { files: 3, ranks: 4 } }) as unknown as GameInfo;
const GAMES = [
  game('draughts/turkish', 'turkish', 'dama'),
  game('draughts/spanish', 'spanish', 'damas'),
  game('draughts/english', 'checkers', 'english', '西洋跳棋'),
  game('gomoku/renju', 'renju', '连珠'),
  game('toy', 'toy'),
];
const found = (wanted: string): string[] => findGames(GAMES, wanted).map((g) => g.key);

test('a game is found by any of its names, the closest first', () => {
  expect(found('')).toHaveLength(GAMES.length);
  expect(found('dama')).toEqual(['draughts/turkish', 'draughts/spanish']);
  expect(found('DÁMAS')).toEqual(['draughts/spanish']);
  expect(found('checkers')).toEqual(['draughts/english']);
  expect(found('西洋')).toEqual(['draughts/english']);
  expect(found('连珠')).toEqual(['gomoku/renju']);
  expect(found('  Ren ')).toEqual(['gomoku/renju']);
  expect(found('no such game')).toEqual([]);
  expect(found('.*')).toEqual([]);
  settings.lang = 'zh';
  expect(found('renju'), 'in the other language').toEqual(['gomoku/renju']);
  expect(found('跳棋')).toEqual(['draughts/turkish', 'draughts/spanish', 'draughts/english']);
  settings.lang = 'en';
});

test('a word leads to its game, and the page of a game has its first word', () => {
  expect(gameAt(GAMES, 'DAMA')?.key).toBe('draughts/turkish');
  expect(gameAt(GAMES, '')).toBeUndefined();
  expect(pageOf(GAMES[3] ?? game(''))).toBe('/renju');
  expect(plain('Čeští-Hráči')).toBe('cesti hraci');
});

test('a game is called by its own name; one that nobody wrote about has its board', () => {
  expect(GAMES.slice(0, 4).map(calledOf)).toEqual(['Turkish draughts', 'Spanish draughts', 'Checkers', 'Renju']);
  const toy = GAMES.at(-1) ?? game('');
  expect([calledOf(toy), briefOf(toy), aboutOf(toy)]).toEqual(['game-toy', '3 × 4', '']);
});
