// Two browsers at a hall of three nodes: the node that owns their table is killed in mid-game, and they go on.
// Skips itself where PostgreSQL, NATS or HAProxy is not installed.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { PICTURES, binary, farewell, mark, openBrowser, pair, plies, put, unreloaded, until, visitor } from './house.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const has = (program) => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};
const isHere = existsSync('/usr/lib/postgresql') && has('nats-server') && has('haproxy');
/** The errors that a browser reports while the hall is away. */
const AWAY = [/WebSocket connection to/, /net::ERR_/, /Failed to load resource/];

test(
  'the owner of a table is killed, and both players go on within nine seconds',
  { skip: !isHere && 'no PostgreSQL, NATS or HAProxy' },
  async () => {
    const folder = mkdtempSync('/tmp/qiguan-e2e-');
    const port = 18_000 + Math.floor(Math.random() * 1_000);
    const script = spawn(resolve(here, '../../scripts/cluster.sh'), ['--folder', folder, '--port', String(port)], {
      env: {
        ...process.env,
        QIGUAN: resolve(here, binary),
        BASE_PORT: String(port + 2_000),
        NATS_PORT: String(port + 4_000),
        DISPLAY: '',
        WAYLAND_DISPLAY: '',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    script.stdout.on('data', (words) => (said += words));
    const browser = await openBrowser();
    try {
      await until(() => said, /Press Ctrl-C/, 'the nodes open');
      const url = `http://localhost:${port}`;
      const [a, b] = [await visitor(browser), await visitor(browser)];
      a.expected = b.expected = AWAY;
      await pair(a, b, url, 'Gomoku, standard', { clock: 'Byo-yomi' });
      await Promise.all([mark(a), mark(b)]);
      await put(a, 'h8');
      await put(b, 'h9');
      await put(a, 'i8');
      await until(() => plies(b), 3);
      const nodes = await (await fetch(`http://127.0.0.1:${port + 2_101}/nodes`)).json();
      const owner = nodes.find((node) => node.tables > 0);
      const listens = `--listen 127.0.0.1:${port + 2_000 + Number(owner.name.slice(-1))} `;
      const pid = execFileSync('pgrep', ['-f', '--', ` serve .*${listens}`])
        .toString()
        .trim()
        .split('\n')[0];
      await a.screenshot({ path: join(PICTURES, 'cluster-before.png') });
      process.kill(Number(pid), 'SIGKILL');
      const killed = Date.now();
      await put(b, 'i9');
      await until(() => plies(a), 4, 'the move is played elsewhere');
      const seconds = (Date.now() - killed) / 1000;
      console.log(`${owner.name} was killed; the next move was played after ${seconds} s`);
      await put(a, 'j8');
      await until(() => plies(b), 5, 'the game goes on');
      await b.screenshot({ path: join(PICTURES, 'cluster-after.png') });
      assert.ok((await unreloaded(a)) && (await unreloaded(b)), 'nobody reloaded');
      await farewell(a, b);
    } finally {
      await browser.close();
      script.kill('SIGTERM');
      await new Promise((done) => script.once('exit', done));
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
