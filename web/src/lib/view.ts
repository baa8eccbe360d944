// What is on the board and what may be done: patches, and the walk from touched cells to a move.

import { nameOf } from './cells';
import type { Board, Button, MoveView, Patch, Piece, Side, View } from './wire';

/** The view after `patch`; `view` stays as it was. */
export function apply(view: View, patch: Patch): View {
  const { gone, put, ...rest } = patch;
  if (!gone && !put) return { ...view, ...rest };
  const at = new Map<number, Piece>(view.pieces.map((p) => [p[0], p]));
  for (const cell of gone ?? []) at.delete(cell);
  for (const piece of put ?? []) at.set(piece[0], piece);
  const pieces = [...at.values()].sort((a, b) => a[0] - b[0]);
  return { ...view, ...rest, pieces };
}

export function pieceAt(view: View, cell: number): Piece | null {
  return view.pieces.find((p) => p[0] === cell) ?? null;
}

/** The legal move that is played by touching exactly `path`. */
export function moveByPath(view: View, board: Board, path: number[]): MoveView | null {
  if (view.moves === 'empty') {
    const cell = path[0];
    if (path.length !== 1 || cell === undefined || pieceAt(view, cell)) return null;
    return { text: nameOf(board, cell), path };
  }
  return (
    view.moves.find((m) => m.path.length === path.length && m.path.every((c, i) => c === path[i])) ??
    slides(view, path)
  );
}

/** A button that moves one piece may also be played by touching where the piece would go. */
function slides(view: View, path: number[]): MoveView | null {
  if (path.length !== 1 || view.moves === 'empty') return null;
  const to = path[0];
  return view.moves.find((m) => m.path.length === 0 && onlyShift(m)?.[1] === to) ?? null;
}

function onlyShift(m: { shifts?: [number, number][] }): [number, number] | null {
  return m.shifts?.length === 1 ? (m.shifts[0] ?? null) : null;
}

export function moveByText(view: View, board: Board, text: string): MoveView | null {
  if (view.moves === 'empty') {
    const wanted = text.trim().toLowerCase();
    const cells = board.files * board.ranks;
    for (let cell = 0; cell < cells; cell += 1) {
      if (nameOf(board, cell) === wanted) return moveByPath(view, board, [cell]);
    }
    return null;
  }
  return view.moves.find((m) => m.text === text) ?? null;
}

/** A cell that may be touched next: it plays a move, or leads to more touching. */
export interface Target {
  cell: number;
  move: MoveView | null;
  takes: boolean;
  warning: boolean;
}

/** The cells that go on from the touched `path`. For boards where any empty cell will do, none are listed. */
export function targets(view: View, path: number[]): Target[] {
  if (view.moves === 'empty') return [];
  const found = new Map<number, Target>();
  const add = (cell: number, move: MoveView | null, warning: boolean): void => {
    const before = found.get(cell);
    found.set(cell, {
      cell,
      move: move ?? before?.move ?? null,
      takes: path.length > 0 && pieceAt(view, cell) !== null,
      warning: warning && (before?.warning ?? true),
    });
  };
  for (const m of view.moves) {
    const next = m.path[path.length];
    if (next !== undefined && path.every((c, i) => m.path[i] === c)) {
      add(next, m.path.length === path.length + 1 ? m : null, m.warning !== undefined);
    }
    const slide = m.path.length === 0 && path.length === 0 ? onlyShift(m) : null;
    if (slide) add(slide[1], m, m.warning !== undefined);
  }
  return [...found.values()];
}

/** The legal move of a button, if it is legal now. */
export function moveOf(view: View, button: Button): MoveView | null {
  return view.moves === 'empty' ? null : (view.moves.find((m) => m.text === button.text) ?? null);
}

/** A piece that keeps its number while it moves, so that it can be seen moving. */
export interface Standing {
  id: number;
  cell: number;
  owner: Side | null;
  face: string;
}

/** Numbers the pieces of the next view: a piece that stayed, or moved plainly, keeps its number. */
export function follow(before: Standing[], pieces: Piece[], files: number, fresh: () => number): Standing[] {
  const owners = new Set(pieces.map((p) => p[1]));
  const out: Standing[] = [];
  for (const owner of owners) {
    const old = before.filter((s) => s.owner === owner);
    const now = pieces.filter((p) => p[1] === owner);
    const came = travelled(old, now, files);
    const oldAt = new Map(old.map((s) => [s.cell, s]));
    for (const [cell, , face] of now) {
      const id = (oldAt.get(came.get(cell) ?? cell) ?? null)?.id;
      out.push({ id: id ?? fresh(), cell, owner, face });
    }
  }
  return out.sort((a, b) => a.id - b.id);
}

/** For pieces that moved, where from. Either all of a side went one step together, or one piece went. */
function travelled(old: Standing[], now: Piece[], files: number): Map<number, number> {
  const came = new Map<number, number>();
  if (old.length !== now.length) return came;
  const oldCells = new Set(old.map((s) => s.cell));
  const nowCells = new Set(now.map((p) => p[0]));
  const left = old.filter((s) => !nowCells.has(s.cell));
  const arrived = now.filter((p) => !oldCells.has(p[0]));
  if (left.length === 0) return came;
  const together = [1, -1, files, -files, files + 1, files - 1, -files + 1, -files - 1].find((d) =>
    now.every((p) => oldCells.has(p[0] - d)),
  );
  const [gone, put] = [left[0], arrived[0]];
  if (together !== undefined && now.length > 1) {
    for (const p of now) came.set(p[0], p[0] - together);
  } else if (left.length === 1 && gone && put) {
    came.set(put[0], gone.cell);
  }
  return came;
}
