// Both languages have the same texts, and the page asks only for texts that exist.

import { FluentBundle, FluentResource } from '@fluent/bundle';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../texts');
const source = join(import.meta.dirname, '../src');

interface Message {
  key: string;
  text: string;
}

function messages(lang: string, file: string): Message[] {
  const text = readFileSync(join(root, lang, file), 'utf8');
  return text
    .split(/^(?=[a-z][\w-]* *=)/m)
    .filter((part) => /^[a-z]/.test(part))
    .map((part) => ({ key: /^[\w-]+/.exec(part)?.[0] ?? '', text: part }));
}

const files = readdirSync(join(root, 'en')).filter((f) => f.endsWith('.ftl'));
const args = (m: Message): string[] => [...new Set([...m.text.matchAll(/\$(\w+)/g)].map((x) => x[1] ?? ''))].sort();

test('the two languages have the same files', () => {
  expect(readdirSync(join(root, 'zh')).filter((f) => f.endsWith('.ftl'))).toEqual(files);
});

test.each(files)('%s: the same keys in the same order', (file) => {
  expect(messages('zh', file).map((m) => m.key)).toEqual(messages('en', file).map((m) => m.key));
});

test.each(files)('%s: no language uses a fact the other does not know', (file) => {
  const english = new Map(messages('en', file).map((m) => [m.key, args(m)]));
  for (const m of messages('zh', file)) expect([m.key, args(m)]).toEqual([m.key, english.get(m.key)]);
});

test.each(['en', 'zh'])('%s: every message can be read', (lang) => {
  const seen = new Set<string>();
  for (const file of files) {
    for (const m of messages(lang, file)) {
      const bundle = new FluentBundle(lang, { useIsolating: false });
      expect(bundle.addResource(new FluentResource(m.text)), m.key).toEqual([]);
      expect(bundle.getMessage(m.key)?.value, m.key).toBeTruthy();
      expect(seen.has(m.key), `${m.key} is there twice`).toBe(false);
      seen.add(m.key);
    }
  }
});

test.each(['cli.ftl', 'hall.ftl', 'referee.ftl'])('%s: Chinese sentences have Chinese commas and colons', (file) => {
  const half = /[\u3400-\u9fff“”（）][,;:]|[,;:][\u3400-\u9fff“”（）]/;
  expect(
    messages('zh', file)
      .filter((m) => half.test(m.text))
      .map((m) => m.key),
  ).toEqual([]);
});

test('everybody is called 你', () => {
  expect(
    files
      .flatMap((f) => messages('zh', f))
      .filter((m) => m.text.includes('您'))
      .map((m) => m.key),
  ).toEqual([]);
});

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) =>
    e.isDirectory() ? sources(join(dir, e.name)) : /\.(ts|svelte)$/.test(e.name) ? [join(dir, e.name)] : [],
  );
}

test('every key the page names outright is written', () => {
  const written = new Set(files.flatMap((f) => messages('en', f).map((m) => m.key)));
  const asked = sources(source).flatMap((f) => [...readFileSync(f, 'utf8').matchAll(/\bt\('([\w-]+)'/g)].map((m) => m[1] ?? ''));
  expect(asked.length).toBeGreaterThan(50);
  expect([...new Set(asked.filter((k) => !written.has(k)))]).toEqual([]);
});

test('every sentence of the page is used', () => {
  const code = sources(source)
    .map((f) => readFileSync(f, 'utf8'))
    .join('\n');
  /** The keys made from parts, such as `offers-${what}`. */
  const families = [...code.matchAll(/`([\w-]+-)\$\{/g)].map((m) => m[1] ?? '');
  const unused = ['page.ftl', 'workshop.ftl', 'profile.ftl']
    .flatMap((file) => messages('en', file))
    .map((m) => m.key)
    .filter((k) => !code.includes(`'${k}'`) && !families.some((f) => k.startsWith(f)));
  expect(unused).toEqual([]);
});
