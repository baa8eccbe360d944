// Views: patches, legal moves, and the identity of pieces from one view to the next.

import { fileOf, nameOf, rowOf } from './cells';
import type { Board, Button, MoveView, Patch, Piece, Side, View } from './wire';

/** Returns the view after `patch`; `view` is not changed. */
export function apply(view: View, patch: Patch): View {
  const { gone, put, caption, ruling, puts, ...plain } = patch;
  const rest: Partial<View> = {
    ...plain,
    ...(caption === undefined ? {} : { caption: caption ?? undefined }),
    ...(puts === undefined ? {} : { puts: puts ?? undefined }),
    ...(ruling === undefined ? {} : { ruling: ruling ?? undefined }),
  };
  if (!gone && !put) return { ...view, ...rest };
  const at = new Map<number, Piece>(view.pieces.map((p) => [p[0], p]));
  for (const cell of gone ?? []) at.delete(cell);
  for (const piece of put ?? []) at.set(piece[0], piece);
  const pieces = [...at.values()].sort((a, b) => a[0] - b[0]);
  return { ...view, ...rest, pieces };
}

/** Returns the pieces after one of them went to `to`, where it takes. */
export function moved(pieces: Piece[], from: number, to: number): Piece[] {
  return pieces
    .filter(([at]) => at !== to || at === from)
    .map<Piece>(([at, owner, face]) => [at === from ? to : at, owner, face])
    .sort((a, b) => a[0] - b[0]);
}

/** Returns a vacant cell next to `cell`, as `[right, down]` on the screen: above if there is one. */
export function freeBeside(board: Board, taken: ReadonlyMap<number, unknown>, cell: number, flipped: boolean): [number, number] | null {
  const way = flipped ? -1 : 1;
  const free = ([right, down]: [number, number]): boolean => {
    const [file, row] = [fileOf(board, cell) + right * way, rowOf(board, cell) + down * way];
    return file >= 0 && row >= 0 && file < board.files && row < board.ranks && !taken.has(row * board.files + file);
  };
  const sides: [number, number][] = [
    [0, -1],
    [0, 1],
    [-1, 0],
    [1, 0],
  ];
  return sides.find(free) ?? null;
}

export function pieceAt(view: View, cell: number): Piece | null {
  return view.pieces.find((p) => p[0] === cell) ?? null;
}

/** Returns the legal move that is played by touching exactly `path`. */
export function moveByPath(view: View, board: Board, path: number[]): MoveView | null {
  if (view.moves === 'empty') {
    const cell = path[0];
    if (path.length !== 1 || cell === undefined || pieceAt(view, cell)) return null;
    return { text: nameOf(board, cell), path };
  }
  return view.moves.find((m) => m.path.length === path.length && m.path.every((c, i) => c === path[i])) ?? slides(view, path);
}

/** Returns the legal moves whose paths begin with the touched cells. */
export function leading(view: View, path: number[]): MoveView[] {
  if (view.moves === 'empty') return [];
  return view.moves.filter((m) => path.every((cell, i) => m.path[i] === cell));
}

/** Returns the move of a button that moves one piece, which may also be played by touching that piece's destination. */
function slides(view: View, path: number[]): MoveView | null {
  if (path.length !== 1 || view.moves === 'empty') return null;
  const to = path[0];
  return view.moves.find((m) => m.path.length === 0 && onlyShift(m)?.[1] === to) ?? null;
}

export function onlyShift(m: { shifts?: [number, number][] }): [number, number] | null {
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

/** Returns the legal move of a button; `null` if it is not legal now. */
export function moveOf(view: View, button: Button): MoveView | null {
  return view.moves === 'empty' ? null : (view.moves.find((m) => m.text === button.text) ?? null);
}

/** A move to draw as an arrow: its cells, and its rank among several, from 1; 0 for the only one. */
export type Arrow = [cells: number[], rank: number];

/** Returns the side that begins at the bottom of the board as it is drawn; the first if neither does. */
export function homeSide(start: View, board: Board): Side {
  const mean = (side: Side): number => {
    const rows = start.pieces.filter((p) => p[1] === side).map((p) => Math.floor(p[0] / board.files));
    return rows.reduce((sum, row) => sum + row, 0) / Math.max(1, rows.length);
  };
  return mean('second') > mean('first') ? 'second' : 'first';
}

/** A piece with a number that it keeps while it moves, so that its movement can be animated. */
export interface Standing {
  id: number;
  cell: number;
  owner: Side | null;
  face: string;
}

/**
 * Numbers the pieces of the next view: a piece that stayed, or moved plainly, keeps its number. `trail` is the path of
 * the last move, which tells the moved piece from those that were taken or changed at the same time.
 */
export function follow(before: Standing[], pieces: Piece[], files: number, fresh: () => number, trail: number[] = []): Standing[] {
  const stood = new Map(before.map((s) => [s.cell, s]));
  // Nothing moved. Owners change without a move when the players exchange their colours.
  if (before.length === pieces.length && pieces.every((p) => stood.has(p[0]))) {
    return pieces.map(([cell, owner, face]) => ({ id: stood.get(cell)?.id ?? fresh(), cell, owner, face })).sort((a, b) => a.id - b.id);
  }
  const owners = new Set(pieces.map((p) => p[1]));
  const out: Standing[] = [];
  for (const owner of owners) {
    const old = before.filter((s) => s.owner === owner);
    const now = pieces.filter((p) => p[1] === owner);
    const came = along(trail, old, now) ?? travelled(old, now, files);
    const oldAt = new Map(old.map((s) => [s.cell, s]));
    for (const [cell, , face] of now) {
      const id = (oldAt.get(came.get(cell) ?? cell) ?? null)?.id;
      out.push({ id: id ?? fresh(), cell, owner, face });
    }
  }
  return out.sort((a, b) => a.id - b.id);
}

/** Returns the one piece that went from the first to the last cell of the trail, if there is one. */
function along(trail: number[], old: Standing[], now: Piece[]): Map<number, number> | null {
  const [from, to] = [trail[0], trail.at(-1)];
  if (from === undefined || to === undefined || from === to) return null;
  const left = old.some((s) => s.cell === from) && !now.some((p) => p[0] === from);
  const arrived = now.some((p) => p[0] === to) && !old.some((s) => s.cell === to);
  return left && arrived ? new Map([[to, from]]) : null;
}

/**
 * Returns the cell that each moved piece came from, by the cell it went to. Either all of a side went one step
 * together, or one piece went.
 */
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

/** Returns the cells that a walk has jumped over so far: the pieces on them are about to be taken. */
export function jumpedBy(board: Board, trace: number[]): Set<number> {
  return new Set(
    trace.flatMap((cell, i) => {
      const from = trace[i - 1] ?? cell;
      const [dx, dy] = [fileOf(board, cell) - fileOf(board, from), rowOf(board, cell) - rowOf(board, from)];
      const far = Math.max(Math.abs(dx), Math.abs(dy));
      return Array.from({ length: Math.max(0, far - 1) }, (_, k) => from + ((k + 1) * dx) / far + (((k + 1) * dy) / far) * board.files);
    }),
  );
}
