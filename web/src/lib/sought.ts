// The opponent that was looked for last in Play now, so that the page goes on looking when nobody comes.

import { go } from './router.svelte';
import type { PlayNow } from './wire';

export const sought: { wish: PlayNow | null; table: string | null; again: boolean } = { wish: null, table: null, again: false };

/** Looks for another opponent for the same game. */
export function seekAgain(): void {
  sought.again = true;
  go('/');
}

/** What is to be looked for again, once. */
export function takeAgain(): PlayNow | null {
  const wish = sought.again ? sought.wish : null;
  sought.again = false;
  return wish;
}
