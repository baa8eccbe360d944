// A hall under a path, behind a proxy that passes the path on or takes it away: nothing of the page asks for, or links to, what is above it.

import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { begin, farewell, openBrowser, openHall, put, until, visitor } from './house.mjs';

const PATH = '/games';
const browser = await openBrowser();
after(() => browser.close());

/** Starts a proxy before a hall; requests above the path are noted, and answered as another program would. */
async function under({ strips }) {
  const above = [];
  let hall;
  const target = (url) => (strips ? url.slice(PATH.length) || '/' : url);
  const ours = (url) => url.startsWith(`${PATH}/`) || url === PATH;
  const proxy = createServer((asked, answer) => {
    if (!ours(asked.url)) {
      if (!asked.url.startsWith('/favicon')) above.push(`${asked.method} ${asked.url}`);
      return answer.writeHead(404).end('another program');
    }
    if (strips && asked.url === PATH) return answer.writeHead(308, { location: `${PATH}/` }).end();
    const headers = { ...asked.headers, 'x-forwarded-for': asked.socket.remoteAddress };
    const passed = request(new URL(target(asked.url), hall.url), { method: asked.method, headers, setHost: false }, (got) => {
      answer.writeHead(got.statusCode, got.headers);
      got.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  proxy.on('upgrade', (asked, socket) => {
    if (!ours(asked.url)) {
      above.push(`socket ${asked.url}`);
      return socket.destroy();
    }
    const port = Number(new URL(hall.url).port);
    const passed = connect(port, '127.0.0.1', () => {
      const fields = [];
      for (let i = 0; i < asked.rawHeaders.length; i += 2) fields.push(`${asked.rawHeaders[i]}: ${asked.rawHeaders[i + 1]}`);
      passed.write(`GET ${target(asked.url)} HTTP/1.1\r\n${fields.join('\r\n')}\r\n\r\n`);
      socket.pipe(passed).pipe(socket);
    });
    for (const end of [passed, socket]) end.on('error', () => (passed.destroy(), socket.destroy()));
  });
  await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${proxy.address().port}${PATH}/`;
  hall = await openHall('--public-url', url, '--behind-proxy');
  after(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await hall.close();
  });
  return { url, above };
}

for (const strips of [false, true]) {
  test(`a hall under a path works whole behind a proxy that ${strips ? 'takes it away' : 'passes it on'}`, async () => {
    const { url, above } = await under({ strips });
    const page = await visitor(browser);
    await page.goto(url);
    await page.locator('.card').first().waitFor();
    await until(
      () =>
        page
          .context()
          .cookies()
          .then((all) => all.map((one) => `${one.name} ${one.path}`)),
      [`qiguan ${PATH}`],
      'the cookie',
    );
    // A game: the link, its QR code, sockets, pictures.
    await begin(page, url, 'Gomoku, standard', { how: 'Invite', side: 'Black' });
    const link = await page.locator('.share input').inputValue();
    assert.ok(link.startsWith(`${url}t/`), link);
    await until(() => page.locator('.share img.qr').evaluate((img) => img.complete && img.naturalWidth > 0), true, 'the QR code');
    const other = await visitor(browser);
    await other.goto(link);
    await other.locator('button.sit').click();
    await page.locator('main.waiting').waitFor({ state: 'detached' });
    await put(page, 'h8');
    await put(other, 'i9');
    // A reload, and back to the hall by its own links.
    await other.reload();
    await until(() => other.locator('.walk .count').textContent(), /2/, 'the game is there again');
    await other.locator(`a[href="${PATH}/"]:visible`).first().click();
    await other.locator('.card').first().waitFor();
    assert.equal(other.url(), url);
    // All places, by links and by their addresses.
    for (const place of ['maps', 'library', 'puzzles', 'studies', 'workshop', 'rules/gomoku', 'account/sign-in']) {
      await other.goto(`${url}${place}`);
      await other.locator('h1, h2').first().waitFor();
      const hrefs = await other.locator('a[href^="/"]').evaluateAll((links) => links.map((one) => one.getAttribute('href')));
      assert.deepEqual(
        hrefs.filter((href) => !href.startsWith(`${PATH}/`)),
        [],
        place,
      );
      const images = await other
        .locator('img')
        .evaluateAll((all) => all.map((one) => one.getAttribute('src')).filter((src) => src.startsWith('/')));
      assert.deepEqual(
        images.filter((src) => !src.startsWith(`${PATH}/`)),
        [],
        place,
      );
    }
    // The worker keeps the shell of this hall, and of nothing else on the host.
    const scope = () => page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    await until(scope, url, 'the worker');
    const manifest = await page.evaluate(async () => {
      const at = document.querySelector('link[rel=manifest]').href;
      const told = await (await fetch(at)).json();
      return [at, new URL(told.start_url, at).href, new URL(told.scope, at).href, new URL(told.icons[0].src, at).href];
    });
    assert.deepEqual(manifest, [`${url}manifest.webmanifest`, url, url, `${url}icon.svg`]);
    await page.goto(`${link.replace('/t/', '/embed/')}`);
    await until(() => page.locator('img').evaluate((img) => img.complete && img.naturalWidth > 0), true, 'the embedded board');
    assert.deepEqual(above, [], 'nothing is asked for above the path');
    await farewell(page, other);
  });
}
