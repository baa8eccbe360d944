// What a screen reader says of each place of a table's board.

import type { Facing } from './facing.svelte';
import { pieceName as madeName } from './mapname';
import { cellName, pieceName } from './names';
import type { Table } from './table.svelte';
import { t, tAny } from './texts.svelte';
import type { Board, Mark, View } from './wire';

/** Place, piece, marks of the position and `more`, and whether it may be touched: it is in `may`. */
export function labels(table: Table, facing: Facing, board: Board, view: View, more: Mark[], may: Set<number>): (cell: number) => string {
  const at = new Map(view.pieces.map((p) => [p[0], p]));
  const marked = new Map<number, string[]>();
  for (const m of [...view.marks, ...more])
    if (m.kind !== 'must') for (const c of m.cells) marked.set(c, [...(marked.get(c) ?? []), m.kind]);
  const [empty, last, choose] = [t('cell-empty'), t('cell-last'), t('cell-may')];
  return (cell) => {
    const p = at.get(cell);
    const what = p
      ? t('cell-piece', {
          side: p[1] ? table.sideName(p[1]) : t('side-neutral'),
          piece: facing.map ? madeName(p[2]) : pieceName(facing.paint, p[2], table.toneOf(p[1])),
        })
      : empty;
    const rest = [
      view.last.includes(cell) ? last : '',
      ...(marked.get(cell) ?? []).map((kind) => tAny([`mark-${kind}`, `lesson-${kind}`]) ?? ''),
      may.has(cell) ? choose : '',
    ].filter((s) => s !== '');
    return [cellName(board, cell, facing.naming, facing.flipped), what, ...rest].join(', ');
  };
}
