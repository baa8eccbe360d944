// The keys of the frame, on every place: what a key press asks for.

import { WORDS } from './frame';

export interface Press {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  /** True if the key goes into a field, a board or a panel, which use it themselves. */
  taken: boolean;
  /** True at a table, where letters are moves. */
  table: boolean;
  /** True if the visitor has left single letters on. */
  letters: boolean;
}

/** `wait`: the next key says where to go. */
export type Wish = { go: string } | 'search' | 'notices' | 'keys' | 'wait' | null;

/** Returns what a key press asks for; `waits`: the key before it was `g`. */
export function wishOf(press: Press, waits: boolean): Wish {
  const { key, altKey, taken, table, letters } = press;
  if ((press.ctrlKey || press.metaKey) && !altKey && key.toLowerCase() === 'k') return 'search';
  if (press.ctrlKey || press.metaKey || altKey || taken || table || !letters) return null;
  if (waits) {
    const word = WORDS.find((w) => w.letter === key.toLowerCase());
    return word ? { go: word.at } : null;
  }
  switch (key) {
    case '/':
      return 'search';
    case '?':
      return 'keys';
    case 'g':
      return 'wait';
    case 'n':
      return 'notices';
    default:
      return null;
  }
}
