// Cells of a board and their names; the same rules as `Board::name` in the kernel.

import type { Board } from './wire';

/** Column from the left, 0-based. */
export function fileOf(board: Board, cell: number): number {
  return cell % board.files;
}

/** Row from the top, 0-based. */
export function rowOf(board: Board, cell: number): number {
  return Math.floor(cell / board.files);
}

/** Returns true if `cell` is on the board and not a gap, so that a piece can stand there. */
export function isPlace(board: Board, cell: number): boolean {
  return cell >= 0 && cell < board.files * board.ranks && !board.gaps?.includes(cell);
}

/** Returns the label of a column: a letter, or a number from 1 where squares are named by two numbers. */
export function fileName(board: Board, file: number): string {
  return board.names.kind === 'pairs' ? String(file + 1) : String.fromCharCode(97 + file);
}

export function rankName(board: Board, row: number): string {
  const { kind, first } = board.names;
  return String(kind === 'letters-up' ? board.ranks - 1 - row + first : row + first);
}

/** Returns the name of a cell in the game's notation, such as `e4`. A gap has no name of its own. */
export function nameOf(board: Board, cell: number): string {
  if (board.names.kind === 'pairs') return `${rowOf(board, cell) + 1},${fileOf(board, cell) + 1}`;
  if (board.names.kind !== 'numbers') return fileName(board, fileOf(board, cell)) + rankName(board, rowOf(board, cell));
  const gapsBefore = board.gaps?.filter((gap) => gap <= cell).length ?? 0;
  return String(cell - gapsBefore + board.names.first);
}

/** Returns the cell with that name, capitals allowed; `null` if there is none. */
export function cellNamed(board: Board, name: string): number | null {
  const read = { numbers: numbered, pairs: paired, 'letters-up': lettered, 'letters-down': lettered };
  const cell = read[board.names.kind](board, name.trim());
  return cell !== null && isPlace(board, cell) ? cell : null;
}

function numbered(board: Board, name: string): number | null {
  if (!/^\d{1,3}$/.test(name)) return null;
  const start = Number(name) - board.names.first;
  if (start < 0) return null;
  // Each gap passed on the way moves the place one cell further.
  return (board.gaps ?? []).reduce((cell, gap) => (gap <= cell ? cell + 1 : cell), start);
}

function paired(board: Board, name: string): number | null {
  const parts = /^(\d{1,3})\s*,\s*(\d{1,3})$/.exec(name);
  if (!parts) return null;
  const [row, file] = [Number(parts[1]) - 1, Number(parts[2]) - 1];
  return row < 0 || file < 0 || file >= board.files ? null : row * board.files + file;
}

function lettered(board: Board, name: string): number | null {
  const parts = /^([a-z])(\d{1,3})$/i.exec(name);
  if (!parts) return null;
  const file = (parts[1] ?? '').toLowerCase().charCodeAt(0) - 97;
  const step = Number(parts[2]) - board.names.first;
  if (file >= board.files || step < 0 || step >= board.ranks) return null;
  const row = board.names.kind === 'letters-up' ? board.ranks - 1 - step : step;
  return row * board.files + file;
}

/**
 * The neighbour of `cell` on the screen, or `cell` itself at the edge. Gaps are stepped over; where the place straight
 * above is a gap, the one that stands as far along its row as this one does.
 */
export function step(board: Board, cell: number, dx: number, dy: number): number {
  const row = rowOf(board, cell);
  const here = placesOf(board, row);
  const at = here.indexOf(cell);
  if (dy === 0) return here[at + dx] ?? cell;
  if (row + dy < 0 || row + dy >= board.ranks) return cell;
  const above = cell + dy * board.files;
  return isPlace(board, above) ? above : (placesOf(board, row + dy)[at] ?? cell);
}

function placesOf(board: Board, row: number): number[] {
  return Array.from({ length: board.files }, (_, f) => row * board.files + f).filter((cell) => isPlace(board, cell));
}
