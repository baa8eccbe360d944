// The games by family: one card each.

import { settings } from './settings.svelte';
import type { GameInfo } from './wire';

export interface Family {
  name: string;
  games: GameInfo[];
  /** The game of the family that was played last, otherwise the first. */
  usual: GameInfo;
}

export function familiesOf(games: GameInfo[]): Family[] {
  const found: Family[] = [];
  for (const game of games) {
    const family = found.find((f) => f.name === game.family);
    if (family) family.games.push(game);
    else found.push({ name: game.family, games: [game], usual: game });
  }
  for (const family of found) {
    family.usual = family.games.find((g) => g.key === settings.variant[family.name]) ?? family.usual;
  }
  return found;
}
