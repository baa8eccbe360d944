// The choice among moves that share their path: a piece of the hand that is put on the board, or what a piece becomes.

import type { MoveView, View } from './wire';

/** Returns true if the move puts a piece from the hand on the board. */
const isDrop = (move: MoveView): boolean => move.pick !== undefined && move.path.length === 1;

const listed = (view: View | null): MoveView[] => (!view || view.moves === 'empty' ? [] : view.moves);

export class Picks {
  /** The piece of the hand that is put next, by its `pick`. */
  held = $state<string | null>(null);
  /** The moves of which one is to be chosen, as they differ only in what the piece becomes. */
  asked = $state.raw<MoveView[]>([]);
  #view: () => View | null;
  #taken: () => void;
  #play: (move: MoveView) => void;

  /**
   * `view` returns the position while moves may be made in it; `taken` is called when a piece is taken up, and `play`
   * with a chosen move.
   */
  constructor(view: () => View | null, taken: () => void, play: (move: MoveView) => void) {
    this.#view = view;
    this.#taken = taken;
    this.#play = play;
  }

  /** The pieces of the hand that may be put on the board now. */
  drops = $derived.by(() => new Set(listed(this.#view()).flatMap((m) => (isDrop(m) ? [m.pick] : []))));

  /** Takes up a piece of the hand, or puts it back. */
  take(pick: string | null): void {
    this.#taken();
    this.held = this.held === pick ? null : pick;
    this.asked = [];
  }

  clear(): void {
    this.held = null;
    this.asked = [];
  }

  /** Plays one of the moves that were asked about. */
  pick(move: MoveView): void {
    this.clear();
    this.#play(move);
  }

  /** Returns true if the move is one of several with its path, one of which is to be chosen now. */
  asks(move: MoveView): boolean {
    const path = move.path.join();
    const alike = isDrop(move) || move.pick === undefined ? [] : listed(this.#view()).filter((m) => m.pick && m.path.join() === path);
    this.asked = alike.length > 1 ? alike : [];
    return this.asked.length > 0;
  }

  /**
   * Returns the view whose moves can be told apart by touches: those that put the piece taken up, and one of several
   * choices. Without hands beside the board there is one kind of piece to put, and it need not be taken up.
   */
  offers<V extends View | null>(view: V, beside: boolean): V {
    if (!view || !listed(view).some((m) => m.pick)) return view;
    const { held } = this;
    const seen = new Set<string>();
    const moves = listed(view).filter((m) => {
      if (isDrop(m)) return beside ? m.pick === held : true;
      const path = m.path.join();
      const again = m.pick !== undefined && seen.has(path);
      seen.add(path);
      return held === null && !again;
    });
    return { ...view, moves };
  }
}
