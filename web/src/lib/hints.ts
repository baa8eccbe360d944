// The hints on a board, besides the position.

import type { Tone } from './tones';
import type { Arrow } from './view';
import type { Target } from './walk';
import type { Mark } from './wire';

export interface Hints {
  /** The number of the ply that put the stone on a cell. */
  numbers?: Map<number, number> | null;
  targets?: Target[];
  /** True if the targets are for keys and fingers only: there are too many to draw. */
  plain?: boolean;
  /** The cells where a new piece may be put. */
  puts?: 'any' | Set<number> | null;
  chosen?: number[];
  /** The cells on the way of a piece. */
  trace?: number[];
  /** The pieces that would move: from and to. */
  shifts?: [number, number][];
  blockers?: number[];
  /** The destination of a move that waits for the hall, or for a second touch. */
  ghost?: { cell: number; state: 'sending' | 'armed' } | null;
  /** The colour of the piece that is put next. */
  next?: Tone | undefined;
  /** The piece that is put next. */
  nextFace?: string | undefined;
  /** The marks that are not the position's own, such as those of lessons. */
  more?: Mark[];
  /** The pieces to highlight for a moment. */
  flash?: number[];
  /** The moves to draw as arrows. */
  arrows?: Arrow[];
}

/** The hints of a board on which nothing is pointed at. */
export const NONE: Required<Omit<Hints, 'next' | 'nextFace'>> = {
  numbers: null,
  targets: [],
  plain: false,
  puts: null,
  chosen: [],
  trace: [],
  shifts: [],
  blockers: [],
  ghost: null,
  more: [],
  flash: [],
  arrows: [],
};
