// The build steps beyond Vite's own: the service worker's list of files, compressed files, and the size limits.

import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/**
 * The limit of the JavaScript of a first visit, whichever place it is to, gzipped. The brief of the page sets it: 65 000, and
 * 12 000 for the frame that every place has.
 */
const VISIT_LIMIT_BYTES = 77_000;
/**
 * The same limit for the hall and the tables, which come together: all that a newcomer needs from the first look to
 * the first move.
 */
const FIRST_LIMIT_BYTES = 90_900;
const FIRST = /^play-/;
/** Parts of the frame that are loaded when somebody opens them, and not with a place. */
const OPENED = /^FrameParts$/;
/**
 * The limit with all parts that are loaded later. The workshop, the analysis, the account, slow games and people's
 * pages, the library, puzzles, studies and the desk of the staff are programs of their own that few open; so are
 * reports, versions and the gallery of maps.
 */
const ALL_LIMIT_BYTES = 266_000;
/**
 * The editor for extensions, a library which only authors of code load, and which is not cached for times without a
 * network.
 */
const EDITOR = /^code-/;
const EDITOR_LIMIT_BYTES = 150_000;

const COMPRESSIBLE = /\.(js|css|html|svg|json|webmanifest|txt|ftl)$/;

function files(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .flatMap((e) => (e.isDirectory() ? files(join(dir, e.name)) : [join(dir, e.name)]))
    .sort();
}

/** Returns a number that changes whenever a byte of these files does. */
function fingerprint(paths: string[]): string {
  let h = 0x811c9dc5;
  for (const path of paths) {
    for (const byte of readFileSync(path)) h = Math.imul(h ^ byte, 0x01000193) >>> 0;
  }
  return h.toString(36);
}

/** A file of a hundred bytes that the bundler keeps apart: it makes one object of a module's exports. */
const HELPER = /^rolldown-runtime-/;
const HELP = `(all,bare)=>{const o={};for(const k in all)Object.defineProperty(o,k,{get:all[k],enumerable:true});return bare||Object.defineProperty(o,Symbol.toStringTag,{value:'Module'}),o}`;

/** Returns a script with that helper inlined, so that it is not a request of its own. */
function withHelper(script: string, helper: string, base: string): string {
  const imported = new RegExp(`import\\{t as ([\\w$]+)\\}from"\\./${helper.replaceAll('.', '\\.')}";`);
  const own = script.replace(imported, (_, name: string) => `var ${name}=${HELP};`).replaceAll(`"./${helper}"`, `"./${base}"`);
  if (own.includes(helper)) throw new Error(`${helper} is used in a way that is not known`);
  return own;
}

/** The pages of rules, with their texts. */
const READ = /^(Rules|(en|zh)-(rules|house))-/;

export function shell(): Plugin {
  let out = '';
  const visits: Set<string>[] = [];
  return {
    name: 'shell',
    apply: 'build',
    configResolved(config) {
      out = config.build.outDir;
    },
    /** The icon of the tab is inlined in the document: one request less, and it is small. */
    transformIndexHtml(page) {
      const icon = readFileSync(join(import.meta.dirname, '../public/icon.svg'), 'utf8')
        .replace(/\s+/g, ' ')
        .trim();
      return page.replace(/href="\.?\/icon\.svg"/, `href="data:image/svg+xml,${encodeURIComponent(icon)}"`);
    },
    /**
     * Lists the files that are loaded before the first board of each place: the entry, the place, and their imports.
     */
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((c) => c.type === 'chunk');
      const entry = chunks.find((c) => c.name === 'base');
      for (const place of chunks.filter((c) => entry?.dynamicImports.includes(c.fileName) && !OPENED.test(c.name))) {
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
      const scripts = files(out).filter((f) => f.endsWith('.js'));
      const helper = scripts.find((f) => HELPER.test(basename(f)));
      const base = scripts.find((f) => /^base-/.test(basename(f)));
      if (helper && base) {
        for (const f of scripts) writeFileSync(f, withHelper(readFileSync(f, 'utf8'), basename(helper), basename(base)));
        rmSync(helper);
        const page = join(out, 'index.html');
        const tag = new RegExp(` *<(script|link)[^>]*${basename(helper).replaceAll('.', '\\.')}[^>]*>(</script>)?\n`);
        writeFileSync(page, readFileSync(page, 'utf8').replace(tag, ''));
      }
      const worker = join(out, 'sw.js');
      const cached = files(out).filter((f) => f !== worker && !/\.(gz|br|map)$/.test(f) && !EDITOR.test(basename(f)));
      // In the order in which they are cached: pages that can be read without a network come first.
      const late = (f: string): number => (READ.test(basename(f)) ? 0 : 1);
      const named = [...cached].sort((a, b) => late(a) - late(b)).map((f) => [relative(out, f), f] as const);
      // Names under assets/ carry a hash already.
      const hashed = named.map(([n, f]) => [n === 'index.html' ? './' : n, n.startsWith('assets/') ? '' : fingerprint([f])]);
      const opening = ['theme.js', ...named.map(([n]) => n).filter((n) => /^assets\/base-/.test(n)), './'];
      const source = readFileSync(worker, 'utf8')
        .replace("{ __FILES__: '' }", JSON.stringify(Object.fromEntries(hashed)))
        .replace("['__FIRST__']", JSON.stringify(opening));
      writeFileSync(worker, source);

      const sizes = new Map<string, number>();
      for (const file of files(out)) {
        if (!COMPRESSIBLE.test(file)) continue;
        const bytes = readFileSync(file);
        const gz = gzipSync(bytes, { level: 9 });
        writeFileSync(`${file}.gz`, gz);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        if (file.endsWith('.js')) sizes.set(relative(out, file), gz.length);
        // The hall decompresses for clients that accept neither. It writes into the page itself.
        if (basename(file) !== 'index.html') rmSync(file);
      }
      const total = files(out).reduce((n, f) => n + statSync(f).size, 0);
      const sum = (names: Iterable<string>): number => [...names].reduce((n, name) => n + (sizes.get(name) ?? 0), 0);
      const isFirst = (names: Set<string>): boolean => [...names].some((name) => FIRST.test(basename(name)));
      const first = Math.max(...visits.filter(isFirst).map(sum));
      const visit = Math.max(...visits.filter((names) => !isFirst(names)).map(sum));
      const isEditor = (name: string): boolean => EDITOR.test(basename(name));
      const editor = sum([...sizes.keys()].filter(isEditor));
      const all = sum(sizes.keys()) - editor;
      console.log(
        `script of a visit: ${visit} bytes gzipped of ${VISIT_LIMIT_BYTES} allowed; hall and table: ${first} of ${FIRST_LIMIT_BYTES}; all: ${all} of ${ALL_LIMIT_BYTES}; editor: ${editor} of ${EDITOR_LIMIT_BYTES}; folder: ${total} bytes`,
      );
      if (!(visit <= VISIT_LIMIT_BYTES && first <= FIRST_LIMIT_BYTES) || all > ALL_LIMIT_BYTES || editor > EDITOR_LIMIT_BYTES)
        throw new Error('the page has too much script');
    },
  };
}
