// The notations that moves can be read in. The hall names a move in each; traditional characters are made here.

import { settings } from './settings.svelte';

/** The traditional characters for the simplified ones of a move text. */
const TRADITIONAL: Record<string, string> = { 车: '車', 马: '馬', 帅: '帥', 将: '將', 进: '進', 后: '後' };

export function traditional(text: string): string {
  return [...text].map((c) => TRADITIONAL[c] ?? c).join('');
}

/** The notation that also exists in traditional characters. */
const SIMPLE = 'chinese';
const TRADITIONAL_KEY = 'chinese-traditional';

/**
 * Returns the notations to choose from, given those of the hall: the messages `notation-<key>`. Simplified Chinese
 * adds traditional Chinese.
 */
export function notationsOf(told: string[]): string[] {
  return told.flatMap((key) => (key === SIMPLE ? [SIMPLE, TRADITIONAL_KEY] : [key]));
}

export function chosenNotation(family: string, choices: string[]): string | null {
  const wish = settings.notation[family];
  if (wish !== undefined && choices.includes(wish)) return wish;
  // An English page uses the letters of the federation (WXF), as its readers may not read Chinese.
  const usual = settings.lang === 'en' ? 'wxf' : settings.faces === 'traditional' ? TRADITIONAL_KEY : SIMPLE;
  return choices.includes(usual) ? usual : (choices[0] ?? null);
}

/** Returns the name of a move in `notation`; `names` are in the notations `told` by the hall. */
export function readAs(notation: string | null, told: string[], names: string[]): string | null {
  if (notation === null) return null;
  const key = notation === TRADITIONAL_KEY ? SIMPLE : notation;
  const name = names[told.indexOf(key)];
  if (name === undefined) return null;
  return notation === TRADITIONAL_KEY ? traditional(name) : name;
}
