// One-screen tables that are opened from another: the same game from its start, or these pieces with the other side to move.

import * as api from './api';
import { go } from './router.svelte';
import { other, type Table } from './table.svelte';
import type { CreateTable, Side, Standing } from './wire';

/** Returns the request that creates a table like this one, on one screen; `fen` is its start position. */
function wish(table: Table, fen: string | undefined): CreateTable | null {
  const info = table.info;
  if (!info) return null;
  const start = fen === undefined ? {} : { fen };
  const rules = info.map ? { map: info.map.id } : { options: info.options };
  return { game: info.game, ...rules, ...start, how: 'screen', clock: info.clock };
}

async function open(table: Table, fen: string | undefined): Promise<string | null> {
  const made = wish(table, fen);
  return made && (await api.create(made)).id;
}

/** Goes to the table that `what` creates, and shows an error of the hall at the present table. */
async function tried(table: Table, what: () => Promise<string | null>): Promise<void> {
  try {
    const id = await what();
    if (id !== null) go(`/t/${id}`);
  } catch (e) {
    table.problem = e instanceof api.Refused ? e.why : { key: 'page-error', args: {} };
  }
}

/** Opens the same game from its start. */
export const again = (table: Table): Promise<void> => tried(table, () => open(table, table.info?.fen ?? undefined));

async function exchanged(table: Table, turn: Side): Promise<string | null> {
  const { info, view } = table;
  if (!info || !view) return null;
  const asked = { game: info.game, options: info.options, pieces: view.pieces, turn };
  const made = await api.ask<Standing>('/api/positions', 'POST', asked);
  return open(table, made.fen);
}

/** Opens a table with the same pieces and the other side to move. */
export const exchange = (table: Table): Promise<void> =>
  tried(table, () => (table.view ? exchanged(table, other(table.view.turn)) : Promise.resolve(null)));

/** Opens a table where the side of the touched piece begins; the piece stays chosen. */
export const begin = (table: Table, side: Side, cell: number): Promise<void> =>
  tried(table, async () => {
    const id = await exchanged(table, side);
    if (id !== null) table.carries(id, cell);
    return id;
  });
