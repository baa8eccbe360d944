// Moves that share their path and differ in a piece: those from the hand, and choices of what a piece becomes.

import type { MoveView, View } from './wire';

/** Returns true if the move puts a piece from the hand on the board. */
export const isDrop = (move: MoveView): boolean => move.pick !== undefined && move.path.length === 1;

/** Returns the moves that differ from `move` only in the picked piece, itself included; none where it is the only one. */
export function alike(view: View | null, move: MoveView): MoveView[] {
  const moves = view?.moves ?? 'empty';
  const found = moves === 'empty' || isDrop(move) ? [] : moves.filter((m) => m.pick && m.path.join() === move.path.join());
  return found.length > 1 ? found : [];
}

/**
 * Returns the view whose moves can be told apart by touches: those from the hand with the piece `held`, or with the only
 * one there is, and one of several choices.
 */
export function offering(view: View | null, held: string | null): View | null {
  if (!view || view.moves === 'empty' || !view.moves.some((m) => m.pick)) return view;
  const drops = new Set(view.moves.filter(isDrop).map((m) => m.pick));
  const put = held ?? (drops.size === 1 ? [...drops][0] : undefined);
  const seen = new Set<string>();
  const moves = view.moves.filter((m) => {
    if (isDrop(m)) return m.pick === put;
    const path = m.path.join();
    const told = held !== null || (m.pick !== undefined && seen.has(path));
    seen.add(path);
    return !told;
  });
  return { ...view, moves };
}

/** Returns true if a piece from the hand could be put on `cell`, and none of several was taken up. */
export function waits(shown: View | null, view: View, cell: number): boolean {
  const drops = (one: View | null): MoveView[] =>
    !one || one.moves === 'empty' ? [] : one.moves.filter((m) => isDrop(m) && m.path[0] === cell);
  return drops(view).length === 0 && drops(shown).length > 0;
}
