// Errors in words: the hall's message, or a sentence of the page's own. Error texts of a browser are never shown.

import { Refused } from './api';
import { t, tAny } from './texts.svelte';

export function inWords(e: unknown): string {
  if (!(e instanceof Refused)) return t('problem-page-error');
  return tAny([`problem-${e.why.key}`], e.why.args) ?? t('problem-hall-error', { status: String(e.status) });
}
