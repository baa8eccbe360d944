// Notices to visitors who are elsewhere: the hall's part and the browser's. Loaded with the account page.

import { ask } from './api';
import { worker as registered } from './keep';
import type { NewPush, Notices, QuietHours } from './wire';

/**
 * The reasons why a browser cannot show notices: it has no push messages here, its owner denied them, or they failed.
 */
export type Hurdle = 'nowhere' | 'denied' | 'failed';

export class NotHere extends Error {
  constructor(readonly why: Hurdle) {
    super(why);
  }
}

const asked = (): Promise<Notices> => ask<Notices>('/api/notices');

/** Returns the browser's push subscription; `null` if it has none for this page. */
async function subscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis)) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager.getSubscription()) ?? null;
}

/**
 * Returns the notices that are set up. A browser whose owner took the permission back counts as without them, even
 * where the hall has a subscription of it.
 */
export async function notices(): Promise<Notices> {
  const told = await asked();
  const here = told.here && Notification.permission === 'granted' && (await subscription()) !== null;
  return { ...told, here };
}

export const possible = (): boolean =>
  isSecureContext && 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;

/** Asks the browser for permission, which asks its owner: only to be called after a click. Subscribes to notices. */
export async function tellHere(key: string, lang: string): Promise<Notices> {
  if (!possible()) throw new NotHere('nowhere');
  if ((await Notification.requestPermission()) !== 'granted') throw new NotHere('denied');
  const worker = await registered();
  if (!worker) throw new NotHere('nowhere');
  let made: PushSubscription;
  try {
    // A subscription made for another hall at this address, or for a former key of this one, could not be used.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw new NotHere('failed');
  }
  const { endpoint = '', keys } = made.toJSON();
  const wish: NewPush = { endpoint, p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '', lang };
  return ask<Notices>('/api/notices/device', 'PUT', wish);
}

export async function tellNoMore(): Promise<Notices> {
  const told = await ask<Notices>('/api/notices/device', 'DELETE');
  // The hall sends no more notices to this browser; removing the subscription here only tidies up.
  await subscription()
    .then((made) => made?.unsubscribe())
    .catch(() => undefined);
  return told;
}

export const setQuiet = (quiet?: QuietHours): Promise<Notices> => ask<Notices>('/api/notices/quiet', 'PUT', quiet ? { quiet } : {});

/** Formats minutes after midnight for a time field: `22:00`. */
export const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

export function minutes(text: string): number | null {
  const [, h, m] = /^(\d\d):(\d\d)/.exec(text) ?? [];
  return h && m ? Number(h) * 60 + Number(m) : null;
}
