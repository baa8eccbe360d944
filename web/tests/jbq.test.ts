// Would catch names of level 2 that are offered at level 1, where an extension may keep anything under them, and names
// that pieces of level 2 do not have.

import { expect, test } from 'vitest';
import { namesOf } from '../src/lib/jbq';

test('each level has its own names', () => {
  const [first, second] = [namesOf(false), namesOf(true)];
  const has = ({ jbq, hooks, chess }: typeof first, name: string): boolean => [...jbq, ...hooks, ...chess].some((m) => m.name === name);
  for (const name of ['again', 'trying', 'choices', 'may_drop'])
    expect([name, has(first, name), has(second, name)]).toEqual([name, false, true]);
  for (const name of ['now_move', 'tran_con']) expect([name, has(first, name), has(second, name)]).toEqual([name, true, false]);
  expect(second.jbq.map((m) => m.name)).toEqual(expect.arrayContaining(first.jbq.map((m) => m.name)));
});
