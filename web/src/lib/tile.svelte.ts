// The drawing of pieces of maps, loaded with the first board that needs it.

import type Tile from '../ui/Tile.svelte';

let known = $state.raw<typeof Tile | null>(null);
let asked = false;

/** Loads it unless it is here; to be called in an effect. */
export function want(): void {
  if (asked) return;
  asked = true;
  import('../ui/Tile.svelte').then(
    (m) => (known = m.default),
    // Requested again when the next piece is drawn.
    () => (asked = false),
  );
}

export const tile = (): typeof Tile | null => known;
