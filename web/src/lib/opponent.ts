// The names of opponents: programs and people.

import { t } from './texts.svelte';
import type { Opponent, Player } from './wire';

/** Returns the name of a program: the hall's own by its level, others by their name. */
export const engineName = (o: Opponent): string =>
  'level' in o ? t('level-named', { level: o.level, name: t(`level-${o.level}`) }) : o.engine;

/** Returns the name of another player; “guest” for one without a name. */
export const nameOf = (player: Player): string => (player.engine ? engineName(player.engine) : (player.name ?? t('guest')));
