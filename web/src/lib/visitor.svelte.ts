// Who the visitor is, as the hall said last: the frame shows it on every place.

import type { Me } from './wire';

export const visitor: { me: Me | null } = $state({ me: null });
