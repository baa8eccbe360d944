// Slow games: the games that wait, plans, notes, and the vacation.

import { ask, request } from './api';
import { t } from './texts.svelte';
import type { Inbox, InboxGame, InboxNext, NewPlan, PlanBoard, PlanTold, VacationTold } from './wire';

const path = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;

export const inbox = (): Promise<Inbox> => ask('/api/inbox');
export const next = (but: string): Promise<InboxNext> => ask(`/api/inbox/next?but=${encodeURIComponent(but)}`);
export const vacation = (away: boolean): Promise<VacationTold> => ask('/api/vacation', away ? 'POST' : 'DELETE');
export const plan = (id: string): Promise<PlanTold> => ask(`${path(id)}/plan`);
export const setPlan = (id: string, plan: NewPlan): Promise<PlanTold> => ask(`${path(id)}/plan`, 'PUT', plan);
export const look = (id: string, moves: string[]): Promise<PlanBoard> => ask(`${path(id)}/plan/look`, 'POST', { moves });

/** Stores a note; the answer is empty. */
export async function note(id: string, text: string): Promise<void> {
  await request(`${path(id)}/note`, {
    method: 'PUT',
    body: JSON.stringify({ text }),
    headers: { 'content-type': 'application/json' },
  });
}

/** Shows the number of waiting games on the app's badge, in browsers that have one. */
export function badge(waiting: number): void {
  void navigator.setAppBadge?.(waiting).catch(() => undefined);
}

/** Returns the time that is left for a move, in words of the part `inbox`. */
export function timeLeft(game: InboxGame): string {
  if (game.held) return t('inbox-held');
  const { days, hours, minutes } = left(game.left_ms);
  return days > 0 ? t('inbox-days', { days, hours }) : hours > 0 ? t('inbox-hours', { hours }) : t('inbox-minutes', { minutes });
}

/** Splits a time into days and hours, rounded down, and in the last hour minutes. */
export function left(ms: number): { days: number; hours: number; minutes: number } {
  const minutes = Math.floor(Math.max(0, ms) / 60_000);
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}
