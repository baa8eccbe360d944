// The visitor's preferences, stored in the browser without an account.

import type { FaceSet } from './paint';
import type { Opponent } from './wire';

export type Language = 'en' | 'zh';
export type Theme = 'system' | 'light' | 'dark' | 'contrast';

export interface Choice {
  lang: Language;
  theme: Theme;
  sound: boolean;
  coordinates: boolean;
  numbers: boolean;
  /** True if pieces of maps show the directions they may turn to. */
  directions: boolean;
  /** True if the cells that a chosen piece may go to are shown. */
  targets: boolean;
  /** The moves that wait for a second touch; `auto`: all moves where fingers are wider than cells. */
  confirm: 'auto' | 'always' | 'never';
  motion: boolean;
  /** True if moves may be chosen while the other side thinks (premoves), in games with a clock. */
  premoves: boolean;
  /** True if the other player may offer a draw, a takeback or an exchange of sides. */
  offers: boolean;
  /** True if single letters lead through the hall: `g` and a letter, `/`, `n`, `?`. */
  letters: boolean;
  /** The faces of pieces that have characters on them. */
  faces: FaceSet;
  /** The notation that moves are read in, by family. */
  notation: Record<string, string>;
  /** The game of a family that was played last, by family. */
  variant: Record<string, string>;
  /** The way the last table was opened. */
  how: 'screen' | 'engine' | 'now' | 'invite' | 'open' | 'room';
  /** The program that was played against last. */
  opponent: Opponent;
  /** The word of the game that was chosen last on the home, and the time that was looked for last. */
  front: string;
  time: string;
  clock: 'none' | 'fischer' | 'byo-yomi' | 'per-move' | 'days';
}

const KEY = 'qiguan';

const reads = globalThis.navigator?.language ?? '';
const usual: Choice = {
  lang: /^zh/i.test(reads) ? 'zh' : 'en',
  theme: 'system',
  sound: true,
  coordinates: true,
  numbers: false,
  directions: true,
  targets: true,
  confirm: 'auto',
  motion: true,
  premoves: true,
  offers: true,
  letters: true,
  // Who reads no Chinese sees pictures until they choose the characters.
  faces: /^zh-(CN|SG|Hans)|^zh$/i.test(reads) ? 'simplified' : /^zh/i.test(reads) ? 'traditional' : 'pictures',
  notation: {},
  variant: {},
  how: 'screen',
  opponent: { level: 3 },
  front: '',
  time: '',
  clock: 'none',
};

function kept(): Partial<Choice> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Choice>;
  } catch {
    return {};
  }
}

export const settings: Choice = $state({ ...usual, ...kept() });

export function choose<K extends keyof Choice>(key: K, value: Choice[K]): void {
  settings[key] = value;
  try {
    // Settings chosen in another tab since this page was loaded are kept.
    localStorage.setItem(KEY, JSON.stringify({ ...settings, ...kept(), [key]: value }));
  } catch {
    // Without storage the page still works.
  }
  dress();
}

/** Returns true if animations are off, by the setting or by the system's wish for reduced motion. */
export const still = (): boolean => !settings.motion || matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Applies language, theme and motion to the document. */
export function dress(): void {
  const root = document.documentElement;
  const theme =
    settings.theme !== 'system'
      ? settings.theme
      : matchMedia('(prefers-contrast: more)').matches
        ? 'contrast'
        : matchMedia('(prefers-color-scheme: dark)').matches
          ? 'dark'
          : 'light';
  root.lang = settings.lang;
  root.dataset['theme'] = theme;
  root.dataset['motion'] = settings.motion ? 'on' : 'off';
  const bar = getComputedStyle(root).getPropertyValue('--ground').trim();
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bar);
}

export function dressAlways(): void {
  dress();
  for (const query of ['(prefers-color-scheme: dark)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', dress);
  }
}
