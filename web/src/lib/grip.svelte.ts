// The state of the pointer on a board, and the handlers that the board calls.

/** The handlers and labels of a board that can be played on. Without them it is only a picture. */
export interface Hands {
  /** Returns the name of a cell, which screen readers read out. */
  label: (cell: number) => string;
  touch?: (cell: number) => void;
  /** Handles a key that the board does not use itself; true if the key was used. */
  key?: (event: KeyboardEvent, cell: number) => boolean;
  hover?: (cell: number | null) => void;
  /** Handles a right click, a long press, or the key for information about a cell. Absent if there is none. */
  ask?: ((cell: number) => void) | undefined;
  carry?: Carry | null;
  /** True while a move is on its way to the hall. */
  sending?: boolean;
}

export interface Carry {
  /** Returns true if the piece on `cell` may be picked up. */
  may: (cell: number) => boolean;
  start: (cell: number) => void;
  /**
   * Puts the piece down after passing `carried`, on `cell` or beside the board; returns the cell where it waits for
   * the hall, or `null`.
   */
  drop: (carried: number[], cell: number | null) => number | null;
}

export class Grip {
  /** The cell under the pointer. */
  hover = $state<number | null>(null);
  /** The cell whose piece is being carried, and its distance from there, in board units. */
  lifted = $state<number | null>(null);
  drag = $state.raw<{ dx: number; dy: number } | null>(null);
  /** A piece that was put down and waits for the hall. */
  held = $state.raw<{ from: number; to: number } | null>(null);
}
