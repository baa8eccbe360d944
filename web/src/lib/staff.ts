// The requests of the staff's desk. Loaded with the desk alone.

import { ask, Refused } from './api';
import type {
  BanHits,
  Bans,
  HouseInfo,
  InvitationLine,
  NewAnnouncement,
  NewBan,
  NewInvitation,
  NewRegistration,
  StaffDecide,
  StaffLogLine,
  StaffMe,
  StaffPerson,
  StaffPersonLine,
  TakenDownLine,
} from './wire';

const part = encodeURIComponent;

/** Sends a request whose answer has no content. */
async function act(path: string, method: string, body?: unknown): Promise<undefined> {
  try {
    await ask<unknown>(path, method, body);
  } catch (e) {
    // An answer without a body is not JSON.
    if (e instanceof Refused) throw e;
  }
}

export const me = (): Promise<StaffMe> => ask('/api/staff');
export const find = (text: string): Promise<StaffPersonLine[]> => ask(`/api/staff/people?search=${part(text)}`);
export const sharing = (who: string): Promise<StaffPersonLine[]> => ask(`/api/staff/people?sharing=${part(who)}`);
export const person = (who: string): Promise<StaffPerson> => ask(`/api/staff/people/${part(who)}`);
export const decide = (who: string, what: StaffDecide): Promise<undefined> => act(`/api/staff/people/${part(who)}/decision`, 'POST', what);
export const role = (who: string, name: string, give: boolean): Promise<undefined> =>
  act(`/api/staff/people/${part(who)}/role`, 'POST', { role: name, give });
export const forget = (who: string): Promise<undefined> => act(`/api/staff/people/${part(who)}/forget`, 'POST');
export const down = (): Promise<TakenDownLine[]> => ask('/api/staff/works');
export const takeDown = (work: string, isDown: boolean, reason: string): Promise<undefined> =>
  act(`/api/staff/works/${part(work)}`, 'POST', { down: isDown, reason });
export const bans = (): Promise<Bans> => ask('/api/staff/bans');
export const hits = (network: string): Promise<BanHits> => ask('/api/staff/bans/ask', 'POST', { network });
export const ban = (what: NewBan): Promise<undefined> => act('/api/staff/bans', 'POST', what);
export const lift = (n: number): Promise<undefined> => act(`/api/staff/bans/${n}`, 'DELETE');
export const house = (): Promise<HouseInfo> => ask('/api/house');
export const register = (what: NewRegistration): Promise<undefined> => act('/api/staff/registration', 'PUT', what);
export const invitations = (): Promise<InvitationLine[]> => ask('/api/staff/invitations');
export const invite = (what: NewInvitation): Promise<InvitationLine> => ask('/api/staff/invitations', 'POST', what);
export const uninvite = (id: string): Promise<undefined> => act(`/api/staff/invitations/${part(id)}`, 'DELETE');
export const announce = (what: NewAnnouncement): Promise<undefined> => act('/api/staff/announcements', 'POST', what);
export const withdraw = (n: number): Promise<undefined> => act(`/api/staff/announcements/${n}`, 'DELETE');
export const log = (below?: number): Promise<StaffLogLine[]> => ask(`/api/staff/log${below === undefined ? '' : `?below=${below}`}`);
export const confirm = (password: string): Promise<undefined> => act('/api/session/confirm', 'POST', { password });
