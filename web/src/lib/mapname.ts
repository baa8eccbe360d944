import { settings } from './settings.svelte';

/** What a map is called in the language that is spoken: some have two names, Chinese / English. */
export function mapName(name: string): string {
  const [chinese, english, more] = name.split(' / ');
  if (!chinese || !english || more !== undefined) return name;
  return settings.lang === 'zh' ? chinese : english;
}
