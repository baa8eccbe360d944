// A touch means the same on the page as in the terminal: the cases are touches on random positions that
// `cargo test -p tui` writes. Red when one of the two walks goes another way.

import { expect, test } from 'vitest';
import { walk, type Step } from '../src/lib/walk';
import type { Board, View } from '../src/lib/wire';
import cases from './touches.json';

/** Returns the step as text: a move's text, `1,2` for a way so far, `?1,2` for a fork, or nothing. */
function said(step: Step): string {
  if (step.is === 'move') return step.move.text;
  if (step.is === 'nothing') return '-';
  return (step.is === 'fork' ? '?' : '') + step.path.join(',');
}

test.each(cases.map((one) => [`${one.game} after ${one.ply} plies`, one] as const))('%s', (_, one) => {
  const [view, board] = [one.view as unknown as View, one.board as unknown as Board];
  for (const [path, cell, wanted] of one.touched as [number[], number, string][]) {
    expect(said(walk(view, board, path, cell)), `${cell} after ${path.join()}`).toBe(wanted);
  }
});
