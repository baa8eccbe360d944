import { settings } from './settings.svelte';
import { tAny } from './texts.svelte';

/** Returns the name of a map in the language of the page: some names are Chinese / English. */
export function mapName(name: string): string {
  const [chinese, english, more] = name.split(' / ');
  if (!chinese || !english || more !== undefined) return name;
  return settings.lang === 'zh' ? chinese : english;
}

/** Returns a piece's name, with a translation if it is a usual one: `车 (chariot)`. */
export function pieceName(name: string): string {
  const [letter = '', ...more] = name;
  const said = more.length === 0 && letter !== '' ? tAny([`face-${(letter.codePointAt(0) ?? 0).toString(16)}`]) : null;
  return said === null || said === name ? name : `${name} (${said})`;
}
