// Options of a game in an address: parsed as they are written, and other text is left out.

import { expect, test } from 'vitest';
import { optionsOf, optionsText } from '../src/lib/library';

test('what was written is read', () => {
  const all: Record<string, number>[] = [{}, { size: 15 }, { size: 15, ranks: 13, 'old-names': 1, least: -2 }];
  for (const options of all) expect(optionsOf(optionsText(options))).toEqual(options);
});

test('what is no option is left out', () => {
  for (const text of ['{}', 'size', '=3', 'size=', 'size=1e9', 'size=99999999999', '<b>', ',,,']) expect(optionsOf(text)).toEqual({});
  expect(optionsOf('size=3=4,ranks=5')).toEqual({ size: 3, ranks: 5 });
});
