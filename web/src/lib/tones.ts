// The colours of sides. Sides are an order of moving; the colour of one is in its name.

import { seat } from './clock';
import type { Side } from './wire';

export type Tone = 'dark' | 'light' | 'red' | 'blue' | 'nobody';

const tones: Record<string, Tone> = { black: 'dark', white: 'light', red: 'red', blue: 'blue' };

/** Returns the name of a side. After a swap in an opening the players have each other's colours. */
export function nameOfSide(sides: [string, string], side: Side, swapped: boolean): string {
  return sides[swapped ? 1 - seat(side) : seat(side)] ?? '';
}

export function toneOf(sides: [string, string], side: Side | null, swapped = false): Tone {
  if (side === null) return 'nobody';
  return tones[nameOfSide(sides, side, swapped)] ?? ((side === 'first') !== swapped ? 'dark' : 'light');
}
