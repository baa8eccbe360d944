// What a screen reader says of each place of a board that is played on.

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
  /** People made this game up: its pieces are called what is written on them. */
  map: boolean;
  /** Places that may be touched. */
  targets: Target[] | undefined;
  /** Marks that are not the position's own. */
  more?: Mark[];
}

/** Place, piece, marks of the position and `more`, and whether it may be touched. */
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
      view.last.includes(cell) ? last : '',
      ...(marked.get(cell) ?? []).map((kind) => tAny([`mark-${kind}`, `lesson-${kind}`]) ?? ''),
      may.has(cell) ? choose : '',
    ].filter((s) => s !== '');
    return [cellName(board, cell, naming, flipped), what, ...rest].join(', ');
  };
}
