// The place of the hall that is shown.

import { at, within } from './base';

export type Place =
  | { at: 'hall' }
  /** A table, or the analysis of its game. */
  | { at: 'table'; id: string; analysis?: true }
  /** The page of all games. */
  | { at: 'games' }
  /** The page of a game, by one of the words that lead to it. */
  | { at: 'game'; word: string }
  | { at: 'learn' }
  | { at: 'watch' }
  | { at: 'make' }
  | { at: 'rules'; family: string }
  | { at: 'room'; name: string }
  | { at: 'maps'; id: string }
  | { at: 'workshop'; id: string }
  | { at: 'profile'; name: string }
  | { at: 'inbox' }
  /** The library, or one of its games. */
  | { at: 'library'; id: string }
  /** Puzzles, or one of them. */
  | { at: 'puzzles'; id: string }
  /** Studies, a new one (`new`), or one of them. */
  | { at: 'studies'; id: string }
  /** People and challenges, or the moderators' reports (`moderation`). */
  | { at: 'people'; id: string }
  /** Signing in (`sign-in`), or one's account. */
  | { at: 'account'; id: string }
  | { at: 'nowhere' };

export function placeOf(path: string): Place {
  const [first = '', second = '', third = '', ...rest] = path.split('/').filter(Boolean).map(decode);
  if (rest.length > 0) return { at: 'nowhere' };
  if (third !== '') return first === 't' && third === 'analysis' ? { at: 'table', id: second, analysis: true } : { at: 'nowhere' };
  if (first === '') return { at: 'hall' };
  if (/^(maps|workshop|account|people|library|puzzles|studies)$/.test(first)) return { at: first, id: second } as Place;
  if (second === '') {
    if (/^(games|inbox|learn|make|watch)$/.test(first)) return { at: first } as Place;
    return /^(t|rules|room|@)$/.test(first) ? { at: 'nowhere' } : { at: 'game', word: first };
  }
  if (first === 't') return { at: 'table', id: second };
  if (first === 'rules') return { at: 'rules', family: second };
  if (first === '@') return { at: 'profile', name: second };
  if (first === 'room') return { at: 'room', name: second };
  return { at: 'nowhere' };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The place that is shown, and the query of its address, such as `?game=renju`. */
export const route: { place: Place; query: string } = $state({
  place: placeOf(within(globalThis.location?.pathname ?? '/')),
  query: globalThis.location?.search ?? '',
});

function take(to: { pathname: string; search: string }): void {
  const place = placeOf(within(to.pathname));
  // What reads the place is not told of a change that is none.
  if (JSON.stringify(place) !== JSON.stringify(route.place)) route.place = place;
  route.query = to.search;
}

/** Goes to a place of the hall, such as `/t/abc`; the path that the hall stands under is added. */
export function go(path: string, replace = false): void {
  const to = new URL(at(path), location.href);
  if (to.href !== location.href) history[replace ? 'replaceState' : 'pushState'](null, '', to);
  take(to);
  const part = document.getElementById(to.hash.slice(1));
  if (part) part.scrollIntoView();
  else scrollTo(0, 0);
}

/** Follows the back button, and plain clicks on links to the hall's own places. */
export function follow(): void {
  addEventListener('popstate', () => take(location));
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    // Paths above the hall on its host belong to other sites.
    if (!link.pathname.startsWith(at('/'))) return;
    event.preventDefault();
    go(within(link.pathname) + link.search + link.hash);
  });
}
