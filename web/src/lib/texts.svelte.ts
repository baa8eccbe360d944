// The texts, in the chosen language. The files are shared with the terminal.

import { FluentBundle, FluentNumber, FluentResource, type FluentVariable } from '@fluent/bundle';
import urls, { type Part } from 'virtual:texts';
import { patiently } from './patience.svelte';
import { choose, settings, type Language } from './settings.svelte';

interface Sentences {
  bundle: FluentBundle;
  keys: string[];
}

let known = $state.raw<Partial<Record<Language, Sentences>>>({});
/** The parts of the texts that were asked for; and the files that are loaded. */
const wanted: Part[] = ['house'];
const here = new Set<string>();

export function read(lang: Language, text: string): Sentences {
  // Isolation marks would be visible as boxes in titles and copied text.
  const bundle = new FluentBundle(lang, { useIsolating: false });
  bundle.addResource(new FluentResource(text));
  return { bundle, keys: [...text.matchAll(/^([a-z][\w-]*) *=/gm)].map((m) => m[1] ?? '') };
}

/** Loads the wanted parts that are missing; throws, after the others are loaded, if some failed. */
export async function learn(lang: Language): Promise<void> {
  let missed: unknown = null;
  for (const part of wanted) {
    const url = urls[lang][part];
    if (here.has(url)) continue;
    try {
      const answer = await patiently(url);
      if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
      add(lang, await answer.text());
      here.add(url);
    } catch (e) {
      missed = e;
    }
  }
  if (missed !== null) throw missed;
}

function add(lang: Language, text: string): void {
  const [before, now] = [known[lang], read(lang, text)];
  before?.bundle.addResource(new FluentResource(text));
  known = { ...known, [lang]: before ? { bundle: before.bundle, keys: [...before.keys, ...now.keys] } : now };
}

/** Loads the texts of a part of the page that few visitors open. */
export async function learnPart(part: Part): Promise<void> {
  if (!wanted.includes(part)) wanted.push(part);
  await learn(settings.lang);
}

/** Loads the rarely needed messages if the one of this refusal is among them. */
export async function learnWhy(key: string): Promise<void> {
  const sentences = known[settings.lang]?.bundle;
  if (sentences && !sentences.hasMessage(`problem-${key}`)) await learnPart('rare').catch(() => undefined);
}

/** Switches to `lang` once its texts are loaded. */
export async function speak(lang: Language): Promise<void> {
  // Without the hall and never loaded before: the old language is better than none.
  await learn(lang).catch(() => undefined);
  if (known[lang]) choose('lang', lang);
}

export type Args = Record<string, FluentVariable>;

/** Converts arguments that are numbers, which choose between singular and plural, from text. */
function counted(args: Args | undefined): Args | undefined {
  if (!args) return args;
  const value = (v: FluentVariable): FluentVariable =>
    typeof v === 'string' && /^-?\d{1,9}$/.test(v) && String(Number(v)) === v ? new FluentNumber(Number(v), { useGrouping: false }) : v;
  return Object.fromEntries(Object.entries(args).map(([k, v]) => [k, value(v)]));
}

/** Returns the text of `key`; the key itself where there is none. */
export function t(key: string, args?: Args): string {
  const bundle = known[settings.lang]?.bundle;
  const message = bundle?.getMessage(key);
  if (!message && key.startsWith('problem-')) void learnWhy(key.slice('problem-'.length));
  return bundle && message?.value ? bundle.formatPattern(message.value, counted(args), []) : key;
}

/** Returns the text of the first of the keys that has one; `null` where none has. */
export function tAny(keys: string[], args?: Args): string | null {
  const key = keys.find((k) => known[settings.lang]?.bundle.hasMessage(k));
  return key === undefined ? null : t(key, args);
}

/** Returns the keys that begin with `prefix`, in the order of the file. */
export function keysWith(prefix: string): string[] {
  return (known[settings.lang]?.keys ?? []).filter((k) => k === prefix || k.startsWith(`${prefix}-`));
}
