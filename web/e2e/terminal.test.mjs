// A terminal against a browser at one table: the cable of either is pulled in between, and no move is lost or doubled.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { begin, binary, farewell, mark, openHall, openHouse, plies, put, stoneAt, unreloaded, until, visitor } from './house.mjs';

/** The errors that a browser reports while the hall is away. */
const AWAY = [/WebSocket connection to/, /net::ERR_/];
const TMUX = hasTmux();
const { hall, browser } = await openHouse();

function hasTmux() {
  try {
    execFileSync('tmux', ['-V']);
    return true;
  } catch {
    return false;
  }
}

/** Runs the program in a terminal of tmux. */
function openTerminal(...args) {
  const home = mkdtempSync(join(tmpdir(), 'qiguan-terminal-'));
  const socket = `qiguan-e2e-${process.pid}`;
  const tmux = (...more) => execFileSync('tmux', ['-L', socket, ...more], { env: { ...process.env, LC_ALL: 'C.UTF-8' } }).toString();
  writeFileSync(join(home, 'tmux.conf'), 'set -g default-terminal screen-256color\nset -g status off\nset -s escape-time 0\n');
  const quoted = args.map((arg) => `'${arg}'`).join(' ');
  const command = `env -u NO_COLOR LC_ALL=en_US.UTF-8 LANG=en_US.UTF-8 XDG_DATA_HOME='${home}' '${binary}' ${quoted}; echo "left with $?"; exec sleep 60`;
  tmux('-u', '-f', join(home, 'tmux.conf'), 'new-session', '-d', '-x', '100', '-y', '30', command);
  const text = () => tmux('capture-pane', '-p');
  return {
    keys: (...keys) => tmux('send-keys', ...keys),
    /** Types a move at the line for moves. */
    move(name) {
      tmux('send-keys', '-l', `:${name}`);
      tmux('send-keys', 'Enter');
    },
    shows: (wanted) => until(text, wanted, 'the terminal shows'),
    showsNoMore: (gone) => until(() => gone.test(text()), false, `the terminal shows no more ${gone}`),
    text,
    close() {
      tmux('kill-server');
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Opens a proxy to a port whose connection can be cut and restored. */
async function openCable(port) {
  const ends = new Set();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [end, other] of [
      [near, far],
      [far, near],
    ]) {
      ends.add(end);
      end.on('data', (bytes) => other.write(bytes));
      end.on('close', () => (ends.delete(end), other.destroy()));
      end.on('error', () => other.destroy());
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    port: server.address().port,
    cut() {
      whole = false;
      for (const end of ends) end.destroy();
    },
    mend: () => (whole = true),
    close() {
      this.cut();
      server.close();
    },
  };
}

test('a terminal plays a browser; either loses the line and catches up', { skip: !TMUX && 'there is no tmux' }, async () => {
  const page = await visitor(browser);
  page.expected = AWAY;
  await begin(page, hall.url, 'Xiangqi', { side: 'Red' });
  const link = new URL(await page.locator('.share input').inputValue());
  const cable = await openCable(Number(new URL(hall.url).port));
  link.port = cable.port;
  const terminal = openTerminal('play', '--hall', link.href);
  try {
    await terminal.shows(/Black \(Free seat\)/);
    terminal.keys('S');
    await terminal.shows(/Black \(You\)/);
    await until(() => page.locator('.note').textContent(), /Your move/, 'the game begins');
    await mark(page);
    await put(page, 'h2', 'e2');
    await terminal.shows(/C2=5/);
    terminal.move('h9g7');
    await until(() => stoneAt(page, 'g7'), /Black horse, last move/, 'the browser sees the move of the terminal');

    // The terminal's line is cut: it says so and keeps the board; what happened meanwhile is there afterwards.
    cable.cut();
    await terminal.shows(/Connection lost/);
    await terminal.shows(/C2=5 +H8\+7/);
    await put(page, 'h0', 'g2');
    cable.mend();
    await terminal.shows(/H2\+3/);
    await terminal.showsNoMore(/Connection lost/);
    // A move made while the line is cut is sent when it is back, and played once.
    cable.cut();
    await terminal.shows(/Connection lost/);
    terminal.move('i9h9');
    await terminal.shows(/Sending/);
    assert.equal(await plies(page), 3);
    cable.mend();
    await until(() => stoneAt(page, 'h9'), /Black rook, last move/, 'the move made meanwhile is played');
    await until(() => plies(page), 4, 'once');
    await terminal.shows(/R9=8/);

    // The browser's line is cut.
    await page.context().setOffline(true);
    await page.locator('.offline').waitFor();
    await page.context().setOffline(false);
    await page.locator('.offline').waitFor({ state: 'detached' });
    await put(page, 'i0', 'h0');
    await terminal.shows(/R1=2/);
    terminal.keys('R');
    await terminal.shows(/\(y\/n\)/);
    terminal.keys('y');
    await terminal.shows(/The game is over, Red wins/);
    await until(() => page.locator('.banner').textContent(), /resignation/i, 'the browser hears of the end');
    assert.ok(await unreloaded(page));
    terminal.keys('q');
    await terminal.shows(/left with 0/);
  } finally {
    terminal.close();
    cable.close();
  }
  await farewell(page);
});

test('a hall that is out of room says so in the terminal until it has some', { skip: TMUX ? false : 'there is no tmux' }, async () => {
  const low = join(tmpdir(), `qiguan-terminal-low-${process.pid}.toml`);
  writeFileSync(low, '[limits]\nfree_disk_bytes = 9000000000000000000\n');
  const own = await openHall();
  const page = await visitor(browser);
  page.expected.push(...AWAY);
  let terminal = null;
  try {
    await begin(page, own.url, 'Xiangqi', { how: 'Invite', side: 'Red' });
    terminal = openTerminal('play', '--hall', page.url());
    await terminal.shows(/Black|Red/);
    await own.kill();
    await own.again('--limits', 'on', '--config', low);
    await terminal.shows(/disk is nearly\s/);
    await own.kill();
    await own.again('--limits', 'off');
    await terminal.showsNoMore(/disk is nearly\s/);
    await farewell(page);
  } finally {
    terminal?.close();
    await own.close();
    rmSync(low, { force: true });
  }
});
