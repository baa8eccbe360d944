// The requests for challenges, following, blocking and reports. Loaded with the places that need them.

import { ask, Refused } from './api';
import { clockOf } from './clocks';
import { t } from './texts.svelte';
import type {
  Acquaintance,
  ChallengeLine,
  Challenges,
  ClockSpec,
  Created,
  Decide,
  DecisionLine,
  FairPlay,
  NewChallenge,
  NewReport,
  Relation,
  ReportLine,
} from './wire';

const part = encodeURIComponent;

/** Sends a request whose answer may have no content. */
async function act(path: string, method: string, body?: unknown): Promise<undefined> {
  try {
    await ask<unknown>(path, method, body);
  } catch (e) {
    // An answer without a body is not JSON.
    if (e instanceof Refused) throw e;
  }
}

export const challenges = (): Promise<Challenges> => ask('/api/challenges');
export const challenge = (who: string, wish: NewChallenge): Promise<ChallengeLine> => ask(`/api/challenge/${part(who)}`, 'POST', wish);
export const accept = (id: string): Promise<Created> => ask(`/api/challenge/${part(id)}/accept`, 'POST');
export const decline = (id: string, reason: string): Promise<undefined> => act(`/api/challenge/${part(id)}/decline`, 'POST', { reason });
export const cancel = (id: string): Promise<undefined> => act(`/api/challenge/${part(id)}/cancel`, 'POST');

export const acquaintances = (): Promise<Acquaintance[]> => ask('/api/relations');
export const relation = (who: string): Promise<Relation> => ask(`/api/relations/${part(who)}`);
export const relate = (who: string, what: Relation): Promise<Relation> => ask(`/api/relations/${part(who)}`, 'PUT', what);

export const report = (what: NewReport): Promise<{ n: number }> => ask('/api/reports', 'POST', what);
export const reports = (): Promise<ReportLine[]> => ask('/api/moderation/reports');
export const fairPlay = (who: string): Promise<FairPlay> => ask(`/api/moderation/play/${encodeURIComponent(who)}`, 'POST', {});
export const decide = (n: number, what: Decide): Promise<undefined> => act(`/api/moderation/reports/${n}`, 'POST', what);
export const decisions = (): Promise<DecisionLine[]> => ask('/api/account/decisions');
export const appeal = (n: number, words: string): Promise<undefined> => act(`/api/account/decisions/${n}/appeal`, 'POST', { words });

/** The reasons for declining, as the hall knows them. */
export const REASONS = ['generic', 'later', 'too-fast', 'too-slow', 'time-control', 'rated', 'casual', 'game', 'no-bots'];
export const PHRASES = [
  'hello',
  'good-luck',
  'have-fun',
  'your-turn',
  'well-played',
  'good-game',
  'thanks',
  'sorry',
  'wow',
  'oops',
  'one-moment',
  'take-your-time',
  'rematch',
  'no-thanks',
  'must-go',
  'bye',
];

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The clocks that a challenge may have. */
export const CLOCKS: ClockSpec[] = [
  { kind: 'fischer', base_ms: 3 * MINUTE, increment_ms: 2000 },
  { kind: 'fischer', base_ms: 5 * MINUTE, increment_ms: 3000 },
  { kind: 'fischer', base_ms: 10 * MINUTE, increment_ms: 5000 },
  { kind: 'fischer', base_ms: 30 * MINUTE, increment_ms: 20_000 },
  { kind: 'per-move', turn_ms: DAY },
  { kind: 'per-move', turn_ms: 3 * DAY },
  { kind: 'none' },
];

export const gameName = (key: string): string => t(`game-${key.replace('/', '-')}`);
export const nameOf = (player: { name: string | null }): string => player.name ?? t('guest');
export const lineOf = (c: ChallengeLine, who: { name: string | null }): string =>
  t('challenge-line', { who: nameOf(who), game: c.map?.name ?? gameName(c.game), clock: clockOf(c.clock) }) +
  (c.rated ? ` · ${t('challenge-is-rated')}` : '');
