// What is pointed at on a board besides the position.

import type { Tone } from './tones';
import type { Arrow } from './view';
import type { Target } from './walk';
import type { Mark } from './wire';

export interface Hints {
  /** The number of the ply that put the stone on a cell. */
  numbers?: Map<number, number> | null;
  targets?: Target[];
  /** The targets are for keys and fingers only: there are too many to point at. */
  plain?: boolean;
  /** Cells where a new piece may be put. */
  puts?: 'any' | Set<number> | null;
  chosen?: number[];
  /** Cells a piece walks over. */
  trace?: number[];
  /** Pieces that would go: from and to. */
  shifts?: [number, number][];
  blockers?: number[];
  /** A touched place that waits for the hall, or for a second touch. */
  ghost?: { cell: number; state: 'sending' | 'armed' } | null;
  /** The colour of what is put next. */
  next?: Tone | undefined;
  /** The piece that is put next. */
  nextFace?: string | undefined;
  /** Marks that are not the position's own. */
  more?: Mark[];
  /** Pieces to point at for a moment. */
  flash?: number[];
  /** Moves that are pointed at. */
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
