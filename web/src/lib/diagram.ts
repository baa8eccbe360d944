// A position as text for a letter or a post: one row of the board a line, with the names of ranks and files.

import { fileName, isPlace, rankName } from './cells';
import { faceOf, type Paint } from './paint';
import { toneOf } from './tones';
import type { Board, Piece, View } from './wire';

/** The letters for pieces without characters, by tone; capitals for promoted pieces. */
const LETTERS = { dark: 'x', light: 'o', red: 'r', blue: 'b', nobody: '#' };
const EMPTY = '.';
const WIDE_EMPTY = '＋';
const WIDE_GAP = '　';

/** Returns the full-width form of a character, as wide as a Chinese character in every font that has them. */
function wide(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  return code > 0x20 && code < 0x7f ? String.fromCodePoint(code + 0xfee0) : letter;
}

/** Returns the position as text, as the first player sees it. */
export function diagram(board: Board, view: Pick<View, 'pieces' | 'swapped'>, paint: Paint, sides: [string, string]): string {
  const characters = paint.pieces === 'character' || paint.pieces === 'tile';
  const at = new Map(view.pieces.map((piece) => [piece[0], piece]));
  const sign = ([, side, face]: Piece): string => {
    const tone = toneOf(sides, side, view.swapped);
    if (paint.pieces === 'character') return faceOf('traditional', face, tone);
    if (paint.pieces === 'tile') return wide([...face.trim()][0] ?? '?');
    return face === 'king' ? LETTERS[tone].toUpperCase() : LETTERS[tone];
  };
  const margin = Math.max(...Array.from({ length: board.ranks }, (_, row) => rankName(board, row).length));
  const rows = Array.from({ length: board.ranks }, (_, row) => {
    const cells = Array.from({ length: board.files }, (_, file) => {
      const cell = row * board.files + file;
      const piece = at.get(cell);
      if (piece) return sign(piece);
      if (!isPlace(board, cell)) return characters ? WIDE_GAP : ' ';
      return characters ? WIDE_EMPTY : EMPTY;
    });
    return `${rankName(board, row).padStart(margin)} ${cells.join(characters ? '' : ' ')}`;
  });
  const files = Array.from({ length: board.files }, (_, file) =>
    characters ? wide(fileName(board, file).slice(-1)) : fileName(board, file),
  );
  return [...rows, `${' '.repeat(margin)} ${files.join(characters ? '' : ' ')}`].map((line) => line.trimEnd()).join('\n');
}
