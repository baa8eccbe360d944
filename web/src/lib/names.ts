// The names of pieces and cells, the same at the table and in the editor of positions.

import { fileOf, nameOf } from './cells';
import { countedFile, faceOf, type Naming, type Paint } from './paint';
import { settings } from './settings.svelte';
import { t } from './texts.svelte';
import type { Tone } from './tones';
import type { Board } from './wire';

/**
 * Returns the name of a kind of piece. In Chinese it is the character on it, which differs between the sides: 帅 and 将,
 * 相 and 象.
 */
export function pieceName(paint: Paint, face: string, tone: Tone): string {
  return settings.lang === 'zh' && paint.pieces === 'character' ? faceOf('simplified', face, tone) : t(`piece-${face}`);
}

/**
 * Returns the name of a cell; if the labels beside the board count the files, with its file as the near player counts
 * it.
 */
export function cellName(board: Board, cell: number, naming: Naming, flipped: boolean): string {
  const name = nameOf(board, cell);
  if (naming !== 'files' && naming !== 'chinese-files') return name;
  const file = flipped ? fileOf(board, cell) + 1 : board.files - fileOf(board, cell);
  return `${name}, ${t('cell-file', { file: countedFile(naming, file, !flipped) })}`;
}
