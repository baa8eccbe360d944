// Lessons about a position, shown on the board of games on one screen and of finished games.

import * as api from './api';
import type { Paint } from './paint';
import type { Table } from './table.svelte';
import type { Mark } from './wire';

export class Lessons {
  /** True if the visitor asked for lessons. */
  on = $state(false);
  /** The marks of the lesson; `null` while none is shown. */
  marks = $state.raw<Mark[] | null>(null);
  #table: Table;
  #paint: () => Paint;

  /**
   * Creates the lessons of a table, in a component's setup: they are loaded after each move while the component
   * exists.
   */
  constructor(table: Table, paint: () => Paint) {
    this.#table = table;
    this.#paint = paint;
    $effect(() => this.#ask());
  }

  /**
   * True if lessons may be shown: the game has some, and it is played on one screen or over, so that they help no
   * player against another.
   */
  may = $derived.by(() => !!this.#paint().teaches && (this.#table.screen || this.#table.end !== null));

  #ask(): void {
    const table = this.#table;
    const plies = table.record.length;
    if (!this.on || !this.may || table.ply !== null) {
      this.marks = null;
      return;
    }
    api
      .lessons(table.id)
      .then((told) => {
        if (told.ply === plies && this.on) this.marks = told.marks;
      })
      .catch((e: unknown) => {
        if (e instanceof api.Refused) table.problem = e.why;
      });
  }
}
