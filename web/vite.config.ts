import { svelte } from '@sveltejs/vite-plugin-svelte';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { linked } from './build/linked.ts';
import { shell } from './build/shell.ts';
import { texts } from './build/texts.ts';

const hall = process.env['QIGUAN_HALL'] ?? 'http://127.0.0.1:8080';

/** Places and parts of them that a first game against the program needs. */
const FIRST = 'Hall|PlayPanel|Away|Card|Doors|NewGame|TablePage|TableKeys|Clock|Facts|Tile';
const PLAY = new RegExp(`src/ui/(${FIRST})\\.svelte`);
/** Their styles come with everybody's: one file less. */
const STYLES = new RegExp(
  `src/ui/(${FIRST}|Levels|Moves|NoteRow|Stage|Strip|Table(Actions|Side|Top)|Targets|Variants|Written)\\.svelte\\?svelte&type=style`,
);
/** Entry, and parts that most places have. */
const BASE =
  /src\/(main\.ts|App\.svelte|(style|boards|print)\.css|ui\/(BellButton|Board|Frame|Icon|Later|Mark|Pointers|Seeking|Segments|Sheet|Still|TableRow|Times)\.svelte|lib\/(api|away|base64|clocks|connection|copy|find|frame|framekeys|keep|known|label|linked|lobby|mapname|names|notation|opponent|places|sample|shelf|shown|sound|start|steps|walk|words|(bell|patience|picks|router|seeking|settings|shape|tables|texts|visitor)\.svelte)\.)/;

export default defineConfig({
  plugins: [svelte(), texts(resolve('../texts')), linked(), shell()],
  // Tests run the page's own code, not what a server would render.
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
  // The hall may stand under a path: it writes that into the page, and files find each other beside themselves.
  base: './',
  build: {
    outDir: resolve('dist'),
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Small chunks compress badly, and forty people who come at once feel each request. What every place needs is one file, and
      // what a newcomer needs from the hall to the first move is another.
      output: {
        // Names of files are what compresses worst: 42 bits tell versions apart as well as 48.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'base', priority: 2, test: (id: string) => BASE.test(id) || STYLES.test(id) },
            { name: 'play', priority: 1, test: PLAY },
            // Each chunk has a price of its own: parts that the same few people want come together.
            { name: 'SetUp', test: /src\/ui\/(SetUp|MoreOptions)\.svelte/ },
            { name: 'Shapes', test: /src\/(ui\/(Cross|InHand|Picks|Terrain)\.svelte|faces\/terrain\.json)/ },
            // What several of them need is not in one of theirs.
            { name: 'Maps', priority: 1, test: /src\/(ui\/(Told|Wrongs)\.svelte|lib\/(maps|rule|works)\.)/ },
            { name: 'WorkCard', priority: 1, test: /src\/ui\/WorkCard\./ },
            { name: 'chooser', priority: 1, test: /src\/lib\/chooser/ },
            { name: 'MapParts', test: /src\/ui\/(Balance|BalanceOf|Diff|MapPuzzles|PublishSheet|SetPuzzle|WorkPart)\.svelte/ },
            { name: 'Authors', test: /src\/ui\/(Drafts|SharedExtensions|TryOut|CodeTab)\.svelte/ },
            // The line to the hall and what it tells of, for every place but the hall and tables.
            { name: 'here', priority: 1, test: /src\/(lib\/(here|inbox|together)\.|ui\/Challenges\.)/ },
            {
              name: 'Places',
              test: /src\/(ui\/(GamesPage|GamePage|GameTile|LearnPage|WatchPage|MakePage)\.svelte|pages\.css)/,
            },
            { name: 'Home', priority: 1, test: /src\/(ui\/(BoardCard|HomeToday|HomeTurns)\.svelte|lib\/works\.)/ },
            { name: 'FrameParts', test: /src\/ui\/(AccountPanel|FrameKeys|MoreSheet|News|Search|UnderWord)\.svelte/ },
            { name: 'StudyParts', test: /src\/ui\/(StudyAbout|StudyFrom|StudyList|StudyNew|StudyTools|StudiesPage)\.svelte/ },
            { name: 'Notes', test: /src\/ui\/(Claim|FirstMove|NoTable|Opened|Slow|Trouble|Typing)\.svelte/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      // The hall listens to its own pages only, so they come under its name.
      '/api': { target: hall, changeOrigin: true, headers: { origin: hall } },
      '/ws': { target: hall, ws: true, changeOrigin: true, rewriteWsOrigin: true },
    },
  },
});
