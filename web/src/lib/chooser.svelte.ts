// Touches on their way to a move, on boards beside which there is nothing but a position: studies, puzzles, plans, the
// workshop.

import type { Hints } from './hints';
import type { Paint } from './paint';
import { Picks } from './picks.svelte';
import { choosing, walk } from './walk';
import type { Board, MoveView, View } from './wire';

export class Chooser {
  /** The cells touched so far. */
  path = $state.raw<number[]>([]);
  picks: Picks;
  #view: () => View | null | undefined;
  #board: () => Board | null | undefined;
  #paint: () => Paint;
  #play: (move: MoveView) => void;

  /** `view` returns the position while moves may be made in it. */
  constructor(
    view: () => View | null | undefined,
    board: () => Board | null | undefined,
    paint: () => Paint,
    play: (move: MoveView) => void,
  ) {
    [this.#view, this.#board, this.#paint, this.#play] = [view, board, paint, play];
    this.picks = new Picks(
      () => view() ?? null,
      () => (this.path = []),
      play,
    );
  }

  #open = $derived.by(() => this.picks.offers(this.#view() ?? null, this.#board()?.hands !== undefined));
  hints = $derived.by<Hints>(() => {
    const view = this.#open;
    if (!view) return {};
    return choosing(view, this.path, this.#paint(), this.#board()?.hands !== undefined);
  });
  /** True if nothing was chosen yet. */
  begins = $derived.by(() => this.path.length === 0 && this.picks.held === null);

  touch(cell: number): void {
    const [view, board] = [this.#open, this.#board()];
    if (!view || !board) return;
    let step = walk(view, board, this.path, cell);
    // A touch elsewhere chooses another piece, or puts the chosen one back.
    if (step.is === 'nothing' && this.path.length > 0 && cell !== this.path[0]) step = walk(view, board, [], cell);
    this.path = step.is === 'way' || step.is === 'fork' ? step.path : [];
    if (step.is === 'nothing') this.picks.clear();
    if (step.is === 'move' && !this.picks.asks(step.move)) {
      this.picks.clear();
      this.#play(step.move);
    }
  }

  clear(): void {
    this.path = [];
    this.picks.clear();
  }
}
