// The look of the boards and pieces of a family. `faces/paints.json` is the one place that knows families by name.

import paints from '../faces/paints.json';
import { settings } from './settings.svelte';
import type { Tone } from './tones';
import type { Board, Side, View } from './wire';

export interface Paint {
  /** The class of the board: its colours are in `boards.css`. */
  name: string;
  /** The shape of the pieces. */
  pieces: 'stone' | 'token' | 'disc' | 'character' | 'tile';
  /** The piece that appears where an empty cell is touched. */
  puts: string;
  /** The radius of a piece; a cell is 100 wide. */
  radius: number;
  /** True if the board is turned so that the player sees it from their own side. */
  turns: boolean;
  /** The side at the bottom of the board as it is drawn, where the pieces do not tell. */
  home?: Side;
  /** True if squares have two shades, where there are no gaps. */
  chequered: boolean;
  /** True if lines of grain are drawn across the board. */
  grain?: boolean;
  /** The mark of the last move: on the piece that was put, or on the cells a piece came from and went to. */
  last: 'dot' | 'square' | 'corners';
  /** True if the game has lessons: threats that a learner may want to see. */
  teaches?: boolean;
  /** The clocks that are offered first: `5+3`, `20+3x30` with three periods of 30 s, `3d` for days a move. */
  times: string[];
  /** The games that the home offers first, by the words of their pages. */
  front: string[];
  /** The characters on the board itself, left and right in the river. */
  river?: [string, string];
}

/**
 * The properties in which each family differs from `plain`, which has all of them. The hall's pictures are drawn from
 * the same file (crates/picture).
 */
const { plain, ...families } = paints as unknown as { plain: Paint } & Record<string, Partial<Paint>>;

export function paintOf(family: string): Paint {
  return { ...plain, ...families[family] };
}

/** The marks that are drawn on a piece as badges. */
export const BADGES = ['captain', 'promoted', 'shielded', 'merged'];

/** The signs on the rim of a piece, as the first player sees the board, and its marks. */
export interface Rim {
  /** The directions it may turn to as bits, for each section of its rule. */
  dirs: number[];
  badges: string[];
  /** True if the board is seen from the other side. */
  turned: boolean;
}

export function rimsOf(view: Pick<View, 'dirs' | 'marks'>, turned: boolean): Map<number, Rim> {
  const worn = view.marks.filter((m) => BADGES.includes(m.kind));
  return new Map(
    view.dirs?.map(([at, near, far, more = []]) => [
      at,
      {
        dirs: settings.directions ? [near, far, ...more] : [],
        turned,
        badges: worn.flatMap((m) => (m.cells.includes(at) ? [m.kind] : [])),
      },
    ]),
  );
}

/** The labels beside the board: none, letters and ranks, or the files alone as each player counts them. */
export type Naming = 'none' | 'letters' | 'files' | 'chinese-files';

/** The size of a board's picture and the room around its cells, in board units. */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The height of a row beside the board for the pieces in a hand; 0 in games without hands. */
  hand: number;
}

/**
 * Returns the frame of a board. Numbered squares carry their numbers themselves, so only other labels need room beside
 * it.
 */
export function frameOf(board: Board, naming: Naming): Frame {
  const [narrow, even, wide] = [26, 50, 66];
  const beside = board.names.kind === 'numbers' ? 'none' : naming;
  // The same on opposite sides: the board stands in the middle.
  const left = beside === 'letters' ? even : narrow;
  const hand = board.hands ? 104 : 0;
  // The tips of hexagons reach out of their rows.
  const top = hand + (board.hex ? 13 : 0) + (beside === 'none' ? narrow : beside === 'letters' ? even : wide);
  const slant = board.hex ? board.ranks * 50 - 50 : 0;
  return { left, top, hand, width: board.files * 100 + slant + 2 * left, height: board.ranks * rowHeight(board) + 2 * top };
}

/** Returns the height of a row, in board units: rows of hexagons reach into each other. */
const rowHeight = (board: Board): number => (board.hex ? 87 : 100);

/** Returns the middle of a cell, in board units. */
export function middleOf(board: Board, { left, top }: Pick<Frame, 'left' | 'top'>, flipped: boolean, cell: number): [x: number, y: number] {
  const at = flipped ? board.files * board.ranks - 1 - cell : cell;
  const row = Math.floor(at / board.files);
  return [left + (at - row * board.files + 0.5 + (board.hex ? row / 2 : 0)) * 100, top + (row + 0.5) * rowHeight(board)];
}

/** Returns the cell at a point of the picture, in board units; `null` beside the board. */
export function cellAt(board: Board, { left, top }: Pick<Frame, 'left' | 'top'>, flipped: boolean, x: number, y: number): number | null {
  const row = Math.floor((y - top) / rowHeight(board));
  const file = Math.floor((x - left) / 100 - (board.hex ? row / 2 : 0));
  if (file < 0 || row < 0 || file >= board.files || row >= board.ranks) return null;
  const at = row * board.files + file;
  return flipped ? board.files * board.ranks - 1 - at : at;
}

/** Returns the labels that fit the notation the moves are shown in. */
export function namingOf(paint: Paint, notation: string | null): Naming {
  if (paint.pieces !== 'character' || notation === null || notation === 'iccs') return 'letters';
  return notation === 'wxf' ? 'files' : 'chinese-files';
}

const CHINESE = '一二三四五六七八九十';

/** Returns a file as a player counts it from the right; red in Chinese numbers, where they are wanted. */
export function countedFile(naming: Naming, file: number, red: boolean): string {
  return naming === 'chinese-files' && red ? (CHINESE[file - 1] ?? String(file)) : String(file);
}

export type FaceSet = 'simplified' | 'traditional' | 'pictures';

const RED = { general: '帥', advisor: '仕', elephant: '相', horse: '傌', rook: '俥', cannon: '炮', soldier: '兵' };
const BLACK = { general: '將', advisor: '士', elephant: '象', horse: '馬', rook: '車', cannon: '砲', soldier: '卒' };
const SIMPLE: Record<string, string> = { 帥: '帅', 將: '将', 傌: '马', 馬: '马', 俥: '车', 車: '车', 砲: '炮' };

/** Returns the name of the outline that is a piece's face in a set. */
export function faceOf(set: FaceSet, face: string, tone: Tone): string {
  if (set === 'pictures') return face;
  const sign = (tone === 'red' ? RED : BLACK)[face as keyof typeof RED] ?? face;
  return set === 'simplified' ? (SIMPLE[sign] ?? sign) : sign;
}

/** Returns the path of a board's grain: long wavering lines, the same for the same size. */
export function grain(width: number, height: number): string {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  let d = '';
  for (let x = random() * 20; x < width; x += 8 + random() * 30) {
    const sway = (): string => (x + (random() - 0.5) * 22).toFixed(0);
    d += `M${sway()} 0C${sway()} ${(height * 0.3).toFixed(0)} ${sway()} ${(height * 0.7).toFixed(0)} ${sway()} ${height}`;
  }
  return d;
}
