// The state of a table in a client: it stores the hall's messages and concludes nothing from them.

import { apply } from './view';
import type { ClockFace, Happened, Offer, Outcome, PlyInfo, ServerMessage, Side, TableInfo, View } from './wire';

export interface Known {
  /** The version; `null` before the first `full`. */
  readonly ver: number | null;
  /** The table's description: game, rules, clock and seats. */
  readonly info: TableInfo | null;
  /** The position on the board. */
  readonly view: View | null;
  readonly record: PlyInfo[];
  /** The open offers. */
  readonly offers: [Side, Offer][];
  readonly end: Outcome | null;
  /** The sides whose seats the visitor holds. */
  readonly you: Side[];
  /** The clocks as the hall sent them last. */
  readonly clk: ClockFace | null;
  /**
   * The time that was left for the first move of the side to move when the hall sent it, in milliseconds; `null` where
   * no such time runs.
   */
  readonly first: number | null;
  /** The presence of the first and the second player. */
  readonly here: [boolean, boolean];
  /** The number of spectators. */
  readonly watchers: number;
  /**
   * The milliseconds, from when the hall sent them, until the side that is not to move may claim the win; `null` where
   * it may not.
   */
  readonly claim: number | null;
}

export const NOTHING: Known = {
  ver: null,
  info: null,
  view: null,
  record: [],
  offers: [],
  end: null,
  you: [],
  clk: null,
  first: null,
  here: [false, false],
  watchers: 0,
  claim: null,
};

/**
 * Compares version `v` with the known version `ver`: known already, the next one, or one with others missing before
 * it.
 */
export function order(ver: number | null, v: number): 'old' | 'next' | 'gap' {
  if (ver === null) return 'gap';
  return v <= ver ? 'old' : v === ver + 1 ? 'next' : 'gap';
}

/**
 * Returns the state after `message`; `known` itself if nothing was to be stored, as for an event that is not the next
 * one.
 */
export function store(known: Known, message: ServerMessage): Known {
  switch (message.t) {
    case 'full': {
      const { v, table, view, record, clk, offers, end, you, here, watchers, first_ms } = message;
      return { ver: v, info: table, view, record, offers, end, you, clk, first: first_ms ?? null, here, watchers, claim: null };
    }
    case 'ev':
      return order(known.ver, message.v) === 'next' ? after(known, message) : known;
    case 'you':
      return { ...known, you: message.you };
    case 'here':
      return { ...known, here: message.here, watchers: message.watchers, claim: message.claim_ms ?? null };
    default:
      return known;
  }
}

function after(known: Known, { v, cut, ply, p, clk, seats, started, offers, no_offers, end, chance, next, first_ms }: Happened): Known {
  const left = cut === undefined ? known.record : known.record.slice(0, cut);
  const changes = seats !== undefined || started === true || chance !== undefined || next !== undefined || no_offers !== undefined;
  return {
    ...known,
    ver: v,
    record: ply ? [...left, ply] : left,
    view: known.view && p ? apply(known.view, p) : known.view,
    clk: clk ?? known.clk,
    first: first_ms === undefined ? known.first : first_ms,
    info:
      known.info && changes
        ? {
            ...known.info,
            ...(seats && { seats }),
            ...(started && { started }),
            ...(chance && { chance }),
            ...(no_offers && { no_offers }),
            ...(next !== undefined && { next }),
          }
        : known.info,
    offers: offers ?? known.offers,
    end: end === undefined ? known.end : end,
    claim: ply || end !== undefined ? null : known.claim,
  };
}
