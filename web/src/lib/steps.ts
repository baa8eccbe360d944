// Plies of one side in a row are one turn.

import type { PlyInfo, Side } from './wire';

export interface Turn {
  side: Side;
  /** How many plies were played before it. */
  from: number;
  plies: PlyInfo[];
}

export function turnsOf(record: PlyInfo[]): Turn[] {
  const turns: Turn[] = [];
  for (const [i, ply] of record.entries()) {
    const turn = turns.at(-1);
    if (turn?.side === ply[1]) turn.plies.push(ply);
    else turns.push({ side: ply[1], from: i, plies: [ply] });
  }
  return turns;
}

/** A turn as one writes it: `ul d4 dr`. Single letters cling together. */
export function turnText(moves: string[]): string {
  let text = '';
  for (const [i, move] of moves.entries()) {
    const clings = move.length === 1 && moves[i - 1]?.length === 1;
    text += i === 0 || clings ? move : ` ${move}`;
  }
  return text;
}

const ARROWS: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** The arrow of a keyboard key, where it has one. */
export function arrowOf(key: string | undefined): string | null {
  return key === undefined ? null : (ARROWS[key] ?? null);
}
