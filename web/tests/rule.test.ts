// Move rules of maps, parsed and written again.

import { expect, test } from 'vitest';
import { fit } from '../src/lib/fit';
import { bits, covers, integer, readPlaces, readRule, ruleText, squaresOf, toggled } from '../src/lib/rule';

test.each([
  ['2,4(X[1|2]);7', '2,4(X[1|2]);7'],
  ['1(Y[4|5|6]),3(Y[2|3|4]),4(Y[7]),5(Y[1]);2', '1(Y[4|5|6]),3(Y[2|3|4]),4(Y[7]),5(Y[1]);2'],
  [';', ';'],
  [' 2 ,,+7;;3,-4(关联[-1])', '2,7;;3,-4(关联[-1])'],
  ['2(),７;８(P[1|2|-1|-2]&D[3|1|2])', '2(),7;8(P[1|2|-1|-2]&D[3|1|2])'],
])('%s is read and written', (text, written) => {
  const rule = readRule(text);
  expect(rule).not.toBeNull();
  expect(ruleText(rule ?? [])).toBe(written);
});

test.each(['', '2', '9;', 'x;', '2(;', '2(X);', '2(X[]);', '2(X[a]);', '2(X[1])x;', '0;', '1_0;;'])('“%s” is no rule', (text) => {
  expect(readRule(text)).toBeNull();
});

test('numbers and places', () => {
  expect(['１２', ' -3 ', '+4', '', '1.5', '1_0'].map(integer)).toEqual([12, -3, 4, null, null, null]);
  expect(readPlaces('')).toEqual([]);
  expect(readPlaces('X[1]&&NP[2|3]')).toEqual([
    { name: 'X', args: [1] },
    { name: 'NP', args: [2, 3] },
  ]);
  expect(readPlaces('X[1')).toBeNull();
});

test('a direction is drawn and wiped out', () => {
  const rule = readRule('2,7(X[1]),7;') ?? [];
  expect(ruleText(toggled(rule, 0, 4))).toBe('2,4,7(X[1]),7;');
  expect(ruleText(toggled(rule, 0, 7))).toBe('2;');
  expect(ruleText(toggled(rule, 1, 8))).toBe('2,7(X[1]),7;8');
  expect(bits(readRule('2,7(X[1]),8(X[1]),8;')?.[0])).toEqual({ always: 0b10000010, sometimes: 0b01000000 });
});

test('squares of a condition, counted from either end', () => {
  expect(squaresOf(readPlaces('X[-1]&P[1|2]') ?? [], 2, 3)).toEqual([1, 3, 4, 5]);
  expect(squaresOf(readPlaces('Y[0|1|9]') ?? [], 2, 3)).toEqual([0, 3]);
  expect(covers({ name: 'T', args: [1] }, 0, 0, 2, 3)).toBeNull();
});

test.each([
  ['兵', 1],
  ['18', 1],
  ['将军', 1],
  ['北方军团长', 2],
  ['123456789012345678', 3],
  ['Grand Admiral', 2],
  ['Guard', 1],
  ['Soldier', 1],
  ['', 1],
])('%s fits a tile in %i lines', (name, lines) => {
  const fitted = fit(name);
  expect(fitted.lines.length).toBe(lines);
  expect(fitted.lines.join('').replaceAll(' ', '')).toBe(name.replaceAll(' ', ''));
  expect(fitted.size).toBeGreaterThan(9);
});
