// The walk from touched cells to a move. A move's path is every cell that may be touched on the way, in order; as few
// of them need to be touched as tell the move from all others.

import type { Hints } from './hints';
import type { Paint } from './paint';
import { leading as written, moveByPath, onlyShift, pieceAt } from './view';
import type { Board, MoveView, View } from './wire';

export type Step =
  /** The touches make this move. */
  | { is: 'move'; move: MoveView }
  /** The path leads on to one or more moves. */
  | { is: 'way'; path: number[] }
  /** Several moves fit; they part after `path`. */
  | { is: 'fork'; path: number[] }
  /** The cell leads to no move. */
  | { is: 'nothing' };

/**
 * Returns the moves whose paths begin with `path`. A round trip to the start takes the same pieces in both directions
 * and is one move; its path is written one way, and may be touched either way.
 */
function leading(view: View, path: number[]): MoveView[] {
  if (view.moves === 'empty') return [];
  const told = view.moves;
  const rounds = told
    .filter((m) => m.path.length > 3 && m.path[0] === m.path.at(-1))
    .map((m) => ({ ...m, path: m.path.toReversed() }))
    .filter((m) => !told.some((o) => o.path.join() === m.path.join()));
  if (rounds.length === 0) return written(view, path);
  return [...written(view, path), ...written({ ...view, moves: rounds }, path)];
}

/** Returns each move once, however many ways there are to touch it. */
function once(moves: MoveView[]): MoveView[] {
  return [...new Map(moves.toReversed().map((m) => [m.text, m])).values()].toReversed();
}

/** Returns the step that a touch of `cell` makes after `path`. */
export function walk(view: View, board: Board, path: number[], cell: number): Step {
  if (view.moves === 'empty' || path.length === 0) {
    const move = moveByPath(view, board, [cell]);
    if (move) return { is: 'move', move };
    return leading(view, [cell]).length > 0 && view.moves !== 'empty' ? { is: 'way', path: [cell] } : { is: 'nothing' };
  }
  const open = leading(view, path);
  const next = [...path, cell];
  const further = leading(view, next);
  const here = further.find((m) => m.path.length === next.length);
  if (here && further.length === 1) return { is: 'move', move: here };
  if (further.length > 0) return { is: 'way', path: next };
  // If a move may end or go on here, touching the cell again ends it.
  const ended = cell === path.at(-1) && path.length > 1 ? open.find((m) => m.path.length === path.length) : undefined;
  if (ended) return { is: 'move', move: ended };
  // Touching the first cell again gives the piece up; it is not the end of a round trip.
  if (cell === path[0] && path.length === 1) return { is: 'nothing' };
  const ends = once(open.filter((m) => m.path.at(-1) === cell));
  if (ends[0] && ends.length === 1) return { is: 'move', move: ends[0] };
  if (ends.length > 1) return { is: 'fork', path: common(ends) };
  const through = once(open.filter((m) => m.path.indexOf(cell, path.length) > 0));
  if (through.length === 0) return { is: 'nothing' };
  const ways = through.map((m) => ({ ...m, path: m.path.slice(0, m.path.indexOf(cell, path.length) + 1) }));
  const shared = common(ways);
  return { is: ways.every((w) => w.path.length === shared.length) ? 'way' : 'fork', path: shared };
}

/** Returns the step made by dropping a piece on `cell` that was carried from the first of the cells over the others. */
export function drop(view: View, board: Board, carried: number[], cell: number): Step {
  const from = carried[0];
  if (from === undefined || view.moves === 'empty') return { is: 'nothing' };
  const ends = leading(view, [from]).filter((m) => m.path.length > 1 && m.path.at(-1) === cell);
  // Carried back to its start: a round trip only if it went all the way round.
  const round = cell === from;
  if (ends[0] && ends.length === 1 && !round) return { is: 'move', move: ends[0] };
  // A piece put down where it was taken up did not move; an action of it there must be touched.
  const passed = once(ends.filter((m) => (!round || m.path.length > 2) && within(m.path, [...carried, cell])));
  if (passed[0] && passed.length === 1) return { is: 'move', move: passed[0] };
  if (round) return { is: 'nothing' };
  if (ends.length > 1) return { is: 'fork', path: common(passed.length > 1 ? passed : ends) };
  return walk(view, board, [from], cell);
}

/** Returns true if the carried piece passed all cells of `path` in order. */
function within(path: number[], carried: number[]): boolean {
  let at = 0;
  for (const cell of carried) if (cell === path[at]) at += 1;
  return at === path.length;
}

/** Returns the cells that all the paths begin with. */
function common(moves: { path: number[] }[]): number[] {
  const first = moves[0]?.path ?? [];
  const parts = first.findIndex((cell, i) => moves.some((m) => m.path[i] !== cell));
  return parts < 0 ? first : first.slice(0, parts);
}

/** A cell that may be touched next: it plays a move, or leads to more touches. */
export interface Target {
  cell: number;
  move: MoveView | null;
  takes: boolean;
  warning: boolean;
  /** True if a whole move ends there that has further cells on the way. */
  far: boolean;
}

/** Returns the cells that may follow the touched `path`; none where any empty cell will do. */
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
      far: false,
    });
  };
  const open = leading(view, path);
  for (const m of open) {
    const next = m.path[path.length];
    if (next !== undefined) add(next, m.path.length === path.length + 1 ? m : null, m.warning !== undefined);
    const slide = m.path.length === 0 && path.length === 0 ? onlyShift(m) : null;
    if (slide) add(slide[1], m, m.warning !== undefined);
  }
  if (path.length === 0) return [...found.values()];
  for (const m of open) {
    const end = m.path.at(-1);
    if (end === undefined || found.has(end) || (end === path[0] && path.length === 1)) continue;
    const ends = once(open.filter((o) => o.path.at(-1) === end));
    found.set(end, { cell: end, move: ends.length === 1 ? m : null, takes: false, warning: m.warning !== undefined, far: true });
  }
  return [...found.values()];
}

/**
 * Returns the cells where a piece may be put; `'any'` where every empty cell will do and none is pointed out, `null`
 * where pieces are moved. `beside` is true if pieces are first taken up from a hand beside the board.
 */
export function puts(view: View, paint: Paint, beside: boolean): 'any' | Set<number> | null {
  if (view.moves === 'empty') return 'any';
  const put = view.moves.filter((m) => m.path.length === 1 && (paint.pieces === 'stone' || (!beside && m.pick !== undefined)));
  return put.length > 0 || paint.pieces === 'stone' ? new Set(put.flatMap((m) => m.path)) : null;
}

/** Returns the hints while a move is chosen in a position; `path` holds its places so far. */
export function choosing(view: View, path: number[], paint: Paint, beside: boolean): Hints {
  return { targets: targets(view, path), chosen: path, puts: puts(view, paint, beside), nextFace: putFace(view) };
}

/** Returns the face of the piece that is put next, where it is told. */
export const putFace = (view: View | null): string | undefined =>
  !view || view.moves === 'empty' ? undefined : view.moves.find((m) => m.path.length === 1)?.face;
