// The page's state after a hall's messages is that of the hall's own client: the cases are random games that
// `cargo test -p table` writes. Red when a field of an event or of a patch is forgotten here.

import { expect, test } from 'vitest';
import { NOTHING, store } from '../src/lib/known';
import type { ServerMessage } from '../src/lib/wire';
import cases from './told.json';

/** Removes empty lists, which mean the same as absent fields, as on the wire. */
const plain = (known: unknown): unknown =>
  JSON.parse(JSON.stringify(known, (_, value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value)));

test.each(cases.map((one) => [one.game, one] as const))('%s', (_, one) => {
  const told = one.told as unknown as ServerMessage[];
  expect(told.length).toBeGreaterThan(10);
  expect(plain(told.reduce(store, NOTHING))).toEqual(plain(one.known));
});
