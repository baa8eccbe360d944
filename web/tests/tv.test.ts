// Would catch: a programme that stops at its end, or hangs on a game that is gone.

import { expect, test } from 'vitest';
import { after } from '../src/lib/tv';
import type { TableLine } from '../src/lib/wire';

const line = (id: string): TableLine => ({ id }) as TableLine;

test('one after the other, and again from the beginning', () => {
  const lines = [line('a'), line('b')];
  expect(after(lines, null)?.id).toBe('a');
  expect(after(lines, 'a')?.id).toBe('b');
  expect(after(lines, 'b')?.id).toBe('a');
  expect(after(lines, 'gone')?.id).toBe('a');
  expect(after([], 'a')).toBeNull();
});
