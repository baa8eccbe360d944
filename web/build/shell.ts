// What a build adds to Vite's own: the service worker's list of files, compressed copies, and the size limit.

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

/** All JavaScript a visitor may load, gzipped. The measure is in the brief of the page. */
const SCRIPT_LIMIT_BYTES = 60_000;

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
  return {
    name: 'shell',
    apply: 'build',
    configResolved(config) {
      out = config.build.outDir;
    },
    closeBundle() {
      const worker = join(out, 'sw.js');
      const cached = files(out).filter((f) => f !== worker && !/\.(gz|br|map)$/.test(f));
      const names = cached.map((f) => `/${relative(out, f)}`).map((n) => (n === '/index.html' ? '/' : n));
      const source = readFileSync(worker, 'utf8')
        .replace('__VERSION__', fingerprint(cached))
        .replace("['__FILES__']", JSON.stringify(names));
      writeFileSync(worker, source);

      let script = 0;
      for (const file of files(out)) {
        if (!COMPRESSIBLE.test(file)) continue;
        const bytes = readFileSync(file);
        const gz = gzipSync(bytes, { level: 9 });
        writeFileSync(`${file}.gz`, gz);
        writeFileSync(
          `${file}.br`,
          brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        );
        if (file.endsWith('.js')) script += gz.length;
      }
      const total = files(out).reduce((n, f) => n + statSync(f).size, 0);
      console.log(`script: ${script} bytes gzipped of ${SCRIPT_LIMIT_BYTES} allowed; folder: ${total} bytes`);
      if (script > SCRIPT_LIMIT_BYTES) throw new Error('the page has too much script');
    },
  };
}
