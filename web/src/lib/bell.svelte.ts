// The bell: challenges and turns that wait for the visitor elsewhere. The code for its events is loaded with the
// first one.

import type { ChallengeLine, ServerMessage } from './wire';

/** An answer to a challenge that this visitor sent. */
export interface Answer {
  /** The table at which the game begins; none where the challenge was declined. */
  table?: string;
  who?: string | null;
  reason?: string;
}

interface Bell {
  /** The number of challenges received and of slow games in which it is the visitor's turn. */
  waits: number;
  /**
   * The number of events so far: the parts of the page that list challenges and turns load them again when it grows.
   */
  rings: number;
  answers: Answer[];
  /** Returns true if the visitor is playing a game just now: the page does not leave it for another table by itself. */
  plays: () => boolean;
  /** Returns true if that game is against no other person: a person who was found may end it. */
  alone: () => boolean;
  /** A challenge that has just come, until it was answered or closed. */
  news: ChallengeLine | null;
}

export const bell: Bell = $state({ waits: 0, rings: 0, answers: [], plays: () => false, alone: () => true, news: null });

export function hear(m: ServerMessage): void {
  void import('./here').then(({ ring }) => ring(m));
}
