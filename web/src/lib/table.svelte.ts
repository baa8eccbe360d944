// One table as this page sees it: messages in, what to show out.

import * as api from './api';
import { cellNamed } from './cells';
import { chosenNotation, notationsOf, readAs } from './notation';
import { seat } from './clock';
import { browser, Connection, type Net, type World } from './connection';
import { nameOf } from './opponent';
import { play as sound } from './sound';
import { nameOfSide, toneOf, type Tone } from './tones';
import { t, tAny } from './texts.svelte';
import { apply, moveByText, type Arrow } from './view';
import type {
  Act, Board, Button, ClockFace, Event, Fault, GameInfo, MoveView, Offer, Outcome, PlyInfo, Problem, ServerMessage, Side, TableInfo, View,
} from './wire';

type Full = Extract<ServerMessage, { t: 'full' }>;
type Happened = Extract<ServerMessage, { t: 'ev' }>;

/** A wish on its way to the hall's disk. */
interface Pending {
  cmd: string;
  move: MoveView | null;
}

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');

/** Plies of the past that are fetched at once. */
const PAGE = 200;

export class Table {
  readonly id: string;
  info = $state.raw<TableInfo | null>(null);
  game = $state.raw<GameInfo | null>(null);
  /** The board now. */
  view = $state.raw<View | null>(null);
  record = $state.raw<PlyInfo[]>([]);
  clk = $state.raw<ClockFace | null>(null);
  /** When `clk` was told, on this page's clock. */
  clkAt = $state(0);
  offers = $state.raw<[Side, Offer][]>([]);
  end = $state.raw<Outcome | null>(null);
  you = $state.raw<Side[]>([]);
  here = $state.raw<[boolean, boolean]>([false, false]);
  watchers = $state(0);
  net = $state<Net>('connecting');
  stopping = $state(false);
  /** There is no such table. */
  missing = $state(false);
  pending = $state.raw<Pending | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** For screen readers: said once when it changes. */
  said = $state('');
  /** Positions since the start by ply, as far as somebody looked back. */
  past = $state.raw<readonly (View | undefined)[]>([]);
  /** The ply that is looked at; `null`: now. */
  ply = $state<number | null>(null);
  /** A position beside the game that is looked at. */
  aside = $state.raw<View | null>(null);
  /** Moves that are pointed at. */
  arrows = $state.raw<Arrow[]>([]);
  /** What a report found, by the last ply of the turn. */
  faults = $state.raw<Map<number, Fault>>(new Map());
  /** Moves taken back on one screen, the next one last. */
  redo = $state.raw<string[]>([]);
  /** Moves that are pressed, by move text: their arrows and names outlive the moment they are offered. */
  pressed = $state.raw<Record<string, Button>>({});
  /** Called with the id of the table where the rematch is. */
  onrematch: (id: string) => void = () => undefined;

  #connection: Connection;
  #busy = new Set<string>();
  /** How often plies were taken back, or everything was told anew. */
  #rewound = 0;

