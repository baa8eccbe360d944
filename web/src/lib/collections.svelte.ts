// The collections of the library that one may see. The hall tells them a page at a time.

import { collections } from './library';
import type { GameCollection } from './wire';

export class Collections {
  all = $state.raw<GameCollection[]>([]);
  /** The hall has more of them. */
  more = $state(false);
  #pages = 0;

  /** Asks for the next page. */
  async next(): Promise<void> {
    const { sets, more } = await collections(this.#pages);
    this.#pages += 1;
    // What has moved from page to page meanwhile comes twice.
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
