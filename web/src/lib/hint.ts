// A hint: the best move, with an arrow and in words.

import { ask, Refused } from './api';
import type { Table } from './table.svelte';
import { t } from './texts.svelte';
import type { Hint, AnalysisLine } from './wire';
import { arrowOf } from './steps';

/** Returns a move of a line as the list of moves would write it. */
export function told(table: Table, line: AnalysisLine, i: number): string {
  const text = line.moves[i] ?? '';
  return arrowOf(table.pressed[text]?.key) ?? table.chosen(text) ?? table.written([text, 'first', null, line.names[i] ?? []]);
}

/** Draws the best move and returns the sentence about it; `null` if the position has changed meanwhile. */
export async function hint(table: Table): Promise<string | null> {
  const plies = table.record.length;
  try {
    const { ply, line } = await ask<Hint>(`/api/tables/${encodeURIComponent(table.id)}/hint`, 'POST');
    if (ply !== plies || table.record.length !== plies || !table.mine) return null;
    table.arrows = table.pointed(line.moves[0] ?? '').map((cells) => [cells, 0]);
    const then = line.moves.slice(1, 4).map((_, i) => told(table, line, i + 1));
    const said = t('hint-is', { move: told(table, line, 0) });
    return then.length > 0 ? t('hint-then', { hint: said, line: then.join(' ') }) : said;
  } catch (e) {
    if (e instanceof Refused) table.problem = e.why;
    return null;
  }
}
