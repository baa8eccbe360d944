// A person's games and ratings: the requests, and the forms their answers are shown in.

import { ask } from './api';
import type { GameLine, GamesPage, GameTally, PoolRating, Profile, Side } from './wire';

const path = (who: string): string => `/api/people/${encodeURIComponent(who)}`;

/** Returns the address of a person's page: by their name, which is easier to read, or by their id. */
export const pageOf = (player: { id: string; name: string | null }): string => `/@/${encodeURIComponent(player.name ?? player.id)}`;

export const profile = (who: string): Promise<Profile> => ask(path(who));

/** The filter of a list of games; an empty text matches any. */
export interface Wanted {
  game: string;
  result: string;
  speed: string;
  rated: string;
  opponent: string;
}

export const ANY: Wanted = { game: '', result: '', speed: '', rated: '', opponent: '' };

/** Returns the query string that asks for these games, with its `?`. */
export function queryOf(wanted: Wanted, after?: string): string {
  const said = Object.entries({ ...wanted, opponent: wanted.opponent.trim(), after: after ?? '' }).filter(([, value]) => value !== '');
  return said.length === 0 ? '' : `?${new URLSearchParams(said).toString()}`;
}

export const gamesOf = (who: string, wanted: Wanted, after?: string): Promise<GamesPage> =>
  ask(`${path(who)}/games${queryOf(wanted, after)}`);

export const filePath = (who: string, format: string): string => `${path(who)}/export?format=${format}`;

export type Result = 'win' | 'draw' | 'loss' | 'void';

/** Returns the side that the person `id` played. */
export const sideOf = (game: GameLine, id: string): Side => (game.players[0].id === id ? 'first' : 'second');

/** Returns the result of the game for the person `id`. */
export function resultFor(game: GameLine, id: string): Result {
  if (game.outcome.void) return 'void';
  if (game.outcome.winner === null) return 'draw';
  return game.outcome.winner === sideOf(game, id) ? 'win' : 'loss';
}

/** Returns the change of that person's rating, with its sign; `null` where the game was casual. */
export function changeFor(game: GameLine, id: string): string | null {
  const step = game.ratings?.[sideOf(game, id) === 'first' ? 0 : 1];
  if (!step) return null;
  const by = step.after - step.before;
  return by > 0 ? `+${by}` : by < 0 ? `−${-by}` : '±0';
}

export const played = (tally: GameTally): number => tally.wins + tally.draws + tally.losses;

/** Sorts ratings: established ones first, then those with more games. */
export const inOrder = (ratings: PoolRating[]): PoolRating[] =>
  [...ratings].sort((a, b) => Number(a.provisional) - Number(b.provisional) || b.games - a.games || a.game.localeCompare(b.game));

/**
 * Returns a rating curve as a path in a box: time from left to right, ratings from bottom to top. `null` with less
 * than two points.
 */
export function curvePath(curve: [number, number][], width: number, height: number): string | null {
  const [first, last] = [curve[0], curve.at(-1)];
  if (!first || !last || curve.length < 2 || last[0] === first[0]) return null;
  const ratings = curve.map(([, rating]) => rating);
  const low = Math.min(...ratings);
  const span = Math.max(1, Math.max(...ratings) - low);
  const x = (at: number): string => (((at - first[0]) / (last[0] - first[0])) * width).toFixed(1);
  const y = (rating: number): string => (height - 2 - ((rating - low) / span) * (height - 4)).toFixed(1);
  return curve.map(([at, rating], i) => `${i === 0 ? 'M' : 'L'}${x(at)} ${y(rating)}`).join('');
}
