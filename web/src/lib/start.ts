// A game that begins with one click: the usual rules, and no clock.

import * as api from './api';
import { go } from './router.svelte';
import { choose, settings } from './settings.svelte';
import type { GameInfo, How } from './wire';

/** Opens a table and goes to it; `engine`: against the program that was played last. */
export async function start(game: GameInfo, how: How, engine = false): Promise<void> {
  choose('variant', { ...settings.variant, [game.family]: game.key });
  const opponent = engine ? { opponent: settings.opponent } : {};
  const made = await api.create({ game: game.key, how, clock: { kind: 'none' }, ...opponent });
  go(`/t/${made.id}`);
}
