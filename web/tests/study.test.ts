// The evaluation of an analysis, as a bar and in few letters.

import { expect, test } from 'vitest';
import { share } from '../src/lib/study.svelte';
import { short } from '../src/lib/worth';
import type { Worth } from '../src/lib/wire';

test.each<[Worth, string]>([
  [{ hundredths: 0 }, '0.0'],
  [{ hundredths: -4 }, '0.0'],
  [{ hundredths: 35 }, '+0.3'],
  [{ hundredths: -120 }, '−1.2'],
  [{ hundredths: 1540 }, '+15'],
  [{ wins: 4 }, '+#4'],
  [{ wins: -1 }, '−#1'],
])('%j is written %s', (worth, text) => expect(short(worth)).toBe(text));

test('the bar is half full when nobody is better, and never says more than it knows', () => {
  expect(share({ hundredths: 0 })).toBe(0.5);
  expect(share({ hundredths: 250 })).toBeCloseTo(0.731, 3);
  expect(share({ hundredths: 250 }) + share({ hundredths: -250 })).toBeCloseTo(1);
  expect(share({ hundredths: 3000 })).toBeLessThan(1);
  expect([share({ wins: 9 }), share({ wins: -9 })]).toEqual([1, 0]);
});
