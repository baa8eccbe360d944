// The view of a table's board: the near side, the names of its cells, its size on the screen.

import { mapName } from './mapname';
import { frameOf, namingOf, paintOf } from './paint';
import { settings } from './settings.svelte';
import { other, type Table } from './table.svelte';
import { t } from './texts.svelte';
import { homeSide } from './view';
import type { Side } from './wire';

/** The width of a cell, in pixels, below which a finger is wider. */
const FINGER_PX = 30;
/** The longest side, in cells, of a map that is shown whole; a larger one is shown through a window. */
const LARGE_CELLS = 12;

export class Facing {
  /** True if the visitor turned the board round. */
  flip = $state(false);
  /** True if the pointer used last is a finger or a pen. */
  touching = $state(false);
  /** Width of the board in pixels. */
  width = $state(0);
  /** The width of a cell in pixels, where it does not follow from the board's. */
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
  /** True if the board is drawn with its first row at the bottom. */
  flipped = $derived.by(() => (this.paint.turns ? this.near !== this.#home : this.flip));
  /** The labels that have room beside the board. */
  room = $derived.by(() => (settings.coordinates ? namingOf(this.paint, this.#table.notation) : 'none'));
  /** The labels that are shown: a ruling names squares, so they must be labelled then. */
  naming = $derived.by(() => (this.#table.shown?.ruling ? 'letters' : this.room));
  frame = $derived.by(() =>
    this.#table.board ? frameOf(this.#table.board, this.room) : { left: 0, top: 0, width: 1, height: 1, hand: 0 },
  );
  /**
   * The map that is played, whose pieces are called what is written on them and can be asked about; `null` in other
   * games.
   */
  map = $derived.by(() => this.#table.info?.map ?? null);
  /** The name of the game, or of the map that is played. */
  name = $derived.by(() => {
    const info = this.#table.info;
    return info ? (info.map ? mapName(info.map.name) : t(`game-${info.game.replace('/', '-')}`)) : '';
  });
  /** True if the board is shown through a window that can be moved. */
  large = $derived.by(() => {
    const board = this.#table.board;
    return this.map !== null && board !== null && Math.max(board.files, board.ranks) > LARGE_CELLS;
  });
  /** True if the pointer is wider than a cell, so that the first touch only shows the move. */
  blunt = $derived.by(() => this.touching && (this.cellWidth ?? this.width / (this.#table.board?.files ?? 1)) < FINGER_PX);
}
