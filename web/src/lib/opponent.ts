// Programs that sit down with people: what they are called.

import { t } from './texts.svelte';
import type { Opponent, Player } from './wire';

/** What a program is called: ours by its level, others by their name. */
export const engineName = (o: Opponent): string =>
  'level' in o ? t('level-named', { level: o.level, name: t(`level-${o.level}`) }) : o.engine;

/** What somebody else is called. */
export const nameOf = (player: Player): string => (player.engine ? engineName(player.engine) : (player.name ?? t('guest')));
