// E-mail: the address of an account, and the purposes of links in letters. Loaded with the pages of accounts.

import { act } from './account';
import { ask } from './api';
import type { MailConfirmed, MailTold, SignedIn } from './wire';

export const mail = (): Promise<MailTold> => ask('/api/mail');
export const setMail = (address: string, lang: string): Promise<MailTold> => ask('/api/mail', 'PUT', { address, lang });
export const removeMail = (): Promise<MailTold> => ask('/api/mail', 'DELETE');
export const setDigest = (on: boolean, lang: string): Promise<MailTold> => ask('/api/mail/digest', 'PUT', { on, lang });
export const confirmMail = (link: string): Promise<MailConfirmed> => ask('/api/mail/confirm', 'POST', { link });
export const lostPassword = (address: string): Promise<undefined> => act('/api/session/mail', 'POST', { address });
export const recoverByMail = (link: string, password: string): Promise<SignedIn> =>
  ask('/api/session/mail/recover', 'POST', { link, password });
export const stopMail = (link: string, again: boolean): Promise<undefined> =>
  act(`/api/mail/stop?letter=${encodeURIComponent(link)}&again=${again}`, 'POST');

/** The purpose of a link in a letter, and its secret: both follow the `#`, which browsers do not send to a server. */
export type Errand = { what: 'confirm' | 'recover' | 'stop'; link: string } | { what: 'lost' };

export function errandOf(hash: string): Errand {
  const [, what, link] = /^#(confirm|recover|stop)=([\w-]+)$/.exec(hash) ?? [];
  return what && link ? ({ what, link } as Errand) : { what: 'lost' };
}
