// The games by family: one card each.

import { settings } from './settings.svelte';
import type { GameInfo } from './wire';

export interface Family {
  name: string;
  games: GameInfo[];
  /** The one that was played last, else the first. */
  usual: GameInfo;
}

/** Where people expect another start than the game's own, which stays a choice: options by game. */
const EXPECTED: Record<string, Record<string, number>> = { 'gomoku/freestyle': { size: 15 } };

/** The options a new game has here unless others are chosen, where they are not the hall's own. */
export const expectedOf = (game: string): Record<string, number> => EXPECTED[game] ?? {};

/** The games as they are offered here: with the expected options, and the board that belongs to them. */
export function asExpected(games: GameInfo[]): GameInfo[] {
  return games.map((game) => {
    const wanted = expectedOf(game.key);
    if (Object.keys(wanted).length === 0) return game;
    const options = game.options.map((o) => ({ ...o, usual: wanted[o.key] ?? o.usual, online: wanted[o.key] ?? o.online }));
    const alike = games.find((other) => other.family === game.family && other.board.files === wanted['size']);
    return { ...game, options, board: alike?.board ?? game.board, view: alike?.view ?? game.view };
  });
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
