// What a build adds to Vite's own: the service worker's list of files, compressed files, and the size limit.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** The JavaScript of the place one comes to first, whichever it is, gzipped. The measure is in the brief of the page. */
const VISIT_LIMIT_BYTES = 60_500;
/** With all that comes when it is asked for. The workshop, the analysis, the account, slow games and people's pages, the library, puzzles and studies are
 * programs of their own that few open; so are reports, versions and the gallery of maps. */
const ALL_LIMIT_BYTES = 235_000;
/** The editor for extensions, which only those load who write code: a library, and not kept for times without a network. */
const EDITOR = /^code-/;
const EDITOR_LIMIT_BYTES = 150_000;

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt|ftl)$/;

function files(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .flatMap((e) => (e.isDirectory() ? files(join(dir, e.name)) : [join(dir, e.name)]))
    .sort();
}

/** A number that changes whenever a byte of the shell does. */
function fingerprint(paths: string[]): string {
  let h = 0x811c9dc5;
  for (const path of paths) {
    for (const byte of readFileSync(path)) h = Math.imul(h ^ byte, 0x01000193) >>> 0;
  }
  return h.toString(36);
}

export function shell(): Plugin {
  let out = '';
  const visits: Set<string>[] = [];
  return {
    name: 'shell',
    apply: 'build',
    configResolved(config) {
      out = config.build.outDir;
    },
    /** Each place with all that is loaded before its first board stands: the entry, the place, what they import. */
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((c) => c.type === 'chunk');
      const entry = chunks.find((c) => c.isEntry);
      for (const place of chunks.filter((c) => entry?.dynamicImports.includes(c.fileName))) {
        const names = new Set<string>();
        const wait = [entry?.fileName ?? '', place.fileName];
        for (let name = wait.pop(); name !== undefined; name = wait.pop()) {
          const chunk = bundle[name];
          if (names.has(name) || chunk?.type !== 'chunk') continue;
          names.add(name);
          wait.push(...chunk.imports);
        }
        visits.push(names);
      }
    },
    closeBundle() {
      const worker = join(out, 'sw.js');
      const cached = files(out).filter((f) => f !== worker && !/\.(gz|br|map)$/.test(f) && !EDITOR.test(basename(f)));
      const names = cached.map((f) => `/${relative(out, f)}`).map((n) => (n === '/index.html' ? '/' : n));
      const source = readFileSync(worker, 'utf8')
        .replace('__VERSION__', fingerprint(cached))
        .replace("['__FILES__']", JSON.stringify(names));
      writeFileSync(worker, source);

      const sizes = new Map<string, number>();
      for (const file of files(out)) {
        if (!COMPRESSIBLE.test(file)) continue;
        const bytes = readFileSync(file);
        const gz = gzipSync(bytes, { level: 9 });
        writeFileSync(`${file}.gz`, gz);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        if (file.endsWith('.js')) sizes.set(relative(out, file), gz.length);
        // The hall unpacks for whoever takes neither. It writes into the page itself.
        if (basename(file) !== 'index.html') rmSync(file);
      }
      const total = files(out).reduce((n, f) => n + statSync(f).size, 0);
      const sum = (names: Iterable<string>): number => [...names].reduce((n, name) => n + (sizes.get(name) ?? 0), 0);
      const visit = Math.max(...visits.map(sum));
      const isEditor = (name: string): boolean => EDITOR.test(basename(name));
      const editor = sum([...sizes.keys()].filter(isEditor));
      const all = sum(sizes.keys()) - editor;
      console.log(
        `script of a visit: ${visit} bytes gzipped of ${VISIT_LIMIT_BYTES} allowed; all: ${all} of ${ALL_LIMIT_BYTES}; editor: ${editor} of ${EDITOR_LIMIT_BYTES}; folder: ${total} bytes`,
      );
      if (visit > VISIT_LIMIT_BYTES || all > ALL_LIMIT_BYTES || editor > EDITOR_LIMIT_BYTES)
        throw new Error('the page has too much script');
    },
  };
}
