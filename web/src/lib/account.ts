// The visitor's account: requests to the hall, and to the browser for passkeys. Loaded with its pages.

import { ask, Refused } from './api';
import type {
  AccountInfo,
  MadeToken,
  NewToken,
  OpenIdDone,
  OpenIdPurpose,
  OpenIdQuestion,
  OpenIdTold,
  PasskeyAnswer,
  PasskeyQuestion,
  RecoveryCodes,
  Recover,
  SignedIn,
  SignIn,
  SignUp,
} from './wire';

type Json = Record<string, unknown>;

interface Browser {
  parseCreationOptionsFromJSON?: (options: Json) => PublicKeyCredentialCreationOptions;
  parseRequestOptionsFromJSON?: (options: Json) => PublicKeyCredentialRequestOptions;
}
const browser = (globalThis as unknown as { PublicKeyCredential?: Browser }).PublicKeyCredential;

/**
 * Returns true if this browser can create and use passkeys for this page: a secure context (TLS), not under an IP
 * address.
 */
export function passkeysHere(): boolean {
  const ip = /^[\d.]+$|^\[/.test(location.hostname);
  return isSecureContext && !ip && !!browser?.parseCreationOptionsFromJSON && !!browser.parseRequestOptionsFromJSON;
}

/** Returns the browser's credential for a passkey question; `null` if its owner cancelled the browser's dialog. */
async function answered(question: PasskeyQuestion, get: () => Promise<Credential | null>): Promise<PasskeyAnswer | null> {
  try {
    const credential = (await get()) as (Credential & { toJSON: () => unknown }) | null;
    return credential && { id: question.id, answer: credential.toJSON() };
  } catch (e) {
    if (e instanceof DOMException) return null;
    throw e;
  }
}

/** Creates a passkey: for a guest who will be called `name`, or for an account. */
export async function newPasskey(name: string): Promise<PasskeyAnswer | null> {
  const asked = await ask<PasskeyQuestion>('/api/account/passkeys/ask', 'POST', { name });
  const publicKey = browser?.parseCreationOptionsFromJSON?.(asked.question.publicKey);
  return publicKey ? answered(asked, () => navigator.credentials.create({ publicKey })) : null;
}

/** Signs in with any passkey of this hall. */
export async function usePasskey(): Promise<PasskeyAnswer | null> {
  const asked = await ask<PasskeyQuestion>('/api/session/passkey/ask', 'POST', {});
  const publicKey = browser?.parseRequestOptionsFromJSON?.(asked.question.publicKey);
  return publicKey ? answered(asked, () => navigator.credentials.get({ publicKey })) : null;
}

const part = encodeURIComponent;

/** Sends a request whose answer has no content. */
export async function act(path: string, method: string, body?: unknown): Promise<undefined> {
  try {
    await ask<unknown>(path, method, body);
  } catch (e) {
    // An answer without a body is not JSON.
    if (e instanceof Refused) throw e;
  }
}

export const signUp = (wish: SignUp): Promise<SignedIn> => ask('/api/account', 'POST', wish);
export const signIn = (wish: SignIn): Promise<SignedIn> => ask('/api/session', 'POST', wish);
export const signInByPasskey = (passkey: PasskeyAnswer, bring: boolean): Promise<SignedIn> =>
  ask('/api/session/passkey', 'POST', { passkey, bring });
export const recover = (wish: Recover): Promise<SignedIn> => ask('/api/session/recovery', 'POST', wish);
export const confirm = (proof: { password: string } | { passkey: PasskeyAnswer }): Promise<undefined> =>
  act('/api/session/confirm', 'POST', proof);
export const signOut = (): Promise<undefined> => act('/api/session', 'DELETE');
export const account = (): Promise<AccountInfo> => ask('/api/account');
export const setPassword = (password: string): Promise<undefined> => act('/api/account/password', 'PUT', { password });
export const addPasskey = (passkey: PasskeyAnswer): Promise<undefined> => act('/api/account/passkeys', 'POST', passkey);
export const removeCredential = (id: string): Promise<undefined> => act(`/api/account/credentials/${part(id)}`, 'DELETE');
export const newCodes = (): Promise<RecoveryCodes> => ask('/api/account/recovery', 'POST', {});
export const endSession = (id: string): Promise<undefined> => act(`/api/account/sessions/${part(id)}`, 'DELETE');
export const endOthers = (): Promise<undefined> => act('/api/session/others', 'DELETE');
export const makeToken = (wish: NewToken): Promise<MadeToken> => ask('/api/account/tokens', 'POST', wish);
export const revokeToken = (id: string): Promise<undefined> => act(`/api/account/tokens/${part(id)}`, 'DELETE');
export const confirmDevice = (code: string): Promise<undefined> => act('/api/account/device', 'POST', { code });
export const close = (name: string): Promise<undefined> => act('/api/account', 'DELETE', { name });

/** Returns the name of the OpenID provider that the hall is set up with; `null` without one. */
export const openid = async (): Promise<string | null> => (await ask<OpenIdTold>('/api/session/openid')).name;
/** Leaves for the provider, from where the browser comes back to `/account/openid`. */
export async function goElsewhere(purpose: OpenIdPurpose, bring = false): Promise<void> {
  location.assign((await ask<OpenIdQuestion>('/api/session/openid/ask', 'POST', { purpose, bring })).url);
  await new Promise(() => undefined);
}
export const fromElsewhere = (state: string, code: string): Promise<OpenIdDone> => ask('/api/session/openid', 'POST', { state, code });
