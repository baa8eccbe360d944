// The page's lifecycle: closed, frozen or put aside for the back button, and shown again; and hidden or in sight,
// which is reported to the hall over each connection.

import type { ClientMessage } from './wire';

/**
 * Calls `gone` when the page goes, and `back` when it was kept and is shown again; returns a function that ends this.
 */
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

/** Reports to the hall over a connection when the page is hidden or in sight. */
export function tellSight(socket: WebSocket): void {
  const tell = (): void => {
    const message: ClientMessage = { t: 'hidden', hidden: document.hidden };
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };
  // Without a report the hall takes the page to be in sight.
  socket.addEventListener('open', () => document.hidden && tell());
  document.addEventListener('visibilitychange', tell);
  socket.addEventListener('close', () => document.removeEventListener('visibilitychange', tell));
}
