// Television: the choice of games, one of each family after the other, and the connection that follows one, without
// its chat.

import { socketOf } from './base';
import { PROTOCOL } from './connection';
import { apply } from './view';
import type { Board, Outcome, Player, ServerMessage, TableLine, View } from './wire';

/** The state of a table that a spectator from afar needs; all that a table's own page knows is in `known.ts`. */
export interface Seen {
  v: number;
  board: Board;
  seats: [Player | null, Player | null];
  view: View;
  plies: number;
  end: Outcome | null;
}

/**
 * Returns the state after `message`; `null` if an event was missed, so that the whole state must be requested again.
 */
export function seen(old: Seen | null, message: ServerMessage): Seen | null {
  if (message.t === 'full') {
    const { v, table, view, record, end } = message;
    return { v, board: table.board, seats: table.seats, view, plies: record.length, end };
  }
  if (message.t !== 'ev' || !old || message.v <= old.v) return old;
  if (message.v !== old.v + 1) return null;
  const { v, cut, ply, p, seats = old.seats, end = old.end } = message;
  return { ...old, v, seats, end, view: p ? apply(old.view, p) : old.view, plies: (cut ?? old.plies) + (ply ? 1 : 0) };
}

/** Returns the table after `id`, around the end; the first if `id` is no longer in the list. `null`: nothing is on. */
export function after(lines: TableLine[], id: string | null): TableLine | null {
  const at = lines.findIndex((line) => line.id === id);
  return lines[(at + 1) % lines.length] ?? null;
}

/** The delay before a lost connection is opened again, in milliseconds. */
const AGAIN_MS = 4000;

/** Calls `tell` with the state of a table whenever it changes, until the returned function is called. */
export function follow(id: string, tell: (now: Seen) => void): () => void {
  let left = false;
  let timer = 0;
  let socket: WebSocket | null = null;
  const connect = (): void => {
    let now: Seen | null = null;
    const url = socketOf(`/ws?table=${encodeURIComponent(id)}`);
    socket = new WebSocket(url, PROTOCOL);
    socket.onmessage = (event) => {
      const before = now;
      now = seen(before, JSON.parse(String(event.data)) as ServerMessage);
      if (before && !now) socket?.close();
      else if (now && now !== before) tell(now);
    };
    socket.onclose = () => {
      if (!left) timer = window.setTimeout(connect, AGAIN_MS);
    };
  };
  connect();
  return () => {
    left = true;
    clearTimeout(timer);
    socket?.close();
  };
}
