// The labels of the cells of a board for screen readers.

import { pieceName as madeName } from './mapname';
import { cellName, pieceName } from './names';
import type { Naming, Paint } from './paint';
import { t, tAny } from './texts.svelte';
import { nameOfSide, toneOf } from './tones';
import type { Target } from './walk';
import type { Board, Mark, View } from './wire';

interface Shown {
  board: Board;
  view: View;
  paint: Paint;
  /** The names of the sides, in order of moving. */
  sides: [string, string];
  naming: Naming;
  flipped: boolean;
  /** True on a map, whose pieces are called what is written on them. */
  map: boolean;
  /** The cells that may be touched. */
  targets: Target[] | undefined;
  /** The marks that are not the position's own. */
  more?: Mark[];
}

/** Returns the label of each cell: its name, piece, marks of the position and `more`, and if it may be touched. */
export function labels({ board, view, paint, sides, naming, flipped, map, targets, more = [] }: Shown): (cell: number) => string {
  const at = new Map(view.pieces.map((p) => [p[0], p]));
  const may = new Set(targets?.map((x) => x.cell));
  const marked = new Map<number, string[]>();
  for (const m of [...view.marks, ...more])
    if (m.kind !== 'must') for (const c of m.cells) marked.set(c, [...(marked.get(c) ?? []), m.kind]);
  const [empty, last, choose] = [t('cell-empty'), t('cell-last'), t('cell-may')];
  return (cell) => {
    const p = at.get(cell);
    const what = p
      ? t('cell-piece', {
          side: tAny([`side-${p[1] ? nameOfSide(sides, p[1], view.swapped ?? false) : 'neutral'}`]) ?? '',
          piece: map ? madeName(p[2]) : pieceName(paint, p[2], toneOf(sides, p[1], view.swapped)),
        })
      : empty;
    const rest = [
      ...(board.terrain?.flatMap((look) => (look.cells.includes(cell) ? [look.name] : [])) ?? []),
      view.last.includes(cell) ? last : '',
      ...(marked.get(cell) ?? []).map((kind) => tAny([`mark-${kind}`, `lesson-${kind}`]) ?? ''),
      may.has(cell) ? choose : '',
    ].filter((s) => s !== '');
    return [cellName(board, cell, naming, flipped), what, ...rest].join(', ');
  };
}
