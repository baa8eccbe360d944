// Clocks in a few words, as lists show them: `5+3`, `20+3×30`, "3 days a move".

import { t } from './texts.svelte';
import type { ClockSpec } from './wire';

const MINUTE_MS = 60_000;
export const DAY_MS = 24 * 60 * MINUTE_MS;

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
