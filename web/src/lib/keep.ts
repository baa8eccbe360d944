// Caches the files of the page for times without a network: the files used so far first, then the rest, slowly. The
// service worker (public/sw.js) stores them; this file decides when, because it knows if a visitor waits for
// something.

import { at } from './base';
import { pause, sleep } from './patience.svelte';
import { route } from './router.svelte';

/** The service worker's answer to a request to cache one more file. */
export interface Kept {
  /** The number of files that are still to be cached. */
  left: number;
  /** True if the requested file is in the cache now. */
  ok: boolean;
  /** The seconds that the hall asks to wait. */
  wait: string | null;
}

/** The pause between two files, in milliseconds. */
const PAUSE_MS = 1500;
/** The number of failures in a row after which the rest is left to another visit. */
const FAILURES = 8;
/**
 * The delays before the first file, in milliseconds: after a board was drawn, and without one in the hall, where one
 * may be opened any moment, and elsewhere.
 */
const BOARD_MS = 4_000;
const HALL_MS = 40_000;
const ELSEWHERE_MS = 8_000;

/** Returns true if files may be loaded in the background: online, the page in sight, and no data-saving mode. */
function isCalm(): boolean {
  const network = (navigator as { connection?: { saveData?: boolean } }).connection;
  return navigator.onLine && document.visibilityState === 'visible' && network?.saveData !== true;
}

/** Requests one file after the other until all are cached, or too many in a row fail. */
export async function keepRest(wish: () => Promise<Kept>, calm: () => boolean = isCalm, wait = sleep): Promise<void> {
  for (let failed = 0; failed < FAILURES;) {
    if (!calm()) {
      await wait(10 * PAUSE_MS);
      continue;
    }
    const told = await wish();
    if (told.left === 0) return;
    failed = told.ok ? 0 : failed + 1;
    await wait(told.ok ? PAUSE_MS * (0.75 + Math.random() / 2) : pause(failed + 2, told.wait));
  }
}

function asked(worker: ServiceWorker, wish: { keep: string[] | null }): Promise<Kept> {
  return new Promise((answer) => {
    const { port1, port2 } = new MessageChannel();
    const giveUp = setTimeout(() => answer({ left: 1, ok: false, wait: null }), 60_000);
    port1.onmessage = (event) => {
      clearTimeout(giveUp);
      port1.close();
      answer(event.data as Kept);
    };
    worker.postMessage(wish, [port2]);
  });
}

/** The service worker, which is registered only once; `null` where there is none. */
let registered: Promise<ServiceWorkerRegistration | null> | null = null;
export function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!('serviceWorker' in navigator)) return Promise.resolve(null);
  registered ??= navigator.serviceWorker.register(at('/sw.js')).then(
    () => navigator.serviceWorker.ready,
    () => null,
  );
  return registered;
}

async function keep(): Promise<void> {
  const active = (await worker())?.active;
  if (!active) return;
  const used = performance.getEntriesByType('resource').map((entry) => entry.name);
  await asked(active, { keep: used });
  await keepRest(() => asked(active, { keep: null }));
}

/** Starts caching the files of the page once a board has stood for [`BOARD_MS`], or none was opened for a while. */
export function keepFiles(): void {
  const begin = Date.now();
  let board = Infinity;
  const look = setInterval(() => {
    const now = Date.now();
    if (route.place.at !== 'hall' && document.querySelector('[role=grid]')) board = Math.min(board, now);
    const patience = route.place.at === 'hall' ? HALL_MS : ELSEWHERE_MS;
    if (now < (board < Infinity ? board + BOARD_MS : begin + patience)) return;
    clearInterval(look);
    void keep();
  }, BOARD_MS / 4);
}
