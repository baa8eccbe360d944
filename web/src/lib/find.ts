// Finding a game by what people call it, in both languages and without accents.

import { tAny, t } from './texts.svelte';
import type { GameInfo } from './wire';

const textKey = (game: GameInfo): string => game.key.replace('/', '-');

/** Returns the name by which a game is called where it stands alone: "Checkers" and not "Draughts, English". */
export const calledOf = (game: GameInfo): string => tAny([`called-${textKey(game)}`]) ?? t(`game-${textKey(game)}`);
/** Returns what is particular about a game in a few words; the size of its board where none are written. */
export const briefOf = (game: GameInfo): string =>
  tAny([`brief-${textKey(game)}`]) ?? t('card-board', { files: game.board.files, ranks: game.board.ranks });
/** Returns a sentence about a game; empty where none is written. */
export const aboutOf = (game: GameInfo): string => tAny([`about-${textKey(game)}`]) ?? '';

/** Returns the path of a game's page. */
export const pageOf = (game: GameInfo): string => `/${encodeURIComponent(game.addresses[0] ?? '')}`;

/** Returns the game that a word of an address leads to. */
export const gameAt = (games: GameInfo[], word: string): GameInfo | undefined =>
  games.find((g) => g.addresses.some((a) => a === word.toLowerCase()));

/** Returns a text as it is compared: small letters, no accents, spaces for hyphens. */
export const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[-\s]+/g, ' ')
    .trim();

/** Returns the games that `wanted` is in a name of; those whose names begin with it come first. Without a wish: all. */
export function findGames(games: GameInfo[], wanted: string, names: (game: GameInfo) => string[] = namesOf): GameInfo[] {
  const wish = plain(wanted);
  if (wish === '') return games;
  const ranked = games.map((game) => {
    const all = names(game).map(plain);
    const rank = all.includes(wish) ? 0 : all.some((n) => n.startsWith(wish)) ? 1 : all.some((n) => n.includes(wish)) ? 2 : 3;
    return { game, rank };
  });
  return ranked
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ game }) => game);
}

/** All that a game is called: in the language of the page, and by the words of its addresses. */
const namesOf = (game: GameInfo): string[] => [calledOf(game), t(`game-${textKey(game)}`), t(`family-${game.family}`), ...game.addresses];
