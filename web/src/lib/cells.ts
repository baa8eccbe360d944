// Places of a board and what people call them; the same rules as `Board::name` in the kernel.

import type { Board } from './wire';

/** Column from the left, 0-based. */
export function fileOf(board: Board, cell: number): number {
  return cell % board.files;
}

/** Row from the top, 0-based. */
export function rowOf(board: Board, cell: number): number {
  return Math.floor(cell / board.files);
}

export function fileName(file: number): string {
  return String.fromCharCode(97 + file);
}

export function rankName(board: Board, row: number): string {
  const { kind, first } = board.names;
  return String(kind === 'letters-up' ? board.ranks - 1 - row + first : row + first);
}

export function nameOf(board: Board, cell: number): string {
  return fileName(fileOf(board, cell)) + rankName(board, rowOf(board, cell));
}

/** The cell people call `name`, capitals allowed; `null` when there is no such place. */
export function cellNamed(board: Board, name: string): number | null {
  const parts = /^([a-z])(\d{1,3})$/i.exec(name.trim());
  if (!parts) return null;
  const file = (parts[1] ?? '').toLowerCase().charCodeAt(0) - 97;
  const step = Number(parts[2]) - board.names.first;
  if (file >= board.files || step < 0 || step >= board.ranks) return null;
  const row = board.names.kind === 'letters-up' ? board.ranks - 1 - step : step;
  return row * board.files + file;
}

/** The neighbour of `cell` on the screen, or `cell` itself at the edge. */
export function step(board: Board, cell: number, dx: number, dy: number): number {
  const x = fileOf(board, cell) + dx;
  const y = rowOf(board, cell) + dy;
  return x < 0 || y < 0 || x >= board.files || y >= board.ranks ? cell : y * board.files + x;
}
