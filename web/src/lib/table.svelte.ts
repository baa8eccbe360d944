// A table as this page sees it: it takes the hall's messages and holds the state to show.

import * as api from './api';
import { cellNamed } from './cells';
import { chosenNotation, notationsOf, readAs } from './notation';
import { seat } from './clock';
import { browser, Connection, type Net, type World } from './connection';
import { hear } from './bell.svelte';
import { NOTHING, order, store, type Known } from './known';
import { nameOf } from './opponent';
import { settings } from './settings.svelte';
import type { Sound } from './sound';
import { nameOfSide, toneOf, type Tone } from './tones';
import { t, tAny } from './texts.svelte';
import { apply, moveByText, type Arrow } from './view';
import type {
  Act,
  Board,
  Button,
  ClientMessage,
  ClockFace,
  Fault,
  GameInfo,
  Happened,
  MoveView,
  Offer,
  Outcome,
  PlyInfo,
  Problem,
  ServerMessage,
  Side,
  TableInfo,
  View,
} from './wire';

type Full = Extract<ServerMessage, { t: 'full' }>;

/** A move or another wish that the hall has not stored yet. */
interface Pending {
  cmd: string;
  move: MoveView | null;
}

/** The errors of a table that the hall cannot show at all: another request does not help. */
const UNREADABLE = ['table-quarantined', 'table-unreadable'];

export const other = (side: Side): Side => (side === 'first' ? 'second' : 'first');

/** Plays a sound; the code for it is loaded with the first one. */
function sound(kind: Sound): void {
  if (!settings.sound) return;
  import('./sound').then(
    (m) => m.play(kind),
    () => undefined,
  );
}

/** The number of past plies that are loaded at once. */
const PAGE = 200;

/** The table that was opened by touching a piece, and the cell that is still to be touched there. */
let carried: { id: string; cell: number } | null = null;

