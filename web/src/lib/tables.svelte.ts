// The tables that wait and the games that run, while a place shows them; its connection tells of each change.

import type { Tables } from './wire';

export const tables: { now: Tables | null } = $state({ now: null });
