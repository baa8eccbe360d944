// Evaluations in few signs.

import type { Worth } from './wire';

/** Formats an evaluation for the first player: `+0.4`, `−1.2`, `#4`, `−#4`. */
export function short(worth: Worth): string {
  const n = 'wins' in worth ? worth.wins : worth.hundredths;
  const text = 'wins' in worth ? `#${Math.abs(n)}` : (Math.abs(n) / 100).toFixed(Math.abs(n) >= 1000 ? 0 : 1);
  return text === '0.0' ? text : `${n > 0 ? '+' : '−'}${text}`;
}
