// How the board of a table lies before its visitor: the near side, the names of its places, its size on the screen.

import { mapName } from './mapname';
import { frameOf, namingOf, paintOf } from './paint';
import { settings } from './settings.svelte';
import { other, type Table } from './table.svelte';
import { t } from './texts.svelte';
import { homeSide } from './view';
import type { Side } from './wire';

/** A cell this many pixels wide is narrower than a finger. */
const FINGER_PX = 30;
/** A longer board has too many places for a finger, or for a window. */
const LARGE_CELLS = 12;

export class Facing {
  /** The visitor turned the board round. */
  flip = $state(false);
  /** The pointer that was used last is a finger or a pen. */
  touching = $state(false);
  /** Width of the board in pixels. */
  width = $state(0);
  /** Width of a cell in pixels, where it does not follow from the board's. */
  cellWidth = $state<number | null>(null);
  #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  paint = $derived.by(() => paintOf(this.#table.game?.family ?? ''));
  /** The side whose pieces begin at the bottom of the board when it is not turned. */
  #home = $derived.by<Side>(() => {
    const game = this.#table.game;
    return this.paint.home ?? (this.paint.turns && game ? homeSide(game.view, game.board) : 'first');
  });
  near = $derived.by<Side>(() => {
    const own = this.#table.you.length === 1 ? this.#table.near : this.#home;
    return this.flip ? other(own) : own;
  });
  /** The board is drawn with its first row at the bottom. */
  flipped = $derived.by(() => (this.paint.turns ? this.near !== this.#home : this.flip));
  /** The names that have room beside the board. */
  room = $derived.by(() => (settings.coordinates ? namingOf(this.paint, this.#table.notation) : 'none'));
  /** The names that are shown: a ruling speaks of squares, so that they must be found. */
  naming = $derived.by(() => (this.#table.shown?.ruling ? 'letters' : this.room));
  frame = $derived.by(() => (this.#table.board ? frameOf(this.#table.board, this.room) : { left: 0, top: 0, width: 1, height: 1 }));
  /** People made this game up: its pieces are called what is written on them, and can be asked about. */
  map = $derived.by(() => this.#table.info?.map ?? null);
  /** The name of the game, or of the map that is played. */
  name = $derived.by(() => {
    const info = this.#table.info;
    return info ? (info.map ? mapName(info.map.name) : t(`game-${info.game.replace('/', '-')}`)) : '';
  });
  /** The board is shown through a window that can be moved. */
  large = $derived.by(() => {
    const board = this.#table.board;
    return this.map !== null && board !== null && Math.max(board.files, board.ranks) > LARGE_CELLS;
  });
  /** The pointer is wider than a cell, so that the first touch only shows. */
  blunt = $derived.by(() => this.touching && (this.cellWidth ?? this.width / (this.#table.board?.files ?? 1)) < FINGER_PX);
}
