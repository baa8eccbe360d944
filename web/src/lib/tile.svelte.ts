// The look of pieces with made-up names, fetched when the first board needs it.

import type Tile from '../ui/Tile.svelte';

let known = $state.raw<typeof Tile | null>(null);
let asked = false;

/** Sees to it that it arrives; call it in an effect. */
export function want(): void {
  if (asked) return;
  asked = true;
  import('../ui/Tile.svelte').then(
    (m) => (known = m.default),
    // Asked again when the next piece is drawn.
    () => (asked = false),
  );
}

export const tile = (): typeof Tile | null => known;
