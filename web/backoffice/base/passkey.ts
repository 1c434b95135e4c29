// Passkeys in this browser. The library is loaded when a person uses one, so that no other page waits for it.
import type {
  NewPasskeyForm,
  NewPasskeyQuestion,
  PasskeyAnswer,
  PasskeyQuestion,
  SessionState,
} from '../../../src/backoffice/wire/session.ts';
import { t } from './texts.ts';

/** True if the browser supports passkeys and this page has the origin at which they work. */
export function passkeysHere({ passkey_origin }: SessionState): boolean {
  return 'PublicKeyCredential' in window && passkey_origin === window.location.origin;
}

const NOT_USED = t('No passkey was used. Try again, or take another way.');
const KNOWN_ALREADY = t('This device has a passkey for you already.');

export async function signWithPasskey({ options }: PasskeyQuestion): Promise<PasskeyAnswer['response']> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options }).catch(said);
}

export async function makePasskey({ options }: NewPasskeyQuestion): Promise<NewPasskeyForm['response']> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: options }).catch(said);
}

/** Replaces the browser's message, which is written for programmers. */
function said(error: unknown): never {
  const known = error instanceof Error && error.name === 'InvalidStateError';
  throw new Error(known ? KNOWN_ALREADY : NOT_USED, { cause: error });
}
