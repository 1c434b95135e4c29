// The identity of a merchant account at Apple's host for merchants: certificate and key, another pair than the one that
// payloads are sealed for. It is stored sealed beside those, under an id of its own.
import { X509Certificate, createPrivateKey } from 'node:crypto';
import type { Clock } from '../../../kit/clock.ts';
import { findCredentialsOf } from '../../contracts/contracts.ts';
import type { VaultTools } from '../../tools.ts';
import type { Lack } from '../lack.ts';
import { walletContract } from '../recipients.ts';

/** The destination of Apple's host in the operator's file, and the one step of its table that is asked for. */
export const APPLE_SESSION = { destination: 'apple_pay_session', step: 'session' } as const;

export type AppleIdentity = {
  readonly merchant_id: string;
  /** PEM. */
  readonly certificate: string;
  readonly private_key: string;
  /** The merchant's country as Apple Pay's sheet wants it: two letters. */
  readonly country: string;
};

type Tools = Parameters<typeof findCredentialsOf>[0];

/** The id under which the identity is stored among the credentials of contracts. */
export const identityContract = (merchant_account_id: string) =>
  walletContract(merchant_account_id, APPLE_SESSION.destination);

/** Undefined: none was given. */
export async function identityOf(tools: Tools, merchant_account_id: string): Promise<AppleIdentity | undefined> {
  const found = await findCredentialsOf(tools, identityContract(merchant_account_id));
  const { merchant_id, certificate, private_key, country } = found;
  if (merchant_id === undefined || certificate === undefined) return undefined;
  if (private_key === undefined || country === undefined) return undefined;
  return { merchant_id, certificate, private_key, country };
}

const LONGEST_ID = 200;

/** The merchant id stands in the certificate's subject; undefined: this one has none. */
export function merchantIdIn(certificate: X509Certificate): string | undefined {
  const id = /^UID=(merchant\.[\x21-\x7e]+)$/m.exec(certificate.subject)?.[1];
  return id !== undefined && id.length <= LONGEST_ID ? id : undefined;
}

/** Certificate (PEM, or DER as Apple gives it) and its key, each as PEM. Throws where they do not belong together. */
export function readIdentity(certificate: Buffer, key: Buffer): { certificate: X509Certificate; private_key: string } {
  const read = new X509Certificate(certificate);
  const private_key = createPrivateKey(key);
  if (!read.checkPrivateKey(private_key)) throw new Error('the key is not that of the certificate');
  return { certificate: read, private_key: String(private_key.export({ type: 'pkcs8', format: 'pem' })) };
}

/** The parts of the vault that Apple Pay on the hosted page needs. */
export type AppleTools = Tools &
  Pick<VaultTools, 'destinations' | 'wallet_roots' | 'association'> & { readonly clock: Pick<Clock, 'now'> };

const SET_IDENTITY = 'florin wallet-keys apple_pay_identity sets another.';

/**
 * What is missing before the hosted page may show Apple Pay to payers of this account; empty: nothing. Apple does not
 * know the sandbox's own keys, in a sandbox either.
 */
export async function lacksOf(tools: AppleTools, merchant_account_id: string): Promise<readonly Lack[]> {
  const identity = await identityOf(tools, merchant_account_id);
  const keys = await findCredentialsOf(tools, walletContract(merchant_account_id, 'apple_pay'));
  const lacks: Lack[] = [];
  if (!tools.destinations.has(APPLE_SESSION.destination))
    lacks.push({
      says: `the destinations do not name ${APPLE_SESSION.destination}`,
      fix: 'Add it to the file, and sign it again.',
    });
  if (!tools.wallet_roots.apple_pay)
    lacks.push({ says: "Apple's root is not set", fix: 'Set FLORIN_APPLE_PAY_ROOT_FILE.' });
  if (!tools.association)
    lacks.push({ says: 'there is no association file', fix: 'Set FLORIN_APPLE_PAY_ASSOCIATION_FILE.' });
  if (keys['private_key'] === undefined)
    lacks.push({ says: 'the keys of payloads are not set', fix: 'florin wallet-keys apple_pay sets them.' });
  if (!identity) return [...lacks, { says: 'the merchant identity is not set', fix: SET_IDENTITY }];
  if (keys['merchant_id'] !== undefined && keys['merchant_id'] !== identity.merchant_id)
    lacks.push({
      says: `the merchant identity is ${identity.merchant_id}, and payloads are sealed for ${keys['merchant_id']}`,
      fix: 'Both must be of one merchant id: florin wallet-keys.',
    });
  const ends = new X509Certificate(identity.certificate).validToDate;
  if (ends <= tools.clock.now())
    lacks.push({ says: `the merchant identity ended on ${ends.toISOString().slice(0, 10)}`, fix: SET_IDENTITY });
  return lacks;
}
