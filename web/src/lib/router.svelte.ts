// The place of the hall that is shown.

import { at, within } from './base';

export type Place =
  | { at: 'hall' }
  | { at: 'table'; id: string }
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
  const [first = '', second = '', ...rest] = path.split('/').filter(Boolean).map(decode);
  if (rest.length > 0) return { at: 'nowhere' };
  if (first === '') return { at: 'hall' };
  if (/^(maps|workshop|account|people|library|puzzles|studies)$/.test(first)) return { at: first, id: second } as Place;
  if (second === '') return { at: first === 'inbox' ? first : 'nowhere' };
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

export const route: { place: Place } = $state({ place: placeOf(within(globalThis.location?.pathname ?? '/')) });

/** Goes to a place of the hall, such as `/t/abc`; the path that the hall stands under is added. */
export function go(path: string, replace = false): void {
  const to = new URL(at(path), location.href);
  if (to.href !== location.href) history[replace ? 'replaceState' : 'pushState'](null, '', to);
  route.place = placeOf(within(to.pathname));
  const part = document.getElementById(to.hash.slice(1));
  if (part) part.scrollIntoView();
  else scrollTo(0, 0);
}

/** Follows the back button, and plain clicks on links to the hall's own places. */
export function follow(): void {
  addEventListener('popstate', () => {
    route.place = placeOf(within(location.pathname));
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
    // Paths above the hall on its host belong to other sites.
    if (!link.pathname.startsWith(at('/'))) return;
    event.preventDefault();
    go(within(link.pathname) + link.hash);
  });
}
