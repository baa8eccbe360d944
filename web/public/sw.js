// Keeps the files of the page, and nothing else: games are never answered from a cache. Shows what the hall tells people who look
// elsewhere.
//
// The page says when a file is to be kept (src/lib/keep.ts), one at a time; a file that does not come costs only itself. Names
// under assets/ carry a hash of what is in them, so that an update fetches only what has changed; of the others the hash stands
// here. All addresses are relative to where this worker lies.
const FILES = { __FILES__: '' };
/** Without these the page does not open: once they are here, what an older version kept is given up. */
const FIRST = ['__FIRST__'];
const SHELL = 'shell';
const HERE = new URL('./', location.href).href;
/** The document, whatever place it opens at. */
const PAGE = './';

const keyOf = (name) => new URL(name, HERE).href + (FILES[name] ? `?v=${FILES[name]}` : '');
const nameOf = (url) => (url === HERE ? PAGE : url.slice(HERE.length));
const isOurs = (url) => url.startsWith(HERE) && !/^(api|ws|embed)\b/.test(url.slice(HERE.length));
const kept = (name) => caches.match(keyOf(name), { ignoreVary: true });
const sleep = (ms) => new Promise((wake) => setTimeout(wake, ms));

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

/** A file of the page from the network. Its absence is an answer, too: what is asked too often is asked again later. */
async function fetched(name, tries) {
  for (let failed = 0; ; failed += 1) {
    const answer = await fetch(new URL(name, HERE), { credentials: 'same-origin' }).catch(() => null);
    const again = answer === null ? navigator.onLine : answer.status === 429 || answer.status >= 500;
    if (failed + 1 >= tries || !again) return answer;
    const asked = Number(answer?.headers.get('retry-after')) || 0;
    await sleep(Math.max(asked * 1000, 500 * 2 ** failed) * (1 + Math.random() / 2));
  }
}

/** Whether that page was written for the files of this version. */
const fits = (page) => FIRST.filter((name) => /\.(js|css)$/.test(name)).every((name) => page.includes(name));

/** Keeps one file; the answer says whether it is kept now, and how long the hall asks to wait otherwise. */
async function keep(name) {
  const shell = await caches.open(SHELL);
  const key = keyOf(name);
  if (await shell.match(key, { ignoreVary: true })) return { ok: true, wait: null };
  // An older version may have kept the same under its own name.
  const answer = (await kept(name)) ?? (await fetched(name, 1));
  if (!answer?.ok) return { ok: false, wait: answer?.headers.get('retry-after') ?? null };
  if (name === PAGE && !fits(await answer.clone().text())) return { ok: false, wait: null };
  await shell.put(key, answer);
  return { ok: true, wait: null };
}

async function missing() {
  const have = new Set((await (await caches.open(SHELL)).keys()).map((request) => request.url));
  return Object.keys(FILES).filter((name) => !have.has(keyOf(name)));
}

/** Gives up what belongs to older versions, once this one can stand alone. */
async function tidy() {
  const left = await missing();
  if (FIRST.some((name) => left.includes(name))) return;
  const wanted = new Set(Object.keys(FILES).map(keyOf));
  const shell = await caches.open(SHELL);
  for (const request of await shell.keys()) if (!wanted.has(request.url)) await shell.delete(request);
  for (const name of await caches.keys()) if (name !== SHELL) await caches.delete(name);
}

/** Files that did not come lately: the others come first. */
const late = new Set();

/** Keeps what the page has used, the first files before others; or, where nothing is named, one of the rest. */
async function wish(used) {
  const left = await missing();
  const next = left.find((name) => !late.has(name)) ?? left[0];
  const named = new Set(used ? [...FIRST, ...used.map(nameOf)] : [next]);
  let told = { ok: true, wait: null };
  for (const name of left.filter((one) => named.has(one))) {
    const one = await keep(name);
    if (one.ok) continue;
    late.add(name);
    told = one;
  }
  if (left.every((name) => late.has(name))) late.clear();
  await tidy();
  return { ...told, left: (await missing()).length };
}

self.addEventListener('message', (event) => {
  const [port] = event.ports;
  if (!port || !event.data || !('keep' in event.data)) return;
  event.waitUntil(
    wish(event.data.keep).then(
      (told) => port.postMessage(told),
      () => port.postMessage({ ok: false, wait: null, left: 1 }),
    ),
  );
});

/** What is shown of a place without the hall: the page, which says so. */
async function shown(request) {
  try {
    // The hall first: it also hands out the guest's cookie.
    return await fetch(request);
  } catch {
    return (await kept(PAGE)) ?? Response.error();
  }
}

async function file(name, event) {
  const found = await kept(name);
  if (found) return found;
  const answer = await fetched(name, 3);
  if (answer?.ok && name in FILES) {
    const copy = answer.clone();
    event.waitUntil(caches.open(SHELL).then((shell) => shell.put(keyOf(name), copy)));
  }
  return answer ?? Response.error();
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !isOurs(request.url)) return;
  const name = nameOf(request.url);
  if (request.mode === 'navigate') event.respondWith(shown(request));
  // Files of an older version may still be wanted by a page that was opened then.
  else if (name in FILES || name.startsWith('assets/')) event.respondWith(file(name, event));
});

self.addEventListener('push', (event) => {
  let told;
  try {
    told = event.data.json();
  } catch {
    return;
  }
  // One for each table: a later notice takes the place of the earlier one.
  const options = { body: told.body, tag: told.tag, icon: new URL('icon-192.png', HERE).href, data: { url: told.url } };
  event.waitUntil(self.registration.showNotification(told.title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url.replace(/^\//, ''), HERE);
  if (url.origin !== location.origin) return;
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
      const open = pages.find((page) => new URL(page.url).pathname === url.pathname);
      return open ? open.focus() : self.clients.openWindow(url.href);
    }),
  );
});

// A browser that gets a new address from its push service tells it to the hall.
self.addEventListener('pushsubscriptionchange', (event) => {
  const key = event.oldSubscription && event.oldSubscription.options.applicationServerKey;
  if (!key) return;
  const told = (made) => {
    const { endpoint, keys } = made.toJSON();
    const body = JSON.stringify({ endpoint, ...keys, lang: navigator.language });
    return fetch(new URL('api/notices/device', HERE), { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  };
  event.waitUntil(self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).then(told));
});
