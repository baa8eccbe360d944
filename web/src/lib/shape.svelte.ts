// The shape of the window, which decides where the frame stands.

import { MediaQuery } from 'svelte/reactivity';
import { isBeside } from './frame';
import type { Place } from './router.svelte';

const upright = new MediaQuery('(max-width: 740px) and (min-height: 521px), (max-width: 559px)');
const aside = new MediaQuery('(max-height: 520px) and (min-width: 560px)');
/** A table whose players stand above and below its board, as `TablePage` asks. */
const stacked = new MediaQuery(
  '(max-aspect-ratio: 1/1), (max-width: 820px) and (min-height: 521px), (max-width: 820px) and (max-aspect-ratio: 5/4)',
);

/**
 * `bar`: a line above. `rail`: a column at the left. `foot`: a line above and five places below, on phones. `side`: five places at the
 * left, on a phone on its side. `none`: a table on a phone, whose strip has the way to the hall and the bell.
 */
export type Frame = 'bar' | 'rail' | 'foot' | 'side' | 'none';

export function frameOf(place: Place): Frame {
  if (place.at === 'table') return stacked.current ? 'none' : 'rail';
  if (upright.current) return 'foot';
  if (isBeside(place)) return 'rail';
  return aside.current ? 'side' : 'bar';
}
