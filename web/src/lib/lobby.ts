// The tables that wait for a player, and the games to watch, from the hall's messages.

import type { ServerMessage, TableLine, Tables } from './wire';

export const NOBODY: Tables = { open: [], live: [] };

/** Returns the lobby after `message`. */
export function tell(known: Tables, message: ServerMessage): Tables {
  if (message.t === 'lobby') return { open: message.open, live: message.live };
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
  };
}
