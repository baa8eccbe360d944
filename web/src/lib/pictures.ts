// Small boards for the pages of rules: the relevant part, drawn large.

import type { Board, Piece, View } from './wire';

export interface Picture {
  /** The key of its caption in the texts. */
  key: string;
  board: Board;
  view: View;
}

/**
 * Draws a position from rows of text: `X` is the first side's, `O` the second's; `*` marks, on a stone by a small
 * letter.
 */
function draw(key: string, lines: Board['lines'], rows: string[]): Picture {
  const files = rows[0]?.length ?? 0;
  const pieces: Piece[] = [];
  const won: number[] = [];
  for (const [r, row] of rows.entries()) {
    for (const [f, c] of [...row].entries()) {
      const cell = r * files + f;
      const upper = c.toUpperCase();
      if (upper === 'X' || upper === 'O') pieces.push([cell, upper === 'X' ? 'first' : 'second', 'stone']);
      if (c === 'x' || c === 'o') won.push(cell);
    }
  }
  return {
    key,
    board: { lines, files, ranks: rows.length, names: { kind: 'letters-up', first: 1 }, stars: [] },
    view: {
      turn: 'first',
      pieces,
      marks: won.length > 0 ? [{ kind: 'winning-line', cells: won }] : [],
      moves: [],
      buttons: [],
      prompt: null,
      last: [],
      withdraws: false,
      outcome: null,
    },
  };
}

const shelf: Record<string, Picture[]> = {
  gomoku: [
    draw('picture-five', 'points', ['.........', '..O.O....', '...O.....', '..xxxxx..', '...OO....', '.........']),
    draw('picture-six', 'points', ['.........', '..O.OO...', '..OO.....', '.XXXXXX..', '...O.....', '.........']),
  ],
};

export function pictures(family: string): Picture[] {
  return shelf[family] ?? [];
}
