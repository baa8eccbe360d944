// Clocks in a few words, as lists show them: `5+3`, `20+3×30`, "3 days a move".

import { t } from './texts.svelte';
import type { ClockSpec } from './wire';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** Returns the clock that `5+3`, `20+3x30` or `3d` is short for. */
export function clockFrom(short: string): ClockSpec {
  const [, days] = /^(\d+)d$/.exec(short) ?? [];
  if (days) return { kind: 'per-move', turn_ms: Number(days) * DAY_MS };
  const [base = '', more = ''] = short.split('+');
  const [count = '', period] = more.split('x');
  const base_ms = Number(base) * MINUTE_MS;
  if (period) return { kind: 'byo-yomi', base_ms, periods: Number(count), period_ms: Number(period) * 1000 };
  return { kind: 'fischer', base_ms, increment_ms: Number(count) * 1000 };
}

/** The number of moves of each side that a game counts as when its clock is called quick or slow. */
const MOVES = 40;

/** Returns the kind of a clock: the message `tile-<kind>`. */
export function kindOf(c: ClockSpec): 'bullet' | 'blitz' | 'rapid' | 'long' | 'byo-yomi' | 'days' | 'none' {
  if (c.kind === 'none') return 'none';
  if (c.kind === 'per-move') return 'days';
  if (c.kind === 'byo-yomi') return 'byo-yomi';
  const minutes = (c.base_ms + MOVES * c.increment_ms) / MINUTE_MS;
  return minutes < 3 ? 'bullet' : minutes < 8.5 ? 'blitz' : minutes < 30 ? 'rapid' : 'long';
}

export function clockOf(c: ClockSpec): string {
  switch (c.kind) {
    case 'none':
      return t('clock-none');
    case 'fischer':
      return `${c.base_ms / MINUTE_MS}+${c.increment_ms / 1000}`;
    case 'byo-yomi':
      return `${c.base_ms / MINUTE_MS}+${c.periods}×${c.period_ms / 1000}`;
    case 'per-move':
      return c.turn_ms >= DAY_MS
        ? t(c.weekend_pause ? 'clock-weekdays-short' : 'clock-days-short', { days: c.turn_ms / DAY_MS })
        : t('clock-per-move-short', { seconds: c.turn_ms / 1000 });
  }
}
