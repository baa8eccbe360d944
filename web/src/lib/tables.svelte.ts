// The tables that wait and the games that run, while a place shows them; its connection tells of each change.

import type { Lobby } from './lobby';

export const tables: { now: Lobby | null } = $state({ now: null });
