// Colours, faces, notations and files: small choices with one right answer.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { content } from '../src/lib/base64';
import { outlines } from '../src/lib/faces.svelte';
import { chosenNotation, notationsOf, readAs, traditional } from '../src/lib/notation';
import { faceOf, frameOf, namingOf, paintOf, type FaceSet } from '../src/lib/paint';
import { settings } from '../src/lib/settings.svelte';
import { fit } from '../src/lib/fit';
import { cellName, pieceName } from '../src/lib/names';
import { familiesOf } from '../src/lib/shelf';
import { nameOfSide, toneOf } from '../src/lib/tones';
import type { Board, GameInfo } from '../src/lib/wire';

test('a side’s colour is in its name, and goes with it after a swap', () => {
  expect(toneOf(['black', 'white'], 'first')).toBe('dark');
  expect(toneOf(['white', 'black'], 'first')).toBe('light');
  expect(toneOf(['red', 'black'], 'second')).toBe('dark');
  expect(toneOf(['black', 'white'], 'first', true)).toBe('light');
  expect(nameOfSide(['black', 'white'], 'first', true)).toBe('white');
  expect(toneOf(['black', 'white'], null)).toBe('nobody');
  expect([toneOf(['', ''], 'first'), toneOf(['', ''], 'second')]).toEqual(['dark', 'light']);
});

test('every face of every set has an outline', () => {
  const known = outlines(readFileSync(`${import.meta.dirname}/../src/faces/faces.svg`, 'utf8'));
  for (const set of ['simplified', 'traditional', 'pictures'] satisfies FaceSet[]) {
    const seen = new Set<string>();
    for (const tone of ['red', 'dark'] as const) {
      for (const face of ['general', 'advisor', 'elephant', 'horse', 'rook', 'cannon', 'soldier']) {
        const name = faceOf(set, face, tone);
        seen.add(name);
        expect(known[name], `${set} ${tone} ${face}`).toMatch(/^M/);
      }
    }
    expect(seen.size).toBe({ simplified: 11, traditional: 14, pictures: 7 }[set]);
  }
  for (const sign of paintOf('xiangqi').river?.join('') ?? '') expect(known[sign]).toMatch(/^M/);
});

test('simplified Chinese moves are read in traditional characters, too', () => {
  expect(notationsOf(['chinese', 'wxf'])).toEqual(['chinese', 'chinese-traditional', 'wxf']);
  expect(traditional('前车进四')).toBe('前車進四');
  expect(readAs('chinese-traditional', ['chinese', 'wxf'], ['马8进7', 'H8+7'])).toBe('馬8進7');
  expect(readAs('wxf', ['chinese', 'wxf'], ['马8进7', 'H8+7'])).toBe('H8+7');
  expect(readAs('wxf', ['chinese', 'wxf'], [])).toBeNull();
  expect(readAs(null, [], [])).toBeNull();
});

test('the notation is the chosen one, else what readers of the language read', () => {
  const choices = notationsOf(['chinese', 'wxf', 'iccs']);
  Object.assign(settings, { lang: 'en', faces: 'traditional', notation: {} });
  expect(chosenNotation('xiangqi', choices)).toBe('wxf');
  settings.lang = 'zh';
  expect(chosenNotation('xiangqi', choices)).toBe('chinese-traditional');
  settings.faces = 'simplified';
  expect(chosenNotation('xiangqi', choices)).toBe('chinese');
  settings.notation = { xiangqi: 'iccs' };
  expect(chosenNotation('xiangqi', choices)).toBe('iccs');
  expect(chosenNotation('gomoku', [])).toBeNull();
});

test('names beside the board fit the notation and take room only where they stand', () => {
  const palace: Board = { lines: 'points', files: 9, ranks: 10, names: { kind: 'letters-up', first: 0 }, stars: [] };
  expect(namingOf(paintOf('xiangqi'), 'iccs')).toBe('letters');
  expect(namingOf(paintOf('xiangqi'), 'wxf')).toBe('files');
  expect(namingOf(paintOf('draughts'), 'wxf')).toBe('letters');
  expect(frameOf(palace, 'none')).toEqual({ left: 26, top: 26, hand: 0, width: 952, height: 1052 });
  expect(frameOf(palace, 'chinese-files')).toEqual({ left: 26, top: 66, hand: 0, width: 952, height: 1132 });
  expect(frameOf({ ...palace, names: { kind: 'numbers', first: 1 } }, 'letters').left).toBe(26);
  // The same width on both sides, or the board would not be centred.
  expect(frameOf(palace, 'letters')).toEqual({ left: 50, top: 50, hand: 0, width: 1000, height: 1100 });
});

test('a file goes as text where it is UTF-8, else byte by byte', () => {
  const bytes = (...b: number[]): Uint8Array => Uint8Array.from(b);
  expect(content(new TextEncoder().encode('炮二平五'))).toEqual({ content: '炮二平五', base64: false });
  expect(content(bytes(0xc5, 0xda, 0xb6, 0xfe))).toEqual({ content: 'xdq2/g==', base64: true });
  expect(content(bytes(0x58, 0x51, 0, 1))).toEqual({ content: 'WFEAAQ==', base64: true });
});

test('a family stands on the shelf once, with the game that was played last', () => {
  const game = (key: string): GameInfo => ({ key, family: key.split('/')[0] ?? '' }) as GameInfo;
  const games = ['gomoku/freestyle', 'gomoku/renju', 'locked'].map(game);
  settings.variant = {};
  expect(familiesOf(games).map((f) => [f.name, f.games.length, f.usual.key])).toEqual([
    ['gomoku', 2, 'gomoku/freestyle'],
    ['locked', 1, 'locked'],
  ]);
  settings.variant = { gomoku: 'gomoku/renju', locked: 'gone' };
  expect(familiesOf(games).map((f) => f.usual.key)).toEqual(['gomoku/renju', 'locked']);
});

test('a place is called with its file as the board shows it to the near player', () => {
  const palace: Board = { lines: 'points', files: 9, ranks: 10, names: { kind: 'letters-up', first: 0 }, stars: [] };
  const c0 = 9 * 9 + 2;
  // No texts are loaded here, so that the key stands for them.
  expect(cellName(palace, c0, 'letters', false)).toBe('c0');
  expect(cellName(palace, c0, 'chinese-files', false)).toBe('c0, cell-file');
  settings.lang = 'zh';
  const [red, black] = (['red', 'dark'] as const).map((tone) =>
    ['general', 'advisor', 'elephant', 'soldier'].map((face) => pieceName(paintOf('xiangqi'), face, tone)).join(''),
  );
  expect([red, black]).toEqual(['帅仕相兵', '将士象卒']);
  expect(pieceName(paintOf('draughts'), 'man', 'dark')).toBe('piece-man');
});

test('no word is broken on a tile', () => {
  const rows: [string, string[]][] = [
    ['兵', ['兵']],
    ['Dragon', ['Dragon']],
    ['Ox', ['Ox']],
    ['Iron Ox', ['Iron', 'Ox']],
    ['大将军王', ['大将', '军王']],
  ];
  for (const [name, lines] of rows) expect(fit(name).lines, name).toEqual(lines);
  for (const name of ['Dragon', 'Iron Ox', 'Grandmaster', '123456789012345678'])
    expect(fit(name).lines.join('')).toBe(name.replaceAll(' ', ''));
});
