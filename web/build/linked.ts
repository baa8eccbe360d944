// Puts src/lib/linked.ts in the place of Vite's helper around each import of a part.

import { resolve } from 'node:path';
import type { Plugin } from 'vite';

const HELPER = '\0vite/preload-helper.js';

export function linked(): Plugin {
  let replaced = false;
  return {
    name: 'linked',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id !== HELPER) return;
      replaced = true;
      return `export { linked as __vitePreload } from ${JSON.stringify(resolve(import.meta.dirname, '../src/lib/linked.ts'))}`;
    },
    buildEnd(trouble) {
      if (!replaced && !trouble) throw new Error('Vite has another helper around imports now: see build/linked.ts');
    },
  };
}
