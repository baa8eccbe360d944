// Thinking time on the screen. The hall keeps the clocks; here they are only carried on between its messages.

import type { ClockFace, ClockSpec, Side } from './wire';

export interface Reading {
  ms: number;
  /** The byo-yomi periods left, the running one included; `null` in other kinds of clock. */
  periods: number | null;
  byo: boolean;
  runs: boolean;
}

export function seat(side: Side): 0 | 1 {
  return side === 'first' ? 0 : 1;
}

/** Returns the reading of the clock of `side` `elapsed_ms` after the hall sent `face`. */
export function read(spec: ClockSpec, face: ClockFace, side: Side, elapsed_ms: number): Reading {
  const i = seat(side);
  const runs = face.run === side;
  let ms = face.ms[i] - (runs ? elapsed_ms : 0);
  if (spec.kind !== 'byo-yomi') return { ms: Math.max(0, ms), periods: null, byo: false, runs };
  let periods = face.periods?.[i] ?? spec.periods;
  let byo = face.byo?.[i] ?? false;
  if (ms <= 0 && !byo && periods > 0) {
    byo = true;
    ms += spec.period_ms;
  }
  while (ms <= 0 && periods > 1) {
    periods -= 1;
    ms += spec.period_ms;
  }
  return { ms: Math.max(0, ms), periods, byo, runs };
}

const DAY_MS = 864e5;

/**
 * Returns the part of the last `elapsed_ms` before `now_ms`, a Unix time, that counts against the clock: weekends do
 * not where the table pauses on them.
 */
export function counted(spec: ClockSpec, elapsed_ms: number, now_ms: number): number {
  if (spec.kind !== 'per-move' || !spec.weekend_pause) return elapsed_ms;
  // 1 January 1970 was a Thursday: weeks are counted from the Monday before, and have five days.
  const worked = (at: number): number => {
    const since = at + 3 * DAY_MS;
    return Math.floor(since / (7 * DAY_MS)) * 5 * DAY_MS + Math.min(since % (7 * DAY_MS), 5 * DAY_MS);
  };
  return worked(now_ms) - worked(now_ms - elapsed_ms);
}

export type Urgency = 'calm' | 'amber' | 'red';

/** Returns the warning colour for the time left: amber under 20 seconds, red under 10. */
export function urgency(ms: number): Urgency {
  return ms < 10_000 ? 'red' : ms < 20_000 ? 'amber' : 'calm';
}

/** Formats a time: `1:02:03`, `12:34`, and with tenths below ten seconds `0:09.4`. */
export function clockText(ms: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  if (ms < 10_000) {
    const tenths = Math.floor(ms / 100);
    return `0:${two(Math.floor(tenths / 10))}.${tenths % 10}`;
  }
  // A clock shows the second that is still running, so 59.9 s is 1:00.
  const s = Math.ceil(ms / 1000);
  const [h, m] = [Math.floor(s / 3600), Math.floor(s / 60) % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}
