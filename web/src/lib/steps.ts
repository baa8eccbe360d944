// Turns: plies of one side in a row.

import type { PlyInfo, Side } from './wire';

export interface Turn {
  side: Side;
  /** The number of plies before the turn. */
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

/** The move number of a ply, as players count: two turns, one of each side, have one number. */
export interface Count {
  n: number;
  side: Side;
  /** True for the first ply of its turn. */
  begins: boolean;
}

/** Returns the move numbers of plies made by these sides, in order. */
export function countsOf(sides: readonly Side[]): Count[] {
  let n = 0;
  let last: Side | null = null;
  return sides.map((side) => {
    const begins = side !== last;
    if (begins && !(side === 'second' && last === 'first')) n += 1;
    last = side;
    return { n, side, begins };
  });
}

/** Writes a move number: `12.` before a move of the side that moves first, `12…` before one of the other. */
export const numbered = ({ n, side }: Count): string => `${n}${side === 'first' ? '.' : '…'}`;

/** Groups the turns that have one number. */
export function rowsOf(turns: Turn[]): Turn[][] {
  const rows: Turn[][] = [];
  countsOf(turns.map((turn) => turn.side)).forEach(({ n }, i) => (rows[n - 1] ??= []).push(...turns.slice(i, i + 1)));
  return rows;
}

/** Writes a turn as text: `ul d4 dr`. Single letters are joined. */
export function turnText(moves: string[]): string {
  let text = '';
  for (const [i, move] of moves.entries()) {
    const clings = move.length === 1 && moves[i - 1]?.length === 1;
    text += i === 0 || clings ? move : ` ${move}`;
  }
  return text;
}

const ARROWS: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' };

/** Returns the arrow of a keyboard key; `null` if it has none. */
export function arrowOf(key: string | undefined): string | null {
  return key === undefined ? null : (ARROWS[key] ?? null);
}
