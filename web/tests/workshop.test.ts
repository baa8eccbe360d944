// Drafts of maps: twins, sizes, numbers that move up, and the picture of the start.

import { beforeEach, expect, test, vi } from 'vitest';
import { Refused } from '../src/lib/api';
import { fetched, turned } from '../src/lib/maps';
import { mapName } from '../src/lib/mapname';
import { rimsOf } from '../src/lib/paint';
import { directionsOf, readRule } from '../src/lib/rule';
import { choose, settings } from '../src/lib/settings.svelte';
import { fresh, NO_SHEETS, pictureOf, resized, twin, without, Workshop, type Origin } from '../src/lib/workshop.svelte';
import type { KindDraft } from '../src/lib/wire';

const kind = (rule: string, more: Partial<KindDraft> = {}): KindDraft => ({
  name: '兵',
  owner: 'first',
  captain: false,
  rule,
  promotes: '',
  promoted: ';',
  attributes: [],
  ...more,
});

test('a twin comes from the other end: directions and places are turned, what extensions read is not', () => {
  const one = kind('2,1(X[1|-2]&关联[3]);5(P[1|2]);3,9', { promotes: 'X[1]&T[2]', promoted: '4;' });
  expect(twin(one)).toEqual({
    ...one,
    owner: 'second',
    rule: '7,8(X[-1|2]&关联[3]);4(P[-1|-2]);6,9',
    promotes: 'X[-1]&T[2]',
    promoted: '5;',
  });
  expect(twin(twin(one))).toEqual(one);
  expect(twin(kind('nonsense', { owner: null }))).toMatchObject({ rule: 'nonsense', owner: null });
});

test('a larger board keeps what stands where it stands; a smaller one loses its edge', () => {
  const draft = { ...fresh(), rows: 2, cols: 2, cells: [1, 2, 3, 4] };
  expect(resized(draft, 2, 3).cells).toEqual([1, 2, 0, 3, 4, 0]);
  expect(resized(draft, 3, 1)).toMatchObject({ rows: 3, cols: 1, cells: [1, 3, 0] });
  expect(resized(draft, 0, 99)).toMatchObject({ rows: 1, cols: 64 });
});

test('where a piece is gone from the table, those after it move up', () => {
  const draft = without({ ...fresh(), cells: [1, 2, 3, 4, 0, 2] }, 2);
  expect(draft.cells).toEqual([1, 0, 2, 3, 0, 0]);
  expect(draft.kinds.length).toBe(3);
});

test('the start shows the directions that hold where a piece stands, turned for the other side', () => {
  const draft = { ...fresh(), rows: 2, cols: 2, cells: [1, 0, 0, 1], kinds: [kind('2,4(X[-1]),5(Y[9]);1(未知[1]),8', { captain: true })] };
  const picture = pictureOf(draft);
  expect(picture.dirs).toEqual([
    [0, 0b00000010, 0b10000000],
    [3, 0b00001010, 0b10000000],
  ]);
  expect(picture.marks).toEqual([{ kind: 'captain', cells: [0, 3] }]);
  expect(rimsOf(picture, true).get(3)).toEqual({ dirs: [0b00001010, 0b10000000], badges: ['captain'], turned: true });
});

test('pieces show what extensions do in a direction, unless one does not want to see directions', () => {
  const draft = { ...fresh(), rows: 1, cols: 1, cells: [1], kinds: [kind('2;5;;7,99(X[1]);;2(X[1]),2;4;1')] };
  const picture = pictureOf(draft);
  expect(picture.dirs).toEqual([[0, 0b00000010, 0b00010000, [0, 0b01000000, 0, 0b00000010]]]);
  expect(directionsOf(readRule('2;5;8;;;') ?? [])).toEqual([0b00000010, 0b00010000, 0b10000000]);
  expect(rimsOf(picture, false).get(0)?.dirs).toEqual([0b00000010, 0b00010000, 0, 0b01000000, 0, 0b00000010]);
  settings.directions = false;
  expect(rimsOf(picture, false).get(0)?.dirs).toEqual([]);
  settings.directions = true;
});

test('arrows are told as the other side sees the board, names as they are', () => {
  expect(turned({ key: 'rows', args: { arrows: '↑↖', rows: '1' } }).args).toEqual({ arrows: '↓↘', rows: '1' });
  expect(turned({ key: 'piece', args: { name: '↑' } }).args).toEqual({ name: '↑' });
});

test('a map with two names is called in the language that is spoken', () => {
  settings.lang = 'zh';
  expect(mapName('移山 / Moving Mountains')).toBe('移山');
  settings.lang = 'en';
  expect(mapName('移山 / Moving Mountains')).toBe('Moving Mountains');
  expect(mapName('a / b / c')).toBe('a / b / c');
  expect(mapName('象棋')).toBe('象棋');
});

