import { svelte } from '@sveltejs/vite-plugin-svelte';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { shell } from './build/shell.ts';
import { texts } from './build/texts.ts';

const hall = process.env['QIGUAN_HALL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [svelte(), texts(resolve('../texts')), shell()],
  // Tests run the page's own code, not what a server would render.
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
  build: {
    outDir: resolve('dist'),
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      // Small chunks compress badly. What every page with a board loads comes in one.
      output: {
        // Names of files are what compresses worst: 42 bits tell versions apart as well as 48.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            { name: 'base', test: /src\/(ui\/(Board|Icon|Mark)\.svelte|lib\/(api|base64|copy|known|mapname|names|notation|opponent)\.)/ },
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
