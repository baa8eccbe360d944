// The hand at the board: touches, carried pieces and pressed buttons on their way to a move, and the hints meanwhile.

import { nameOf } from './cells';
import type { Hints } from './hints';
import type { Paint } from './paint';
import { Picks } from './picks.svelte';
import { settings } from './settings.svelte';
import type { Table } from './table.svelte';
import { t } from './texts.svelte';
import { moveOf } from './view';
import { drop, putFace, puts, targets, walk, type Step, type Target } from './walk';
import type { Board, Button, MoveView, View } from './wire';

/** The facts about the display that the choice of moves depends on. */
export interface Screen {
  paint: () => Paint;
  /** Returns true if the finger that touches is wider than a cell. */
  blunt: () => boolean;
}

export class Hand {
  /** Cells touched so far on the way to a move. */
  path = $state.raw<number[]>([]);
  picks: Picks;
  /** A move that waits for a second touch. */
  armed = $state.raw<{ move: MoveView; cell: number | null } | null>(null);
  /** The button under the pointer, by its move text: pieces lean where it would send them. */
  leaning = $state<string | null>(null);
  hover = $state<number | null>(null);
  hint = $state('');
  /** The pieces highlighted for a moment because one of them must move instead of the touched one. */
  flash = $state.raw<number[]>([]);
  /** True if the touched piece was chosen in the other side's turn. */
  #chosenAhead = false;
  #table: Table;
  #screen: Screen;

  constructor(table: Table, screen: Screen) {
    this.#table = table;
    this.#screen = screen;
    this.picks = new Picks(
      () => (table.mine ? table.shown : null),
      () => {
        this.quiet();
        [this.path, this.armed] = [[], null];
      },
      (move) => table.play(move),
    );
  }

  #beside = $derived.by(() => this.#board?.hands !== undefined);
  #view = $derived.by<View | null>(() => this.picks.offers(this.#table.shown, this.#beside));
  #board = $derived.by<Board | null>(() => this.#table.board);
  /** True if the present position is shown, not a past one. */
  #now = $derived.by(() => this.#table.ply === null);

