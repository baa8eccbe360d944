// Firefox and WebKit as Debian packs them, for a short set of checks: each driven over its own protocol.
//
// Firefox speaks WebDriver BiDi over a WebSocket. WebKit's small browser speaks the older WebDriver over HTTP and wants
// a screen, which Xvfb pretends to have.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import WebSocket from 'ws';
import { until } from './house.mjs';

const has = (program) => {
  try {
    execFileSync('which', [program], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};

/** Starts a program as a child of this process, and keeps its output. */
function start(program, args, env = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (said.text = (said.text + data).slice(-20_000)));
  const end = () =>
    new Promise((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) return resolve();
      child.on('exit', resolve);
      child.kill('SIGKILL');
    });
  return { said, end };
}

/** The started programs and folders, ended and removed in reverse order. */
class Rest {
  #undo = [];
  add(undo) {
    this.#undo.push(undo);
  }
  async end() {
    for (const undo of this.#undo.reverse()) await undo();
  }
}

/** Returns the address or port on which a program says it listens. */
async function told(process, pattern) {
  await until(() => process.said.text, pattern, 'where it listens');
  return pattern.exec(process.said.text)[1];
}

async function firefox() {
  const rest = new Rest();
  try {
    const home = mkdtempSync(join(tmpdir(), 'qiguan-firefox-'));
    rest.add(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    const browser = start('firefox-esr', ['--headless', '--no-remote', '--profile', home, '--remote-debugging-port', '0', 'about:blank'], {
      HOME: home,
      MOZ_CRASHREPORTER_DISABLE: '1',
    });
    rest.add(browser.end);
    const socket = new WebSocket(`${await told(browser, /(ws:\/\/[\d.]+:\d+)/)}/session`, { perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject));
    rest.add(() => socket.terminate());
    const errors = [];
    const waiting = new Map();
    let last = 0;
    socket.on('message', (data) => {
      const m = JSON.parse(String(data));
      if (m.method === 'log.entryAdded' && m.params.level === 'error') errors.push(m.params.text);
      const answer = waiting.get(m.id);
      waiting.delete(m.id);
      if (m.type === 'error') answer?.reject(new Error(`${m.error}: ${m.message}`));
      else answer?.resolve(m.result);
    });
    const ask = (method, params = {}) =>
      new Promise((resolve, reject) => {
        last += 1;
        waiting.set(last, { resolve, reject });
        socket.send(JSON.stringify({ id: last, method, params }));
      });
    await ask('session.new', { capabilities: {} });
    await ask('session.subscribe', { events: ['log.entryAdded'] });
    const { contexts } = await ask('browsingContext.getTree');
    const context = contexts[0].context;
    return {
      errors: async () => errors,
      go: (url) => ask('browsingContext.navigate', { context, url, wait: 'complete' }),
      size: (width, height) => ask('browsingContext.setViewport', { context, viewport: { width, height } }),
      async run(script) {
        const found = await ask('script.evaluate', {
          expression: `(async () => JSON.stringify(await (async () => { ${script} })()))()`,
          target: { context },
          awaitPromise: true,
        });
        if (found.type === 'exception') throw new Error(found.exceptionDetails.text);
        return found.result.type === 'string' ? JSON.parse(found.result.value) : undefined;
      },
      click: (x, y) =>
        ask('input.performActions', {
          context,
          actions: [
            {
              type: 'pointer',
              id: 'mouse',
              actions: [
                { type: 'pointerMove', x, y },
                { type: 'pointerDown', button: 0 },
                { type: 'pointerUp', button: 0 },
              ],
            },
          ],
        }),
      close: () => rest.end(),
    };
  } catch (e) {
    await rest.end();
    throw e;
  }
}

async function webkit() {
  const rest = new Rest();
  try {
    const home = mkdtempSync(join(tmpdir(), 'qiguan-webkit-'));
    rest.add(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
    // Used displays are found by trying.
    const display = `:${100 + (process.pid % 400)}`;
    const screen = start('Xvfb', [display, '-screen', '0', '1400x1000x24', '-nolisten', 'tcp']);
    rest.add(screen.end);
    const port = 20_000 + (process.pid % 20_000);
    const driver = start('WebKitWebDriver', [`--port=${port}`], {
      DISPLAY: display,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    });
    rest.add(driver.end);
    const ask = async (method, path, body) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { value } = await answer.json();
      if (!answer.ok) throw new Error(`${value?.error}: ${value?.message}`);
      return value;
    };
    let session = '';
    await until(
      async () => {
        session ||= `/session/${(await ask('POST', '/session', { capabilities: {} })).sessionId}`;
        return session !== '';
      },
      true,
      'WebKit opens',
    );
    rest.add(() => ask('DELETE', session).catch(() => undefined));
    const run = async (script) => {
      const told = await ask('POST', `${session}/execute/async`, {
        script: `const done = arguments[arguments.length - 1]; (async () => { ${script} })().then((r) => done({ r }), (e) => done({ e: String(e) }));`,
        args: [],
      });
      if (told.e !== undefined) throw new Error(told.e);
      return told.r;
    };
    return {
      /** The errors since the page was opened; WebDriver reports none from before. */
      errors: () => run('return window.wrongs ?? [];'),
      async go(url) {
        await ask('POST', `${session}/url`, { url });
        await run(
          `window.wrongs = []; for (const kind of ['error', 'unhandledrejection']) addEventListener(kind, (e) => window.wrongs.push(String(e.message ?? e.reason)));`,
        );
      },
      size: (width, height) => ask('POST', `${session}/window/rect`, { width, height }),
      run,
      click: (x, y) =>
        ask('POST', `${session}/actions`, {
          actions: [
            {
              type: 'pointer',
              id: 'mouse',
              parameters: { pointerType: 'mouse' },
              actions: [
                { type: 'pointerMove', duration: 0, x, y },
                { type: 'pointerDown', button: 0 },
                { type: 'pointerUp', button: 0 },
              ],
            },
          ],
        }),
      close: () => rest.end(),
    };
  } catch (e) {
    await rest.end();
    throw e;
  }
}

/** The browsers by name: the function that opens one, or the reason why it cannot be opened. */
export const BROWSERS = {
  Firefox: { open: firefox, missing: has('firefox-esr') ? '' : 'there is no firefox-esr' },
  WebKit: { open: webkit, missing: has('WebKitWebDriver') && has('Xvfb') ? '' : 'there is no WebKitWebDriver, or no Xvfb' },
};
