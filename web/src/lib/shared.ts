// The requests for extensions that people share.

import { ask } from './api';
import type { ExtensionList, NewExtension, SharedExtension } from './wire';

const at = (name: string): string => `/api/extensions/${encodeURIComponent(name)}`;
export const list = (search: string, mine: boolean): Promise<ExtensionList> =>
  ask(`/api/extensions?search=${encodeURIComponent(search)}${mine ? '&mine=true' : ''}`);
export const share = (wish: NewExtension): Promise<SharedExtension> => ask('/api/extensions', 'POST', wish);
export const remove = (name: string): Promise<void> => ask(at(name), 'DELETE');
export const listed = (name: string, shown: boolean): Promise<void> => ask(`${at(name)}/listed`, 'PUT', { listed: shown });
export const filePath = (name: string, version: number): string => `${at(name)}/${version}`;
/** Returns the file name of a copy of a version. */
export const fileOf = (name: string, version: number): string => `${name}@${version}.py`;
/** Returns the name under which a file would be shared. */
export const nameOf = (file: string): string =>
  file
    .replace(/\.py$/i, '')
    .replace(/@.*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, 40);
