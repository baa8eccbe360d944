// When a page goes: closed, frozen, or put aside for the back button; and when it comes back.

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
