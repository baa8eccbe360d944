// The frame around every place: seven words, what is under them, and which places have it beside their board.

import type { Place } from './router.svelte';

/** The name of a sign of `Icon.svelte`, which checks it. */
export type Sign = 'play' | 'puzzle' | 'learn' | 'eye' | 'book' | 'pencil' | 'people' | 'grid' | 'clock' | 'link' | 'search' | 'list';

export interface Word {
  /** The message `frame-<key>`. */
  key: string;
  at: string;
  icon: Sign;
  /** The key that leads there after `g`. */
  letter: string;
  /** The places under it: the message `frame-<key>`, the path, the icon. */
  under: [key: string, at: string, icon: Sign][];
}

export const WORDS: Word[] = [
  {
    key: 'play',
    at: '/',
    icon: 'play',
    letter: 'p',
    under: [
      ['all-games', '/games', 'grid'],
      ['slow-games', '/inbox', 'clock'],
      ['rooms', '/#room', 'link'],
    ],
  },
  { key: 'puzzles', at: '/puzzles', icon: 'puzzle', letter: 'z', under: [] },
  { key: 'learn', at: '/learn', icon: 'learn', letter: 'l', under: [] },
  { key: 'watch', at: '/watch', icon: 'eye', letter: 'w', under: [] },
  {
    key: 'library',
    at: '/library',
    icon: 'book',
    letter: 'b',
    under: [
      ['records', '/library', 'search'],
      ['studies', '/studies', 'list'],
      ['new-study', '/studies/new', 'pencil'],
    ],
  },
  {
    key: 'make',
    at: '/make',
    icon: 'pencil',
    letter: 'm',
    under: [
      ['maps', '/maps', 'grid'],
      ['workshop', '/workshop', 'pencil'],
    ],
  },
  { key: 'people', at: '/people', icon: 'people', letter: 'o', under: [] },
];

/** The words that a phone shows below; the others are under More. */
export const BELOW = ['play', 'puzzles', 'learn', 'watch'];

const PARTS: Partial<Record<Place['at'], string>> = {
  hall: 'play',
  games: 'play',
  game: 'play',
  inbox: 'play',
  room: 'play',
  table: 'play',
  puzzles: 'puzzles',
  learn: 'learn',
  rules: 'learn',
  watch: 'watch',
  library: 'library',
  studies: 'library',
  make: 'make',
  maps: 'make',
  workshop: 'make',
  people: 'people',
  profile: 'people',
};

/** Returns the key of the word that a place is under; `null` for places that are under none. */
export const wordOf = (place: Place): string | null => PARTS[place.at] ?? null;

/** Returns true for a place with a board that takes the height: the frame stands beside it. */
export function isBeside(place: Place): boolean {
  switch (place.at) {
    case 'table':
    case 'puzzles':
    case 'workshop':
      return true;
    case 'library':
    case 'studies':
      return place.id !== '' && place.id !== 'new';
    default:
      return false;
  }
}