export class Table {
  readonly id: string;
  /** The reason why the table cannot go on; no event follows. */
  failed = $state.raw<Problem | null>(null);
  /** The state of the table as the hall has sent it. */
  #known = $state.raw<Known>(NOTHING);
  info = $derived<TableInfo | null>(this.#known.info);
  game = $state.raw<GameInfo | null>(null);
  /** The present position. */
  view = $derived<View | null>(this.#known.view);
  record = $derived<PlyInfo[]>(this.#known.record);
  clk = $derived<ClockFace | null>(this.#known.clk);
  /** The time at which `clk` was received, on this page's clock. */
  clkAt = $state(0);
  /** The time left for the first move of the side to move, in milliseconds, and the time at which it was received. */
  first = $derived<number | null>(this.#known.first);
  firstAt = $state(0);
  /** The milliseconds, from `claimAt`, until the win may be claimed: the opponent has left. */
  claim = $derived(this.#known.claim);
  claimAt = $state(0);
  offers = $derived<[Side, Offer][]>(this.failed ? [] : this.#known.offers);
  end = $derived<Outcome | null>(this.#known.end);
  you = $derived<Side[]>(this.#known.you);
  here = $derived<[boolean, boolean]>(this.#known.here);
  watchers = $derived(this.#known.watchers);
  net = $state<Net>('connecting');
  /** The reason why the hall cannot store anything just now. */
  trouble = $state.raw<Problem | null>(null);
  stopping = $state(false);
  /** True if the table does not exist. */
  missing = $state(false);
  pending = $state.raw<Pending | null>(null);
  problem = $state.raw<Problem | null>(null);
  /** The answer to the visitor's own offer, shown until they do something here. */
  notice = $state('');
  /** The latest news for screen readers, which read it out once when it changes. */
  said = $state('');
  /** The past positions by ply, as far as they were loaded to look back at. */
  past = $state.raw<readonly (View | undefined)[]>([]);
  /** The ply of the record that is shown; `null`: the present position. */
  ply = $state<number | null>(null);
  /** A position beside the game that is shown, such as one of an analysis. */
  aside = $state.raw<View | null>(null);
  /** The moves drawn as arrows. */
  arrows = $state.raw<Arrow[]>([]);
  /** The mistakes that a report found, by the last ply of the turn. */
  faults = $state.raw<Map<number, Fault>>(new Map());
  /** The moves taken back on one screen, the next one last. */
  redo = $state.raw<string[]>([]);
  /**
   * The moves that are buttons, by move text: their arrows and names are still needed when they are no longer offered.
   */
  pressed = $state.raw<Record<string, Button>>({});
  /** Called with the id of the table where the rematch is. */
  onrematch: (id: string) => void = () => undefined;
  /** Receives the chat messages of the table, and their refusals. */
  onsaid: ((m: ServerMessage) => void) | null = null;
  /** The cells of a premove: from and to, or the only one. The hall plays it when the turn comes. */
  ahead = $state.raw<number[]>([]);
  /** The id of the wish that chose the premove. */
  #aheadCmd = '';
  /** True once something has arrived in the chat, which opens it. */
  spoken = $state(false);
  /** The times at which an offer of each kind was last made and last ended, on this page's clock. */
  offered = $state.raw<Partial<Record<Offer, number>>>({});
  gone = $state.raw<Partial<Record<Offer, number>>>({});

  /** The ply to show once its position is loaded. */
  #aim: number | null = null;
  #loading: Promise<boolean> | null = null;
  #left = false;
  #connection: Connection;
  #busy = new Set<string>();
  /**
   * The number of times that plies were taken back or the whole state was received again: positions that were
   * requested before are out of date.
   */
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
          if (cmd === this.#aheadCmd) this.ahead = [];
          this.problem = why;
          this.said = t(`problem-${why.key}`, why.args);
        },
      },
      world,
    );
  }

  /** Notes that another table was opened by touching a piece on `cell`. */
  carries(id: string, cell: number): void {
    carried = { id, cell };
  }

  /** Returns the cell that was touched before this table was opened for it, once. */
  brought(): number | null {
    const cell = carried?.id === this.id ? carried.cell : null;
    carried = null;
    return cell;
  }

  board = $derived<Board | null>(this.info?.board ?? null);
  /** The position that is shown: beside the game, past or present. */
  shown = $derived<View | null>(this.aside ?? (this.ply === null ? this.view : (this.past[this.ply] ?? this.view)));
  live = $derived(this.info?.started === true && this.end === null && this.failed === null);
  screen = $derived(this.info?.how === 'screen');
  /**
   * True if the side that begins is not settled: on one screen, where the rules leave it open and nothing was played.
   */
  unsettled = $derived(this.screen && this.live && this.record.length === 0 && this.game?.either_begins === true);
  /** True if a move may take days. */
  slow = $derived(((this.info?.clock as { turn_ms?: number } | undefined)?.turn_ms ?? 0) >= 864e5);
  /** True if the page was left in this player's turn. */
  #away = false;
  /** True if this page may move now. */
  mine = $derived(
    this.live &&
      this.aside === null &&
      this.ply === null &&
      this.pending === null &&
      this.view !== null &&
      this.you.includes(this.view.turn),
  );
  /** True if a premove may be chosen: the clock of the other side runs. */
  mayChoose = $derived(
    this.live &&
      !this.screen &&
      !this.slow &&
      settings.premoves &&
      this.info?.clock.kind !== 'none' &&
      this.aside === null &&
      this.ply === null &&
      this.pending === null &&
      this.you.length === 1 &&
      this.view?.turn !== this.you[0],
  );
  /** True if one of the players is a program. */
  engine = $derived(this.info?.seats.some((player) => player?.engine) ?? false);
  /** The side at the bottom of the screen. */
  near = $derived<Side>(this.you.length === 1 ? (this.you[0] ?? 'first') : 'first');
  freeSeat = $derived<Side | null>(
    this.info && !this.info.started && !this.failed && this.you.length === 0
      ? this.info.seats[0] === null
        ? 'first'
        : this.info.seats[1] === null
          ? 'second'
          : null
      : null,
  );
  /** True while the other seat is free. */
  waiting = $derived(this.info !== null && !this.info.started && this.you.length > 0);

  /** The names of the sides, in order of moving. */
  sides = $derived<[string, string]>(this.game?.sides ?? ['', '']);
  /** The notation that moves are read in; `null` if the move texts are read themselves. */
  notation = $derived<string | null>(chosenNotation(this.game?.family ?? '', notationsOf(this.info?.notations ?? [])));

  sideName(side: Side): string {
    return this.game ? t(`side-${nameOfSide(this.sides, side, this.shown?.swapped ?? false)}`) : '';
  }

  /** Returns the arguments of a sentence about sides, with `first` and `second` replaced by the names of the sides. */
  facts(args: Record<string, string>): Record<string, string> {
    const said = Object.entries(args).map(([k, v]) => [k, v === 'first' || v === 'second' ? this.sideName(v) : v]);
    return Object.fromEntries(said) as Record<string, string>;
  }

  toneOf(side: Side | null): Tone {
    return toneOf(this.sides, side, this.shown?.swapped);
  }

  /** Returns a ply in the chosen notation. */
  written([text, , , names]: PlyInfo): string {
    return readAs(this.notation, this.info?.notations ?? [], names) ?? text;
  }

  /** Returns the paths of arrows for a move in the shown position: its path, or the pieces that it would shift. */
  pointed(text: string): number[][] {
    const move = this.shown && this.board ? moveByText(this.shown, this.board, text) : null;
    if (!move) return [];
    return move.path.length > 0 ? [move.path] : (move.shifts ?? []);
  }

  /**
   * Returns the name of a move that is a button; `null` for others. One from before this page was loaded is named by
   * its text.
   */
  chosen(text: string): string | null {
    return tAny([`button-${this.pressed[text]?.name ?? text}`]);
  }

  /** Returns true if that player takes offers. */
  takesOffers(side: Side): boolean {
    return !(this.info?.no_offers?.[seat(side)] ?? false);
  }

  playerName(side: Side): string {
    if (this.screen) return this.info?.heading?.players[seat(side)] || this.sideName(side);
    const player = this.info?.seats[seat(side)];
    if (!player) return t('seat-free');
    if (this.you.includes(side)) return player.name ?? t('you');
    return nameOf(player);
  }

  async open(): Promise<void> {
    try {
      // The socket comes after an answer of the hall, because the first answer sets the cookie that says who the
      // visitor is. A visitor who has just created the table has had one, and receives everything by the socket.
      const [games, first] = await Promise.all([api.games(), api.isMade(this.id) ? null : api.table(this.id)]);
      if (first?.t === 'full') {
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
      if (e instanceof api.Refused && UNREADABLE.includes(e.why.key)) {
        this.#fail(e.why);
        return;
      }
      // The socket keeps trying.
    }
    // Meanwhile the visitor may have gone elsewhere.
    if (!this.#left) this.#connection.start();
  }

  close(): void {
    this.#left = true;
    this.#connection.stop();
  }

  /** Sends a message to the hall; false if it could not be sent. */
  tell(m: ClientMessage): boolean {
    return this.#connection.tell(m);
  }

  hurry(): void {
    this.#connection.hurry();
  }

  lost(): void {
    this.#connection.lost();
  }

  /** Notes that the page was left in this player's turn; not in slow games, where that says nothing. */
  left(): void {
    this.#away ||= this.mine && !this.slow;
  }

  /** Sends a wish that is not a move. */
  wish(act: Act): void {
    if (this.failed) return;
    this.hush();
    this.#busy.add(this.#connection.wish(act));
  }

  /** Chooses a premove by its cells; without cells the premove is taken back. */
  choose(cells: number[]): void {
    if (cells.length === 0 && this.ahead.length === 0) return;
    this.hush();
    this.ahead = cells;
    this.#aheadCmd = this.#connection.wish({ k: 'premove', cells });
  }

  play(move: MoveView): void {
    if (!this.mine || !this.view || !this.board) return;
    this.hush();
    sound(this.#soundOf(this.view, null));
    this.pending = { cmd: this.#connection.wish({ k: 'move', move: move.text, away: this.#away || undefined }), move };
    this.#away = false;
  }

  /** Clears the messages about the visitor's last action. */
  hush(): void {
    this.problem = null;
    this.notice = '';
  }

  hear(m: ServerMessage): void {
    switch (m.t) {
      case 'full':
        return this.#full(m);
      case 'ev':
        return this.#happened(m);
      case 'here':
      case 'you':
        this.#known = store(this.#known, m);
        if (m.t === 'here') this.claimAt = performance.now();
        return;
      case 'failed':
        return this.#fail(m.why);
      case 'storage':
        this.trouble = m.trouble;
        return;
      case 'stopping':
        this.stopping = true;
        return;
      case 'challenged':
      case 'bell':
        hear(m);
        return;
      default:
        this.spoken = true;
        this.onsaid?.(m);
    }
  }

  /** Shows ply `ply`; beyond the last one the present position. */
  async look(ply: number): Promise<void> {
    this.#ahead();
    this.#aim = Math.max(0, ply);
    // Several calls may wait for one part, and meanwhile another position may have been chosen, or the present one.
    while (this.#aim !== null && this.#aim < this.record.length && !this.past[this.#aim]) {
      this.#loading ??= this.#fetch(this.#aim).finally(() => (this.#loading = null));
      if (!(await this.#loading)) this.#aim = null;
    }
    if (this.#aim === null) return;
    this.ply = this.#aim < this.record.length ? this.#aim : null;
    this.#aim = null;
    const last = this.ply === null || this.ply === 0 ? null : this.record[this.ply - 1];
    if (last) this.said = this.#told(last);
  }

  /** Loads the part of the past that holds ply `ply`; false if that failed. */
  async #fetch(ply: number): Promise<boolean> {
    const rewound = this.#rewound;
    // Parts begin at the same plies for all visitors, so that they can be cached, unless some of this one is known.
    let from = ply;
    while (from % PAGE > 0 && !this.past[from]) from -= 1;
    try {
      while (!this.past[ply]) {
        const page = await api.replay(this.id, from, PAGE);
        // Plies taken back meanwhile may be in it.
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

  /** Removes the side position and the arrows, as another position is shown. */
  #ahead(): void {
    this.aside = null;
    this.arrows = [];
  }

  look_by(plies: number): void {
    void this.look((this.#aim ?? this.ply ?? this.record.length) + plies);
  }

  now(): void {
    this.#ahead();
    this.#aim = null;
    this.ply = null;
  }

  /** Returns the order in which the pieces of the shown board were put, by cell, from 1. */
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
    this.#known = store(this.#known, m);
    this.clkAt = this.firstAt = performance.now();
    this.past = [];
    this.#rewound += 1;
    this.now();
    this.#timeOffers([], m.offers);
    // A former premove is about another position, or the hall has forgotten it.
    this.choose([]);
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

  #happened(m: Extract<ServerMessage, { t: 'ev' }>): void {
    const before = this.#known;
    if (order(before.ver, m.v) !== 'next') return;
    this.#known = store(before, m);
    if (m.clk) this.clkAt = performance.now();
    // The same kind may be offered again while it is being answered.
    if (m.offers) this.#timeOffers(m.k === 'offer' ? before.offers.filter(([, what]) => what !== m.what) : before.offers, m.offers);
    if (m.first_ms) this.firstAt = performance.now();
    if (m.p) {
      this.#ahead();
      this.#learn(this.view);
    }
    this.#keepAhead(m);
    if (m.cut !== undefined) this.#back(m.cut, before.record);
    if (m.ply) this.#on(m.ply);
    const own = m.cmd !== undefined && (m.cmd === this.pending?.cmd || this.#busy.has(m.cmd));
    this.#announce(m, before, own);
    if (m.end) {
      sound('end');
      this.said = this.endText();
    }
    if (m.next !== undefined) this.onrematch(m.next);
  }

  /** Drops the premove when the turn has come, and on takebacks and offers, as the hall does. */
  #keepAhead(m: Happened): void {
    const asked = m.k === 'offer' && !this.you.includes(m.by ?? this.near);
    const undone = m.k === 'takeback' || m.k === 'withdraw' || m.k === 'swap';
    if (asked || undone || this.end !== null || this.view?.turn === this.near) this.ahead = [];
  }

  /** Notes the times of offers that were made or ended. */
  #timeOffers(before: [Side, Offer][], offers: [Side, Offer][]): void {
    const news = (of: [Side, Offer][], than: [Side, Offer][]): Partial<Record<Offer, number>> =>
      Object.fromEntries(
        of.filter(([by, what]) => !than.some((x) => x[0] === by && x[1] === what)).map(([, what]) => [what, performance.now()]),
      );
    this.offered = { ...this.offered, ...news(offers, before) };
    this.gone = { ...this.gone, ...news(before, offers) };
  }

  /** Cuts what this page keeps beside the record, when only `plies` of the record `was` are left. */
  #back(plies: number, was: PlyInfo[]): void {
    if (this.screen)
      this.redo = [
        ...this.redo,
        ...was
          .slice(plies)
          .map(([text]) => text)
          .reverse(),
      ];
    this.past = this.past.slice(0, plies + 1);
    this.#rewound += 1;
    if (this.ply !== null && this.ply >= plies) this.ply = null;
    this.faults = new Map();
  }

  /** Extends what this page keeps beside the record by the added ply. */
  #on([text]: PlyInfo): void {
    if (this.past.length > 0 && this.view) {
      const views = [...this.past];
      views[this.record.length] = this.view;
      this.past = views;
    }
    this.redo = this.redo.at(-1) === text ? this.redo.slice(0, -1) : [];
  }

  /** Plays the sound of an event and sets the sentence about it. `own`: this page asked for it. */
  #announce(m: Happened, before: Known, own: boolean): void {
    const by = m.by ?? null;
    switch (m.k) {
      case 'move':
        if (!own && before.view) sound(this.#soundOf(before.view, this.view));
        if (m.ply) this.said = this.#told(m.ply);
        return;
      case 'sit':
        if (m.started && !own) sound('offer');
        if (by) this.said = t('said-sat', { side: this.sideName(by) });
        return;
      case 'withdraw':
        if (by) this.said = t('said-withdraw', { side: this.sideName(by) });
        return;
      case 'takeback':
        this.said = t('said-takeback', { plies: before.record.length - this.record.length });
        return;
      case 'offer':
        if (by && !this.you.includes(by)) sound('offer');
        if (by && m.what) this.said = t(`said-offer-${m.what}`, { side: this.sideName(by) });
        return;
      case 'decline': {
        if (!by || !m.what) return;
        const cancelled = before.offers.some(([side, what]) => side === by && what === m.what);
        this.said = t(cancelled ? 'said-cancelled' : `said-declined-${m.what}`, { side: this.sideName(by) });
        if (!cancelled && !own) this.notice = this.said;
        return;
      }
      case 'offers':
        if (by) this.said = t(this.takesOffers(by) ? 'said-offers-on' : 'said-offers-off', { side: this.sideName(by) });
        return;
      case 'swap':
        this.said = t('said-swap');
        return;
      default:
        return;
    }
  }

  #fail(why: Problem): void {
    this.failed = why;
    this.pending = null;
    this.#busy.clear();
    this.said = t(`problem-${why.key}`, why.args);
  }

  /** Returns the result in words: the side that won, a draw, or a void game. */
  resultText(): string {
    if (!this.end) return '';
    return this.end.winner ? t('wins', { side: this.sideName(this.end.winner) }) : t(this.end.void ? 'ends-void' : 'ends-draw');
  }

  /** Returns the sentence about the end of the game: the result and its reason. */
  endText(): string {
    return this.end ? t('ends', { result: this.resultText(), reason: t(`reason-${this.end.reason}`, this.reasonArgs()) }) : '';
  }

  reasonArgs(): Record<string, string> {
    const winner = this.end?.winner ?? null;
    return winner ? { winner: this.sideName(winner), loser: this.sideName(other(winner)) } : { winner: '', loser: '' };
  }

  /** Returns a move in words, and what the player here is asked to do next. */
  #told(ply: PlyInfo): string {
    const said = t('said-move', { side: this.sideName(ply[1]), move: this.chosen(ply[0]) ?? this.written(ply) });
    const mine = this.view !== null && this.end === null && this.you.includes(this.view.turn);
    if (this.view?.marks.some((m) => m.kind === 'check')) return t('and-then', { first: said, then: t('check-said') });
    return mine && this.view?.prompt ? t('and-then', { first: said, then: t(`prompt-${this.view.prompt.key}`) }) : said;
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
    // A hall that is in trouble says so again on each connection.
    if (state === 'offline') this.trouble = null;
    this.net = state;
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
