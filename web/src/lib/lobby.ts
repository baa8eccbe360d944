// The tables that wait for a player, and the games to watch, from the hall's messages.

import type { PoolLine, ServerMessage, TableLine, Tables } from './wire';

/** The lobby: the tables, and who waits for any opponent. */
export type Lobby = Tables & { pools: PoolLine[] };

export const NOBODY: Lobby = { open: [], live: [], pools: [] };

/** Returns the lobby after `message`. */
export function tell(known: Lobby, message: ServerMessage): Lobby {
  if (message.t === 'lobby') return { open: message.open, live: message.live, pools: message.pools ?? [] };
  if (message.t !== 'lobby-change') return known;
  const away = new Set([...message.gone, ...message.put.map((line) => line.id)]);
  const isFull = (line: TableLine): boolean => line.seats.every((player) => player !== null);
  const merge = (lines: TableLine[], put: TableLine[]): TableLine[] =>
    [...lines.filter((line) => !away.has(line.id)), ...put].sort((a, b) => b.created_ms - a.created_ms);
  return {
    open: merge(
      known.open,
      message.put.filter((line) => !isFull(line)),
    ),
    live: merge(known.live, message.put.filter(isFull)),
    pools: message.pools ?? known.pools,
  };
}
