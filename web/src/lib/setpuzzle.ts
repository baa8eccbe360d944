// The start position of a puzzle on a map, put together square by square, as text.

import { ask } from './api';
import type { MapPuzzles, NewPuzzle, PuzzleProved, Side } from './wire';

/** The content of a square: the number of a piece from 1, 0 for none, and `up` if it has promoted. */
export interface Square {
  kind: number;
  up: boolean;
}

/**
 * Writes the FEN of a position on a map: rows from the top, `.` with a number for vacant squares, `+` for promoted
 * pieces.
 */
export function fenOf(squares: Square[], cols: number, turn: Side): string {
  const rows: string[] = [];
  for (let at = 0; at < squares.length; at += cols) {
    const parts: string[] = [];
    let vacant = 0;
    const run = (): void => {
      if (vacant > 0) parts.push(vacant === 1 ? '.' : `.${vacant}`);
      vacant = 0;
    };
    for (const square of squares.slice(at, at + cols)) {
      if (square.kind === 0) vacant += 1;
      else {
        run();
        parts.push(`${square.kind}${square.up ? '+' : ''}`);
      }
    }
    run();
    rows.push(parts.join(','));
  }
  return `${rows.join('/')} ${turn === 'first' ? 'r' : 'b'} 0,0 -`;
}

const at = (map: string): string => `/api/maps/${encodeURIComponent(map)}/puzzles`;
export const ofMap = (map: string): Promise<MapPuzzles> => ask(at(map));
export const prove = (map: string, puzzle: NewPuzzle): Promise<PuzzleProved> => ask(at(map), 'POST', puzzle);
export const remove = (id: string): Promise<void> => ask(`/api/puzzles/${encodeURIComponent(id)}`, 'DELETE');
