// The hall may stand under a path: would catch a link, a picture or a request of the page that leads above it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

/** The forbidden patterns, each with its replacement; `lib/base.ts` alone may use them. */
const WRONG: [RegExp, string][] = [
  [/\s(?:href|src)="\/(?!\/)/, 'href="{base}/…"'],
  [/\s(?:href|src)=\{[`']\/(?!\/)/, 'href={at(…)}'],
  [/\bfetch\([`']\//, 'fetch(at(…))'],
  [/new URL\([`']\/[^)]*location/, 'socketOf(…), or linkTo(…)'],
  [/(?<![!=]== )\blocation\.origin\b/, 'linkTo(…)'],
  [/location\.(?:assign|replace)\([`']\//, 'location.assign(at(…))'],
  [/(?:push|replace)State\([^,]*, '', [`']\//, 'at(…)'],
  [/\.register\([`']\//, 'register(at(…))'],
  [/import\.meta\.env\.BASE_URL/, 'at(…)'],
];

function files(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => (e.isDirectory() ? files(join(dir, e.name)) : [join(dir, e.name)]));
}

test('nothing of the page leads above the path of the hall', () => {
  const found = files(SRC)
    .filter((file) => /\.(svelte|ts)$/.test(file) && !file.endsWith('lib/base.ts'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, i) =>
          WRONG.filter(([wrong]) => wrong.test(line)).map(([, right]) => `${file}:${i + 1}: write ${right}: ${line.trim()}`),
        ),
    );
  expect(found).toEqual([]);
});
