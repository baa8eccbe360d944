// The places of the page, each loaded on the first visit to it.

import type { Place } from './router.svelte';

export const places = {
  hall: () => import('../ui/Hall.svelte'),
  table: () => import('../ui/TablePage.svelte'),
  games: () => import('../ui/GamesPage.svelte'),
  game: () => import('../ui/GamePage.svelte'),
  learn: () => import('../ui/LearnPage.svelte'),
  watch: () => import('../ui/WatchPage.svelte'),
  make: () => import('../ui/MakePage.svelte'),
  rules: () => import('../ui/Rules.svelte'),
  room: () => import('../ui/RoomPage.svelte'),
  maps: () => import('../ui/MapsPage.svelte'),
  account: () => import('../ui/Account.svelte'),
  workshop: () => import('../ui/Workshop.svelte'),
  profile: () => import('../ui/Profile.svelte'),
  inbox: () => import('../ui/Inbox.svelte'),
  library: () => import('../ui/LibraryPage.svelte'),
  puzzles: () => import('../ui/PuzzlesPage.svelte'),
  studies: () => import('../ui/StudiesPage.svelte'),
  people: () => import('../ui/People.svelte'),
};

/** Starts to load a place before it is drawn. */
export function fetchPlace({ at }: Place): void {
  if (at !== 'nowhere') places[at]().catch(() => undefined);
}
