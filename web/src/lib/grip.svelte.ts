// What a pointer does on a board just now, and what the board is told of it.

/** The handlers and labels of a board that can be played on. Without them it is only a picture. */
export interface Hands {
  /** Returns the name of a cell, which screen readers read out. */
  label: (cell: number) => string;
  touch?: (cell: number) => void;
  /** Handles a key that the board does not use itself; true if the key was used. */
  key?: (event: KeyboardEvent, cell: number) => boolean;
  hover?: (cell: number | null) => void;
  /** A right click, a long press, or a key. Absent: there is nothing to tell about a place. */
  ask?: ((cell: number) => void) | undefined;
  carry?: Carry | null;
  /** A move is on its way to the hall. */
  sending?: boolean;
}

export interface Carry {
  /** Returns true if the piece on `cell` may be picked up. */
  may: (cell: number) => boolean;
  start: (cell: number) => void;
  /** Put down after passing `carried`, on `cell` or beside the board; the cell where it waits for the hall, if it does. */
  drop: (carried: number[], cell: number | null) => number | null;
}

export class Grip {
  /** The cell under the pointer. */
  hover = $state<number | null>(null);
  /** The cell whose piece is between two places, and how far it is from there, in board units. */
  lifted = $state<number | null>(null);
  drag = $state.raw<{ dx: number; dy: number } | null>(null);
  /** A piece that was put down and waits for the hall. */
  held = $state.raw<{ from: number; to: number } | null>(null);
}
