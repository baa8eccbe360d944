// The numbers in a line of moves.

import { numbered, type Count } from './steps';
import type { GameInfo } from './wire';

/** Returns the number of moves in `plies` plies of a game, as players count them. */
export function movesIn(game: GameInfo | undefined, plies: number): number {
  return Math.ceil(plies / (2 * (game?.turn_plies ?? 1)));
}

/**
 * Returns the number before the move at `i`, or an empty text: it stands where a line or a turn of the first side
 * begins, and where the other side follows a turn of several plies.
 */
export function numberAt(counts: Count[], i: number, isStart = i === 0): string {
  const count = counts[i];
  if (!count) return '';
  const follows = count.side === 'first' || counts[i - 1]?.begins === false;
  return isStart || (count.begins && follows) ? numbered(count) : '';
}
