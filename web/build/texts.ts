// The sentences of a language as one file beside the script, so that nobody loads a language they do not read.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const MODULE = 'virtual:texts';
const LANGUAGES = ['en', 'zh'];
/** What only the terminal says. */
const NOT_HERE = ['cli.ftl', 'referee.ftl'];

function sentences(root: string, lang: string): string {
  const dir = join(root, lang);
  return readdirSync(dir)
    .filter((name) => name.endsWith('.ftl') && !NOT_HERE.includes(name))
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8').replace(/^#.*\n/gm, ''))
    .join('\n');
}

export function texts(root: string): Plugin {
  let building = false;
  return {
    name: 'texts',
    configResolved(config) {
      building = config.command === 'build';
    },
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : null),
    load(id) {
      if (id !== `\0${MODULE}`) return null;
      const urls = LANGUAGES.map((lang) => {
        if (!building) return `${lang}: '/@texts/${lang}.ftl'`;
        const file = this.emitFile({ type: 'asset', name: `${lang}.ftl`, source: sentences(root, lang) });
        return `${lang}: import.meta.ROLLUP_FILE_URL_${file}`;
      });
      return `export default { ${urls.join(', ')} };`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const lang = /^\/@texts\/(\w+)\.ftl$/.exec(request.url ?? '')?.[1];
        if (!lang || !LANGUAGES.includes(lang)) return next();
        response.setHeader('content-type', 'text/plain; charset=utf-8');
        response.end(sentences(root, lang));
      });
    },
  };
}
