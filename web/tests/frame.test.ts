// The frame: addresses and the places they lead to, the words above them, the keys. Would catch an address that leads nowhere, a
// word whose place lights another one, a letter that leaves a field or a table.

import { expect, test } from 'vitest';
import { isBeside, WORDS, wordOf } from '../src/lib/frame';
import { wishOf, type Press } from '../src/lib/framekeys';
import { placeOf, type Place } from '../src/lib/router.svelte';

const ROWS: [string, Place][] = [
  ['/', { at: 'hall' }],
  ['/games', { at: 'games' }],
  ['/games/', { at: 'games' }],
  ['/renju', { at: 'game', word: 'renju' }],
  ['/%E8%BF%9E%E7%8F%A0', { at: 'game', word: '连珠' }],
  ['/renju/openings', { at: 'nowhere' }],
  ['/learn', { at: 'learn' }],
  ['/watch', { at: 'watch' }],
  ['/make', { at: 'make' }],
  ['/inbox', { at: 'inbox' }],
  ['/t/abc', { at: 'table', id: 'abc' }],
  ['/t/abc/analysis', { at: 'table', id: 'abc', analysis: true }],
  ['/t/abc/else', { at: 'nowhere' }],
  ['/t/abc/analysis/more', { at: 'nowhere' }],
  ['/t', { at: 'nowhere' }],
  ['/rules', { at: 'nowhere' }],
  ['/rules/gomoku', { at: 'rules', family: 'gomoku' }],
  ['/library/a1/b2', { at: 'nowhere' }],
  ['/puzzles', { at: 'puzzles', id: '' }],
  ['/@/Zhou Bo', { at: 'profile', name: 'Zhou Bo' }],
  ['/@', { at: 'nowhere' }],
  ['/%', { at: 'game', word: '%' }],
];

test.each(ROWS)('%s is a place', (path, place) => {
  expect(placeOf(path)).toEqual(place);
});

test('each word and each place under one leads to a place, whose word is lit', () => {
  for (const word of WORDS) {
    expect(wordOf(placeOf(word.at)), word.key).toBe(word.key);
    for (const [key, at] of word.under) {
      const place = placeOf(at.split('#')[0] ?? '');
      expect(['nowhere', 'game'], key).not.toContain(place.at);
      expect(wordOf(place), key).toBe(word.key);
    }
  }
  expect(wordOf({ at: 'account', id: '' })).toBeNull();
});

test('the frame stands beside boards, and above lists', () => {
  const beside = (path: string): boolean => isBeside(placeOf(path));
  expect(['/t/abc', '/puzzles', '/puzzles/x', '/library/x', '/studies/x', '/workshop'].filter((p) => !beside(p))).toEqual([]);
  expect(['/', '/library', '/studies', '/studies/new', '/games', '/renju', '/people'].filter(beside)).toEqual([]);
});

const press = (key: string, more: Partial<Press> = {}): Press => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  taken: false,
  table: false,
  letters: true,
  ...more,
});

test('keys lead through the hall, and stay out of fields, boards and tables', () => {
  expect(wishOf(press('/'), false)).toBe('search');
  expect(wishOf(press('?'), false)).toBe('keys');
  expect(wishOf(press('n'), false)).toBe('notices');
  expect(wishOf(press('g'), false)).toBe('wait');
  for (const word of WORDS) expect(wishOf(press(word.letter), true)).toEqual({ go: word.at });
  expect(new Set(WORDS.map((w) => w.letter)).size).toBe(WORDS.length);
  // The letter alone is nothing, and `g` twice leads nowhere.
  expect([wishOf(press('p'), false), wishOf(press('g'), true)]).toEqual([null, null]);
  for (const off of [{ taken: true }, { table: true }, { letters: false }, { altKey: true }] satisfies Partial<Press>[])
    for (const key of ['/', '?', 'n', 'g']) expect(wishOf(press(key, off), false), `${key} ${JSON.stringify(off)}`).toBeNull();
  // Ctrl K is no letter: it works while one types, at tables, and with letters off.
  expect(wishOf(press('k', { ctrlKey: true, taken: true, table: true, letters: false }), false)).toBe('search');
  expect(wishOf(press('K', { metaKey: true }), false)).toBe('search');
  expect(wishOf(press('c', { ctrlKey: true }), false)).toBeNull();
});
