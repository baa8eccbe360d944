// The texts of a language as files beside the script, so that a visitor loads neither another language nor the texts
// of parts they do not open.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const MODULE = 'virtual:texts';
const LANGUAGES = ['en', 'zh'];
/** The texts that only the terminal or letters use. */
const NOT_HERE = ['cli.ftl', 'competition.ftl', 'help.ftl', 'letters.ftl', 'links.ftl', 'referee.ftl', 'system.ftl'];

/** The parts that few visitors open; all other texts are in the first. */
const PARTS = {
  house: [] as string[],
  workshop: ['workshop.ftl', 'code.ftl', 'teacher.ftl'],
  balance: ['balance.ftl'],
  study: ['study.ftl', 'studies.ftl'],
  account: ['account.ftl', 'mail.ftl'],
  profile: ['profile.ftl'],
  inbox: ['inbox.ftl', 'notices.ftl'],
  library: ['library.ftl'],
  puzzles: ['puzzles.ftl'],
  together: ['together.ftl', 'staff.ftl'],
  pages: ['pages.ftl'],
  // Rare refusals, and the rules themselves.
  rare: ['records.ftl', 'engine.ftl', 'kept.ftl', 'tui.ftl', 'python.ftl'],
  rules: [] as string[],
};
/** The messages of rules, which stand in the files of all parts and form a part of their own. */
const RULES = /^(rules|heading)-(?!title|none|start)/;
const APART = Object.values(PARTS).flat();

function sentences(root: string, lang: string, part: string): string {
  const dir = join(root, lang);
  const own = PARTS[part as keyof typeof PARTS];
  return readdirSync(dir)
    .filter((name) => name.endsWith('.ftl') && !NOT_HERE.includes(name) && (own.length > 0 ? own.includes(name) : !APART.includes(name)))
    .sort()
    .flatMap((name) =>
      readFileSync(join(dir, name), 'utf8')
        .replace(/^#.*\n/gm, '')
        .split(/^(?=[a-z][\w-]*\s*=)/m),
    )
    .filter((message) => own.length > 0 || RULES.test(message) === (part === 'rules'))
    .join('');
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
      const url = (lang: string, part: string): string => {
        if (!building) return `${part}: '/@texts/${lang}/${part}.ftl'`;
        const file = this.emitFile({ type: 'asset', name: `${lang}-${part}.ftl`, source: sentences(root, lang, part) });
        return `${part}: import.meta.ROLLUP_FILE_URL_${file}`;
      };
      const urls = LANGUAGES.map(
        (lang) =>
          `${lang}: { ${Object.keys(PARTS)
            .map((part) => url(lang, part))
            .join(', ')} }`,
      );
      return `export default { ${urls.join(', ')} };`;
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const [, lang, part] = /^\/@texts\/(\w+)\/(\w+)\.ftl$/.exec(request.url ?? '') ?? [];
        if (!lang || !part || !LANGUAGES.includes(lang) || !(part in PARTS)) return next();
        response.setHeader('content-type', 'text/plain; charset=utf-8');
        response.end(sentences(root, lang, part));
      });
    },
  };
}
