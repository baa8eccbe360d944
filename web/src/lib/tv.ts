// Which game is on television, one of each family after the other, and how it is followed: as any table, without a voice.

import { PROTOCOL } from './connection';
import { NOTHING, order, store, type Known } from './known';
import type { ServerMessage, TableLine } from './wire';

/** The line after `id`, around the end; the first where `id` is not among them any more. `null`: nothing is on. */
export function after(lines: TableLine[], id: string | null): TableLine | null {
  const at = lines.findIndex((line) => line.id === id);
  return lines[(at + 1) % lines.length] ?? null;
}

/** A connection that was lost is tried again after this long. */
const AGAIN_MS = 4000;

/** Tells what is known about a table whenever that changes, until the answer is called. */
export function follow(id: string, tell: (known: Known) => void): () => void {
  let known = NOTHING;
  let left = false;
  let timer = 0;
  let socket: WebSocket | null = null;
  const connect = (): void => {
    const url = new URL(`/ws?table=${encodeURIComponent(id)}`, location.href);
    url.protocol = url.protocol.replace('http', 'ws');
    socket = new WebSocket(url, PROTOCOL);
    socket.onmessage = (event) => {
      const message = JSON.parse(String(event.data)) as ServerMessage;
      // Something was missed: everything is told anew to whoever connects.
      if (message.t === 'ev' && order(known.ver, message.v) === 'gap') return socket?.close();
      const next = store(known, message);
      if (next !== known) tell((known = next));
    };
    socket.onclose = () => {
      known = NOTHING;
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
