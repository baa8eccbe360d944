// The error messages of the page: a sentence, never a browser's error text (H1: "TypeError: Failed to fetch").

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { ask, Refused } from '../src/lib/api';
import { pause } from '../src/lib/patience.svelte';
import { settings } from '../src/lib/settings.svelte';
import { learn } from '../src/lib/texts.svelte';
import { inWords } from '../src/lib/words';

const sentences = (lang: string): string =>
  readFileSync(`../texts/${lang}/page.ftl`, 'utf8') + readFileSync(`../texts/${lang}/hall.ftl`, 'utf8');

beforeAll(async () => {
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(new Response(sentences(url.includes('zh') ? 'zh' : 'en'))));
  await learn('en');
  await learn('zh');
});

const failures: [string, () => Promise<Response>][] = [
  ['no network', () => Promise.reject(new TypeError('Failed to fetch'))],
  [
    'an answer that breaks off',
    () => Promise.resolve({ ok: true, text: () => Promise.reject(new TypeError('network error')) } as unknown as Response),
  ],
  ['an answer that is no JSON', () => Promise.resolve(new Response('<html>'))],
  ['a proxy in between', () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }))],
  ['a key without a sentence', () => Promise.resolve(new Response('{"error":{"key":"newer-than-this-page","args":{}}}', { status: 400 }))],
];

test.each(failures)('%s is said in words, in both languages', async (_, answer) => {
  vi.stubGlobal('fetch', answer);
  for (const lang of ['en', 'zh'] as const) {
    settings.lang = lang;
    const said = await ask('/api/games').then(() => '', inWords);
    expect(said).toMatch(lang === 'zh' ? /[\u4e00-\u9fff]/ : /^[A-Z][^{}<>]+[.?]$/);
    expect(said).not.toMatch(/TypeError|SyntaxError|fetch|JSON|problem-/);
  }
  settings.lang = 'en';
});

test('an error of the page itself is a sentence, too', () => {
  expect(inWords(new TypeError("Cannot read properties of undefined (reading 'x')"))).toMatch(/^Something went wrong/);
  expect(inWords(new Refused(0, { key: 'hall-unreachable', args: {} }))).toMatch(/cannot be reached/);
});

test('no part of the page shows an error as it comes', () => {
  const parts = ['src/ui', 'src/lib'].flatMap((dir) => readdirSync(dir).map((name) => join(dir, name)));
  expect(parts.filter((part) => /String\((e|error|why)\)|\b(e|error)\.message\b/.test(readFileSync(part, 'utf8')))).toEqual([]);
});

test('the next try comes later each time, and never sooner than the hall asks', () => {
  expect([0, 1, 2, 3].map((failed) => pause(failed, null, 0))).toEqual([700, 1400, 2800, 5600]);
  expect(pause(20, null, 0)).toBe(30_000);
  expect(pause(0, '4', 0)).toBe(4000);
  expect(pause(0, 'soon', 0)).toBe(700);
  expect(pause(1, null, 0.5)).toBeGreaterThan(pause(1, null, 0));
});
