// When a page goes: closed, frozen, or put aside for the back button; and when it comes back. And when it is out of sight, which
// the hall is told over each connection.

import type { ClientMessage } from './wire';

/** Calls `gone` when the page goes, and `back` when it was kept and is shown again; returns what ends it. */
export function onAway(gone: () => void, back: () => void): () => void {
  const shown = (event: PageTransitionEvent): void => {
    if (event.persisted) back();
  };
  addEventListener('pagehide', gone);
  addEventListener('pageshow', shown);
  document.addEventListener('freeze', gone);
  document.addEventListener('resume', back);
  return () => {
    removeEventListener('pagehide', gone);
    removeEventListener('pageshow', shown);
    document.removeEventListener('freeze', gone);
    document.removeEventListener('resume', back);
  };
}

/** Tells over a connection of the page whether the page is in sight. */
export function tellSight(socket: WebSocket): void {
  const tell = (): void => {
    const message: ClientMessage = { t: 'hidden', hidden: document.hidden };
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  // Until it is told, a page is seen.
  socket.addEventListener('open', () => document.hidden && tell());
  document.addEventListener('visibilitychange', tell);
  socket.addEventListener('close', () => document.removeEventListener('visibilitychange', tell));
}