let kept: Record<string, string> = {};
beforeEach(() => {
  kept = {};
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept[key] ?? null,
    setItem: (key: string, value: string) => void (kept[key] = value),
    removeItem: (key: string) => delete kept[key],
  });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no hall here')));
});

test('changes are undone and done again, typing in one go, and outlive the page', () => {
  const bench = new Workshop();
  bench.begin('a game', fresh());
  bench.changeKind({ name: '王a' }, 'name');
  bench.changeKind({ name: '王ab' }, 'name');
  bench.put(0, 2);
  expect([bench.kind?.name, bench.draft.cells[0]]).toEqual(['王ab', 2]);
  bench.undo();
  expect([bench.kind?.name, bench.draft.cells[0]]).toEqual(['王ab', 0]);
  bench.undo();
  expect(bench.kind?.name).toBe('王');
  bench.redo();
  bench.redo();
  expect([bench.kind?.name, bench.draft.cells[0]]).toEqual(['王ab', 2]);
  const later = new Workshop();
  expect(later.resume()).toBe(true);
  expect([later.name, later.kind?.name, later.draft.cells[0]]).toEqual(['a game', '王ab', 2]);
});

test('a draft that an older page has kept gets the sheets that came later', () => {
  const { bag, ...older } = NO_SHEETS;
  const bench = new Workshop();
  bench.begin('old', { ...fresh(), level2: { ...older, rules2: [['Qiguan 2']] } as typeof NO_SHEETS });
  expect(bench.draft.level2).toEqual({ ...older, rules2: [['Qiguan 2']], bag });
});

test('a draft that another takes the place of is put aside, outlives the page, and comes back', () => {
  const bench = new Workshop();
  bench.begin('mine', fresh());
  bench.begin('a copy', fresh());
  expect(bench.aside).toBe(null);
  bench.put(0, 2);
  bench.begin('another', fresh());
  const later = new Workshop();
  later.resume();
  expect([later.name, later.aside?.name]).toEqual(['another', 'a copy']);
  later.back();
  expect([later.name, later.draft.cells[0], later.aside]).toEqual(['a copy', 2, null]);
  // A draft changed in either tab is kept.
  later.begin('third', fresh());
  later.put(1, 2);
  later.back();
  expect([later.name, later.aside?.name, later.aside?.draft.cells[1]]).toEqual(['a copy', 'third', 2]);
  // A published draft need not be put aside.
  later.published({ map: '' } as Origin);
  later.begin('fourth', fresh());
  expect(later.aside?.name).toBe('third');
});

test('a tab does not write over what another one has kept', () => {
  const [one, other] = [new Workshop(), new Workshop()];
  one.begin('mine', fresh());
  other.resume();
  other.put(0, 2);
  one.put(1, 2);
  expect([one.overtaken, other.overtaken]).toEqual([true, false]);
  const later = new Workshop();
  later.resume();
  expect(later.draft.cells.slice(0, 2)).toEqual([2, 0]);
  // One tab is chosen to count, and the draft of the other is not lost.
  one.insist();
  expect(one.overtaken).toBe(false);
  later.resume();
  expect([later.draft.cells.slice(0, 2), later.aside?.draft.cells.slice(0, 2)]).toEqual([
    [0, 2],
    [2, 0],
  ]);
});

test('a refusal is no file', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{"error":{"key":"hall-busy","args":{}}}', { status: 503 })));
  await expect(fetched('/api/extensions/gate/1')).rejects.toEqual(new Refused(503, { key: 'hall-busy', args: {} }));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('x = 1')));
  expect(await fetched('/api/extensions/gate/1')).toBe(btoa('x = 1'));
});

test('a choice made on another page stays', () => {
  vi.stubGlobal('document', { documentElement: { dataset: {} }, querySelector: () => null });
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '' }));
  kept['qiguan'] = JSON.stringify({ theme: 'dark' });
  choose('sound', false);
  expect(JSON.parse(kept['qiguan'])).toMatchObject({ theme: 'dark', sound: false });
});

test('what is wrong stands beside its field', () => {
  const bench = new Workshop();
  bench.begin('a game', fresh());
  const at = (place: string): { key: string; args: Record<string, string> } => ({ key: 'x', args: { place } });
  bench.checked = { errors: [at('chesses!E3'), at('chesses!H3'), at('map!B4')], warnings: [], details: [], view: null };
  expect([bench.wrong(2, 'rule').length, bench.wrong(2, 'attributes').length, bench.wrong(1, 'rule').length]).toEqual([1, 1, 0]);
  expect([bench.wrongKind(2), bench.wrongKind(1), bench.elsewhere.length]).toEqual([true, false, 1]);
});
