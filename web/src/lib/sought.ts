// The opponent of the last search in Play now, kept so that the page can search again when no opponent comes.

import { go } from './router.svelte';
import type { PlayNow } from './wire';

export const sought: { wish: PlayNow | null; table: string | null; again: boolean } = { wish: null, table: null, again: false };

/** Starts another search for an opponent for the same game. */
export function seekAgain(): void {
  sought.again = true;
  go('/');
}

/** Returns the search to repeat, once; `null` if none was asked for. */
export function takeAgain(): PlayNow | null {
  const wish = sought.again ? sought.wish : null;
  sought.again = false;
  return wish;
}
