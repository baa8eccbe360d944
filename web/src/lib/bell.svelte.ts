// The bell: what waits for one elsewhere. What it does when it rings comes with the first ring.

import type { ServerMessage } from './wire';

/** Somebody who has answered. */
export interface Answer {
  /** The table at which the game begins; none where the challenge was declined. */
  table?: string;
  who?: string | null;
  reason?: string;
}

interface Bell {
  /** What waits: challenges, and turns in slow games. */
  waits: number;
  /** How often it has rung: whoever shows what waits asks again. */
  rings: number;
  answers: Answer[];
  /** Whether one plays here just now: nobody is taken away from a game. */
  plays: () => boolean;
}

export const bell: Bell = $state({ waits: 0, rings: 0, answers: [], plays: () => false });

export function hear(m: ServerMessage): void {
  void import('./here').then(({ ring }) => ring(m));
}
