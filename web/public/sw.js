// Keeps the shell of the page, and nothing else: games are never answered from a cache. Shows what the hall tells people who
// look elsewhere.
const SHELL = 'shell-__VERSION__';
const FILES = ['__FILES__'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((n) => n !== SHELL).map((n) => caches.delete(n))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  if (event.request.mode === 'navigate') {
    // The hall first: it also hands out the guest's cookie. Its absence shows the shell, which says so.
    event.respondWith(fetch(event.request).catch(() => caches.match('/')));
  } else if (FILES.includes(url.pathname)) {
    event.respondWith(caches.match(url.pathname).then((kept) => kept || fetch(event.request)));
  }
});

self.addEventListener('push', (event) => {
  let told;
  try {
    told = event.data.json();
  } catch {
    return;
  }
  // One for each table: a later notice takes the place of the earlier one.
  const options = { body: told.body, tag: told.tag, icon: '/icon-192.png', data: { url: told.url } };
  event.waitUntil(self.registration.showNotification(told.title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const url = new URL(event.notification.data.url, location.origin);
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
    return fetch('/api/notices/device', { method: 'PUT', headers: { 'content-type': 'application/json' }, body });
  };
  event.waitUntil(self.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }).then(told));
});
