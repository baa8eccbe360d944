// The library's collections that the visitor may see. The hall lists them in pages.

import { collections } from './library';
import type { GameCollection } from './wire';

export class Collections {
  all = $state.raw<GameCollection[]>([]);
  /** True if the hall has more pages. */
  more = $state(false);
  #pages = 0;

  /** Loads the next page. */
  async next(): Promise<void> {
    const { sets, more } = await collections(this.#pages);
    this.#pages += 1;
    // A collection that moved to another page meanwhile comes twice.
    const known = new Set(this.all.map((c) => c.key));
    this.all = [...this.all, ...sets.filter((c) => !known.has(c.key))];
    this.more = more;
  }

  /** Loads all pages that were loaded so far again. */
  async again(): Promise<void> {
    const pages = this.#pages;
    this.#pages = 0;
    this.all = [];
    do await this.next();
    while (this.more && this.#pages < pages);
  }
}