  constructor(id: string, world: World = browser) {
    this.id = id;
    this.#connection = new Connection(
      id,
      {
        message: (m) => this.hear(m),
        net: (state) => this.#net(state),
        done: (cmd) => this.#settle(cmd),
        refused: (cmd, why) => {
          this.#settle(cmd);
          this.problem = why;
          this.said = t(`problem-${why.key}`, why.args);
        },
      },
      world,
    );
  }

  board = $derived<Board | null>(this.info?.board ?? null);
  /** The board that is looked at. */
  shown = $derived<View | null>(this.aside ?? (this.ply === null ? this.view : (this.past[this.ply] ?? this.view)));
  live = $derived(this.info?.started === true && this.end === null);
  screen = $derived(this.info?.how === 'screen');
  /** This page may move now. */
  mine = $derived(
    this.live && this.aside === null && this.ply === null && this.pending === null && this.view !== null && this.you.includes(this.view.turn),
  );
  /** One of the players is a program. */
  engine = $derived(this.info?.seats.some((player) => player?.engine) ?? false);
  /** The side at the bottom of the screen. */
  near = $derived<Side>(this.you.length === 1 ? (this.you[0] ?? 'first') : 'first');
  freeSeat = $derived<Side | null>(
    this.info && !this.info.started && this.you.length === 0
      ? this.info.seats[0] === null
        ? 'first'
        : this.info.seats[1] === null
          ? 'second'
          : null
      : null,
  );
  /** Waiting for somebody to take the other seat. */
  waiting = $derived(this.info !== null && !this.info.started && this.you.length > 0);

  /** What the sides are called, in order of moving. */
  sides = $derived<[string, string]>(this.game?.sides ?? ['', '']);
  /** The notation moves are read in; `null` where the move texts are what people read. */
  notation = $derived<string | null>(chosenNotation(this.game?.family ?? '', notationsOf(this.info?.notations ?? [])));

  sideName(side: Side): string {
    return this.game ? t(`side-${nameOfSide(this.sides, side, this.shown?.swapped ?? false)}`) : '';
  }

  /** The facts of a sentence about sides: `first` and `second` as the sides are called. */
  facts(args: Record<string, string>): Record<string, string> {
    const said = Object.entries(args).map(([k, v]) => [k, v === 'first' || v === 'second' ? this.sideName(v) : v]);
    return Object.fromEntries(said) as Record<string, string>;
  }

  toneOf(side: Side | null): Tone {
    return toneOf(this.sides, side, this.shown?.swapped);
  }

  /** A ply as it is written in the notation of choice. */
  written([text, , , names]: PlyInfo): string {
    return readAs(this.notation, this.info?.notations ?? [], names) ?? text;
  }

  /** The cells of a move to point at, in the position that is looked at: a way, or what it would shift. */
  pointed(text: string): number[][] {
    const move = this.shown && this.board ? moveByText(this.shown, this.board, text) : null;
    if (!move) return [];
    return move.path.length > 0 ? [move.path] : (move.shifts ?? []);
  }

  /** A move that is pressed, by its name; `null` for others. A choice made before this page came is called by its text. */
  chosen(text: string): string | null {
    return tAny([`button-${this.pressed[text]?.name ?? text}`]);
  }

  playerName(side: Side): string {
    if (this.screen) return this.sideName(side);
    const player = this.info?.seats[seat(side)];
    if (!player) return t('seat-free');
    if (this.you.includes(side)) return player.name ?? t('you');
    return nameOf(player);
  }

  async open(): Promise<void> {
    try {
      // The socket comes after an answer of the hall, because the first answer says who one is.
      const [games, first] = await Promise.all([api.games(), api.table(this.id)]);
      if (first.t === 'full') {
        this.game = games.find((g) => g.key === first.table.game) ?? null;
        this.#learn(this.game?.view ?? null);
        this.hear(first);
        this.#connection.known = first.v;
      }
    } catch (e) {
      if (e instanceof api.Refused && e.status === 404) {
        this.missing = true;
        return;
      }
      // The socket will keep trying.
    }
    this.#connection.start();
  }

  close(): void {
    this.#connection.stop();
  }

  hurry(): void {
    this.#connection.hurry();
  }

  lost(): void {
    this.#connection.lost();
  }

  /** Wishes for something other than a move. */
  wish(act: Act): void {
    this.problem = null;
    this.#busy.add(this.#connection.wish(act));
  }

  play(move: MoveView): void {
    if (!this.mine || !this.view || !this.board) return;
    this.problem = null;
    sound(this.#soundOf(this.view, null));
    this.pending = { cmd: this.#connection.wish({ k: 'move', move: move.text }), move };
  }

  hear(m: ServerMessage): void {
    switch (m.t) {
      case 'full':
        return this.#full(m);
      case 'ev':
        return this.#happened(m);
      case 'here':
        this.here = m.here;
        this.watchers = m.watchers;
        return;
      case 'you':
        this.you = m.you;
        return;
      case 'stopping':
        this.stopping = true;
    }
  }

  /** Looks at ply `ply`; beyond the last one is now. */
  async look(ply: number): Promise<void> {
    this.#ahead();
    if (ply >= this.record.length) {
      this.ply = null;
      return;
    }
    const at = Math.max(0, ply);
    if (!this.past[at] && !(await this.#fetch(at))) return;
    this.ply = at;
    if (this.ply >= this.record.length) this.ply = null;
    const last = this.ply === null || this.ply === 0 ? null : this.record[this.ply - 1];
    if (last) this.said = this.#told(last);
  }

  /** Fetches the part of the past in which ply `ply` is; false when it is not to be had. */
  async #fetch(ply: number): Promise<boolean> {
    const rewound = this.#rewound;
    // Parts begin at the same plies for everybody, unless some of this one is known.
    let from = ply;
    while (from % PAGE > 0 && !this.past[from]) from -= 1;
    try {
      while (!this.past[ply]) {
        const page = await api.replay(this.id, from, PAGE);
        // What was taken back meanwhile may be in it.
        if (rewound !== this.#rewound) return false;
        const views = [...this.past];
        let view = page.start;
        views[page.from] = view;
        page.patches.forEach((patch, i) => {
          view = apply(view, patch);
          views[page.from + i + 1] = view;
        });
        this.past = views;
        // A part may end early; the rest is the next part.
        from = page.from + page.patches.length;
        if (page.patches.length === 0) break;
      }
    } catch (e) {
      if (e instanceof api.Refused) this.problem = e.why;
    }
    return this.past[ply] !== undefined;
  }

  /** Another position: what was shown beside the last one goes. */
  #ahead(): void {
    this.aside = null;
    this.arrows = [];
  }

  look_by(plies: number): void {
    void this.look((this.ply ?? this.record.length) + plies);
  }

  now(): void {
    this.#ahead();
    this.ply = null;
  }

  /** In which order the pieces of the board that is looked at were put there, from 1. */
  numbers(): Map<number, number> {
    const board = this.board;
    if (!board) return new Map();
    const standing = new Set(this.shown?.pieces.map((p) => p[0]));
    const put = new Set<number>();
    for (const [text] of this.record.slice(0, this.ply ?? this.record.length)) {
      const cell = cellNamed(board, text);
      // A stone that was offered and then chosen counts where it was chosen.
      if (cell !== null && standing.has(cell)) {
        put.delete(cell);
        put.add(cell);
      }
    }
    return new Map([...put].map((cell, i) => [cell, i + 1]));
  }

  #full(m: Full): void {
    this.info = m.table;
    this.view = m.view;
    this.record = m.record;
    this.#clocks(m.clk);
    this.offers = m.offers;
    this.end = m.end;
    this.you = m.you;
    this.here = m.here;
    this.watchers = m.watchers;
    this.past = [];
    this.#rewound += 1;
    this.now();
    this.#learn(m.view);
    if (!this.game) {
      void api
        .games()
        .then((games) => {
          this.game = games.find((g) => g.key === m.table.game) ?? null;
          this.#learn(this.game?.view ?? null);
        })
        .catch(() => undefined);
    }
  }

  #happened(m: Happened): void {
    const before = this.view;
    if (m.p && before) {
      this.#ahead();
      this.view = apply(before, m.p);
      this.#learn(this.view);
    }
    if (m.clk) this.#clocks(m.clk);
    if (m.end) this.end = m.end;
    const own = m.cmd !== undefined && (m.cmd === this.pending?.cmd || this.#busy.has(m.cmd));
    this.#event(m.e, m.spent ?? null, m.names ?? [], own, before);
    if (m.end) {
      sound('end');
      this.said = this.endText();
    }
  }

  #event(e: Event, spent_ms: number | null, names: string[], own: boolean, before: View | null): void {
    switch (e.k) {
      case 'sit':
      case 'leave': {
        if (!this.info) return;
        const seats = [...this.info.seats] as TableInfo['seats'];
        seats[seat(e.side)] = e.k === 'sit' ? e.who : null;
        const started = this.info.started || (seats[0] !== null && seats[1] !== null);
        if (started && !this.info.started && !own) sound('offer');
        this.info = { ...this.info, seats, started };
        if (e.k === 'sit') this.said = t('said-sat', { side: this.sideName(e.side) });
        return;
      }
      case 'move':
        this.record = [...this.record, [e.move, e.by, spent_ms, names]];
        if (this.past.length > 0 && this.view) {
          const views = [...this.past];
          views[this.record.length] = this.view;
          this.past = views;
        }
        this.offers = this.offers.filter(([by, what]) => what === 'draw' && by === e.by);
        this.redo = this.redo.at(-1) === e.move ? this.redo.slice(0, -1) : [];
        if (!own && before) sound(this.#soundOf(before, this.view));
        this.said = this.#told([e.move, e.by, spent_ms, names]);
        return;
      case 'withdraw':
        this.#back(1);
        this.said = t('said-withdraw', { side: this.sideName(e.by) });
        return;
      case 'takeback':
        if (this.screen) {
          const taken = this.record.slice(this.record.length - e.plies).map((p) => p[0]);
          this.redo = [...this.redo, ...taken.reverse()];
        }
        this.#back(e.plies);
        this.said = t('said-takeback', { plies: e.plies });
        return;
      case 'offer':
        this.offers = [...this.offers.filter(([by, what]) => by !== e.by || what !== e.what), [e.by, e.what]];
        if (!this.you.includes(e.by)) sound('offer');
        this.said = t(`said-offer-${e.what}`, { side: this.sideName(e.by) });
        return;
      case 'decline':
        this.offers = this.offers.filter(([, what]) => what !== e.what);
        this.said = t('said-decline');
        return;
      case 'swap':
        if (this.info) this.info = { ...this.info, seats: [this.info.seats[1], this.info.seats[0]] };
        this.offers = [];
        this.said = t('said-swap');
        return;
      case 'rematch':
        if (this.info) this.info = { ...this.info, next: e.table };
        this.offers = [];
        this.onrematch(e.table);
        return;
      case 'draw':
      case 'resign':
      case 'flag':
      case 'abort':
      case 'forfeit':
        this.offers = [];
        return;
      case 'pause':
        return;
    }
  }

  /** What is said when the game is over: who won, and why. */
  endText(): string {
    if (!this.end) return '';
    const { winner, reason } = this.end;
    const who = winner
      ? t('wins', { side: this.sideName(winner) })
      : t(this.end.void ? 'ends-void' : 'ends-draw');
    return t('ends', { result: who, reason: t(`reason-${reason}`, this.reasonArgs()) });
  }

  reasonArgs(): Record<string, string> {
    const winner = this.end?.winner ?? null;
    return winner ? { winner: this.sideName(winner), loser: this.sideName(other(winner)) } : { winner: '', loser: '' };
  }

  /** A move in words, and what is asked next of whoever sits here. */
  #told(ply: PlyInfo): string {
    const said = t('said-move', { side: this.sideName(ply[1]), move: this.chosen(ply[0]) ?? this.written(ply) });
    const mine = this.view !== null && this.end === null && this.you.includes(this.view.turn);
    if (this.view?.marks.some((m) => m.kind === 'check')) return t('and-then', { first: said, then: t('check-said') });
    return mine && this.view?.prompt ? t('and-then', { first: said, then: t(`prompt-${this.view.prompt.key}`) }) : said;
  }

  #back(plies: number): void {
    const left = Math.max(0, this.record.length - plies);
    this.record = this.record.slice(0, left);
    this.past = this.past.slice(0, left + 1);
    this.#rewound += 1;
    if (this.ply !== null && this.ply >= left) this.ply = null;
    this.offers = [];
    this.end = null;
    this.faults = new Map();
  }

  #settle(cmd: string): void {
    if (this.pending?.cmd === cmd) this.pending = null;
    this.#busy.delete(cmd);
  }

  #net(state: Net): void {
    if (state === this.net) return;
    if (state === 'offline') this.said = t('net-offline');
    if (state === 'online' && this.net === 'offline') this.said = t('net-back');
    if (state === 'online') this.stopping = false;
    this.net = state;
  }

  #clocks(face: ClockFace | null): void {
    this.clk = face;
    this.clkAt = performance.now();
  }

  #learn(view: View | null): void {
    for (const b of view?.buttons ?? []) {
      if (!this.pressed[b.text]) this.pressed = { ...this.pressed, [b.text]: b };
    }
  }

  #soundOf(before: View, after: View | null): 'move' | 'capture' | 'check' {
    if (after?.marks.some((m) => m.kind === 'check')) return 'check';
    return after && after.pieces.length < before.pieces.length ? 'capture' : 'move';
  }
}
