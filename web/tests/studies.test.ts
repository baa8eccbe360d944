// The effect of an event on a study is the same here and in the hall; comments are never inserted as HTML.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { applied, blocksOf, linesOf, wordsOf } from '../src/lib/studies';
import type { Study, StudyEntry } from '../src/lib/wire';

const steps = JSON.parse(readFileSync(new URL('../../crates/study/tests/data/events.json', import.meta.url), 'utf8')) as {
  start: Study;
  steps: { entry: StudyEntry; after: Study }[];
};

/** Removes empty fields, which mean the same as absent ones. */
const plain = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, v: unknown) => (Array.isArray(v) && v.length === 0 ? undefined : v === '' ? undefined : v)));

test('events do here what they do in the hall', () => {
  expect(steps.steps.length).toBeGreaterThan(20);
  expect(new Set(steps.steps.map((step) => step.entry.event.t)).size).toBe(17);
  let study = steps.start;
  for (const { entry, after } of steps.steps) {
    study = applied(study, entry);
    expect(plain(study), JSON.stringify(entry.event)).toEqual(plain(after));
  }
});

test('variations are read before the line goes on', () => {
  const node = (id: number, parent: number): { id: number; parent: number; text: string; names: string[]; ver: number } => ({
    id,
    parent,
    text: String(id),
    names: [],
    ver: 0,
  });
  const nodes = [node(0, 0), node(1, 0), node(2, 1), node(3, 2), node(4, 1), node(5, 4), node(6, 0)];
  const chapter = { id: 0, name: '', game: 'xiangqi', players: ['', ''] as [string, string], nodes, next: 7 };
  expect(blocksOf(chapter).map((b) => [b.depth, b.before, ...b.nodes.map((n) => n.id)])).toEqual([
    [0, 0, 1],
    [1, 0, 6],
    [0, 1, 2],
    [1, 1, 4, 5],
    [0, 2, 3],
  ]);
});

test('a comment is words and nothing else', () => {
  expect(wordsOf('a **b** *c* `d` <b>e</b>').map((w) => `${w.is}:${w.text}`)).toEqual([
    'text:a ',
    'strong:b',
    'text: ',
    'em:c',
    'text: ',
    'code:d',
    'text: <b>e</b>',
  ]);
  expect(wordsOf('see https://example.org/a_b. [x](javascript:alert(1))').filter((w) => w.is === 'link')).toEqual([
    { is: 'link', text: 'https://example.org/a_b' },
  ]);
  expect(linesOf('- one\n\ntwo').map((l) => l.item)).toEqual([true, false]);
});
