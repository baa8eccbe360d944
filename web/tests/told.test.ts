// What the page knows after a hall's messages is what the hall's own client knows: the cases are random games that
// `cargo test -p table` writes. Red when a field of an event or of a patch is forgotten here.

import { expect, test } from 'vitest';
import { NOTHING, store } from '../src/lib/known';
import type { ServerMessage } from '../src/lib/wire';
import cases from './told.json';

/** An absent field and an empty list are the same, as on the wire. */
const plain = (known: unknown): unknown =>
  JSON.parse(JSON.stringify(known, (_, value: unknown) => (Array.isArray(value) && value.length === 0 ? undefined : value)));

test.each(cases.map((one) => [one.game, one] as const))('%s', (_, one) => {
  const told = one.told as unknown as ServerMessage[];
  expect(told.length).toBeGreaterThan(10);
  expect(plain(told.reduce(store, NOTHING))).toEqual(plain(one.known));
});