  /** True if moves begin with a piece and end elsewhere. */
  walks = $derived.by(() => this.#view !== null && this.#view.moves !== 'empty' && this.#view.moves.some((m) => m.path.length > 1));
  targets = $derived.by<Target[]>(() => (this.#table.mine && this.#view ? targets(this.#view, this.path) : []));
  #begins = $derived.by(() => new Set(this.#view && this.#view.moves !== 'empty' ? this.#view.moves.map((m) => m.path[0]) : []));
  #leaningButton = $derived.by(() => this.#view?.buttons.find((b) => b.text === (this.leaning ?? this.armed?.move.text)) ?? null);
  #hovered = $derived.by(() =>
    this.#table.mine && this.hover !== null ? (this.targets.find((x) => x.cell === this.hover)?.move ?? null) : null,
  );
  /** The move that is shown as if it were played: sent, waiting for a second touch, or under the pointer. */
  #preview = $derived.by(() => this.#table.pending?.move ?? this.armed?.move ?? this.#hovered);

  /** The pieces that the shown move would move: from and to. */
  shifts = $derived.by<[number, number][]>(() => {
    if (!this.#view || !this.#now) return [];
    const [goes, there] = this.#table.ahead;
    if (goes !== undefined && there !== undefined) return [[goes, there]];
    if (this.#leaningButton?.shifts && !this.#table.pending) return this.#leaningButton.shifts;
    const preview = this.#preview;
    const byButton = this.#view.buttons.find((b) => b.text === preview?.text)?.shifts;
    const way = preview ? preview.path : this.path;
    const [from, to] = [way[0], way.at(-1)];
    const walked: [number, number][] = way.length > 1 && from !== undefined && to !== undefined ? [[from, to]] : [];
    return preview?.shifts ?? byButton ?? walked;
  });
  /** The cells on the way of the shown or touched move. */
  trace = $derived.by<number[]>(() => {
    if (!this.#now) return [];
    const preview = this.#preview;
    if (preview) return preview.path.length > 2 ? preview.path : [];
    return this.path.length > 1 ? this.path : [];
  });
  /**
   * The cells where a stone may be put; `'any'` where every empty cell will do and none is pointed out, `null` where
   * pieces are moved or it is not this page's turn.
   */
  puts = $derived.by<'any' | Set<number> | null>(() => {
    const view = this.#view;
    return this.#table.mine && view ? puts(view, this.#screen.paint(), this.#beside) : null;
  });
  blockers = $derived.by<number[]>(() =>
    this.#view && this.#leaningButton && !moveOf(this.#view, this.#leaningButton) && this.#now ? (this.#leaningButton.blockers ?? []) : [],
  );
  /** The destination of a move that waits for the hall, or for a second touch. */
  ghost = $derived.by(() => {
    const cell = this.#preview?.path.at(-1);
    if (cell === undefined || this.shifts.length > 0 || !this.#now) return null;
    if (this.#table.pending) return { cell, state: 'sending' as const };
    return this.armed ? { cell, state: 'armed' as const } : null;
  });
  chosen = $derived.by<number[]>(() => {
    if (this.#table.ahead.length > 0 && this.#now) return this.#table.ahead;
    const ghost = this.ghost;
    if (this.#table.pending?.move && ghost && this.#view?.pieces.some((p) => p[0] === ghost.cell)) return [ghost.cell];
    return this.armed?.cell != null ? [...this.path, this.armed.cell] : this.path;
  });
  /** All hints for the board. */
  hints = $derived.by<Hints>(() => ({
    targets: this.targets,
    plain: this.walks && this.path.length === 0,
    puts: this.puts,
    chosen: this.chosen,
    trace: this.trace,
    shifts: this.shifts,
    blockers: this.blockers,
    ghost: this.ghost,
    nextFace: this.#preview ? this.#preview.face : putFace(this.#view),
    flash: this.flash,
  }));

  /** Drops half-done touches for a new position, except for a piece that was chosen while the other side thought. */
  renew(): void {
    const [view, board, first] = [this.#view, this.#board, this.path[0]];
    const goes = this.#chosenAhead && this.#table.mine && view && board && first !== undefined && walk(view, board, [], first).is === 'way';
    this.path = goes || (this.#chosenAhead && this.#table.mayChoose) ? this.path : [];
    this.#chosenAhead = this.path.length > 0;
    this.armed = null;
    this.picks.clear();
    this.hint = '';
    this.flash = [];
  }

  clear(): void {
    this.renew();
    this.#table.choose([]);
    this.leaning = null;
    this.#table.hush();
  }

  /** Clears the messages about the last touch. */
  quiet(): void {
    this.hint = '';
    this.flash = [];
    this.#table.hush();
  }

  /** Says why nothing can be moved: a past position is shown, or it is the other player's turn. */
  notMine(): void {
    const table = this.#table;
    if (table.ply !== null) this.hint = t('looking-back');
    else if (table.live && table.you.length > 0 && !table.pending) this.hint = t('not-your-turn');
  }

  /**
   * Returns true if the move waits for a second touch: it has a warning, or the settings or a finger wider than a cell
   * ask for it.
   */
  #waits(move: MoveView): boolean {
    if (this.armed?.move.text === move.text) return false;
    if (move.warning) return true;
    return settings.confirm === 'always' || (settings.confirm === 'auto' && this.#screen.blunt() && move.path.length > 0);
  }

  /** Plays a move, or arms it for a second touch. */
  try(move: MoveView, cell: number | null, carried = false): void {
    if (this.picks.asks(move)) return;
    if (carried ? move.warning || settings.confirm === 'always' : this.#waits(move)) {
      this.armed = { move, cell };
      this.hint = move.warning ? t('warned', { reason: t(`reason-${move.warning}`, this.#table.reasonArgs()) }) : t('confirm-hint');
      return;
    }
    this.armed = null;
    this.path = [];
    this.#table.play(move);
  }

  /** Plays the move that waits for a second touch. */
  confirm(): void {
    if (this.armed) this.try(this.armed.move, this.armed.cell);
  }

  touch(cell: number): void {
    this.quiet();
    const [view, board] = [this.#view, this.#board];
    if (!view || !board) return;
    if (this.#table.mayChoose) return this.#choose(cell);
    if (!this.#table.mine) return this.notMine();
    if (this.#othersBegin(cell)) return;
    // A touch elsewhere puts the piece back into the hand.
    if (!this.targets.some((x) => x.cell === cell)) this.picks.clear();
    const step = walk(this.#view ?? view, board, this.path, cell);
    if (step.is !== 'nothing') return this.#take(step, cell);
    this.armed = null;
    const from = this.path[0];
    this.path = [];
    if (from === cell) return;
    const anew = walk(this.#view ?? view, board, [], cell);
    if (from !== undefined && anew.is !== 'nothing') this.#take(anew, cell);
    else this.#explain(from, cell);
  }

  /**
   * Chooses a move ahead (a premove) without a check, as the position it will be played in is not known yet. A touch
   * takes back what was chosen.
   */
  #choose(cell: number): void {
    const [table, from] = [this.#table, this.path[0]];
    const was = table.ahead;
    table.choose([]);
    const own = this.#stands(cell);
    if (from !== undefined && from !== cell) this.#ahead([from, cell]);
    else if (this.walks) this.path = own && from === undefined && !was.includes(cell) ? [cell] : [];
    else if (was[0] !== cell) this.#ahead([cell]);
    this.#chosenAhead = this.path.length > 0;
  }
  #ahead(cells: number[]): void {
    this.path = [];
    this.#table.choose(cells);
  }
  /** Returns true if one of the visitor's own pieces stands on `cell`. */
  #stands(cell: number): boolean {
    return this.#view?.pieces.some((p) => p[0] === cell && p[1] === this.#table.near) ?? false;
  }
  /**
   * Opens a table where the other side begins if a piece of that side is touched before the first move, where the
   * rules leave it open who begins; true if it does.
   */
  #othersBegin(cell: number): boolean {
    const side = this.#view?.pieces.find((p) => p[0] === cell)?.[1] ?? null;
    if (!this.#table.unsettled || this.path.length > 0 || side === null || side === this.#view?.turn) return false;
    void import('./anew').then((m) => m.begin(this.#table, side, cell));
    return true;
  }

  #take(step: Step, cell: number, carried = false): void {
    if (step.is === 'move') return this.try(step.move, cell, carried);
    this.armed = null;
    this.path = step.is === 'nothing' ? [] : step.path;
    if (step.is === 'fork') this.hint = t('several-ways');
  }

  /**
   * Says why `cell` cannot be touched, as the first or after `from`; where the page does not know, the hall is asked.
   */
  #explain(from: number | undefined, cell: number, dropped = false): void {
    const [view, board, table] = [this.#view, this.#board, this.#table];
    if (!view || !board) return;
    if (view.prompt && view.moves !== 'empty' && view.moves.every((m) => m.path.length === 0 && !m.shifts)) {
      this.hint = t('choosing-first');
      return;
    }
    if (from === undefined && this.#beside && this.picks.drops.size > 0 && !view.pieces.some((p) => p[0] === cell)) {
      this.hint = t('hand-first');
      return;
    }
    // The hall knows the reason, and says it.
    if (!this.walks) return void table.wish({ k: 'move', move: nameOf(board, cell) });
    const own = view.pieces.some((p) => p[0] === cell && p[1] === view.turn);
    if (from === undefined && !own) return;
    if (view.notes?.length) {
      this.hint = view.notes.map((n) => t(`note-${n.key}`, table.facts(n.args))).join(' ');
      const must = view.marks.find((m) => m.kind === 'must')?.cells;
      this.flash = must ?? targets(view, []).map((x) => x.cell);
    } else if (from === undefined) this.hint = t('cannot-move');
    else if (!own || dropped) table.wish({ k: 'move', move: `${nameOf(board, from)}-${nameOf(board, cell)}` });
  }

  /** The handlers for pieces that are dragged; see `Board`. */
  carry = {
    may: (cell: number): boolean =>
      (this.#table.mayChoose && this.walks && this.#stands(cell)) ||
      (this.#table.mine &&
        this.walks &&
        (this.#begins.has(cell) || (this.#view?.pieces.some((p) => p[0] === cell && p[1] === this.#view?.turn) ?? false))),
    start: (cell: number): void => {
      this.quiet();
      this.armed = null;
      if (this.#table.mayChoose) {
        this.#table.choose([]);
        this.path = [cell];
        this.#chosenAhead = true;
        return;
      }
      const goes = this.#view && this.#board && walk(this.#view, this.#board, [], cell).is === 'way';
      this.path = goes ? [cell] : [];
      if (!goes) this.#explain(undefined, cell);
    },
    drop: (carried: number[], cell: number | null): number | null => {
      const [view, board, table] = [this.#view, this.#board, this.#table];
      const from = carried[0];
      const may = this.path.length > 0;
      if (table.mayChoose && may && from !== undefined) {
        // A piece put back where it stood stays chosen.
        if (cell !== null && cell !== from) this.#ahead([from, cell]);
        else if (cell === null) this.path = [];
        return null;
      }
      if (!view || !board || !table.mine || cell === null || from === undefined || !may) {
        this.path = [];
        return null;
      }
      // A piece put back where it stood stays chosen.
      const step = drop(view, board, carried, cell);
      if (step.is === 'nothing' && cell === from) return null;
      this.#take(step, cell, true);
      if (step.is === 'nothing') this.#explain(from, cell, true);
      return step.is === 'move' && table.pending ? cell : null;
    },
  };

  /** Handles the pointer coming to a button, or leaving it (`null`). */
  lean(button: Button | null): void {
    this.leaning = button?.text ?? null;
    if (!button && !this.armed) this.hint = '';
  }

  press(button: Button): void {
    this.quiet();
    if (!this.#view) return;
    if (!this.#table.mine) return this.notMine();
    const move = moveOf(this.#view, button);
    if (move) return this.try(move, null);
    this.leaning = button.text;
    this.hint = t('blocked', { name: t(`button-${button.name}`), count: button.blockers?.length ?? 0 });
  }

  /** Presses the button of a key; true if there is one. */
  key(event: KeyboardEvent): boolean {
    // Letters are kept for typing moves.
    const button = this.#table.mine && event.key.length > 1 ? this.#view?.buttons.find((b) => b.key === event.key) : undefined;
    if (!button) return false;
    this.press(button);
    return true;
  }
}
