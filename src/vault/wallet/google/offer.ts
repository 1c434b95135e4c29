// The facts of an account that Google Pay on the hosted page needs: its id at Google, the public half of the key that
// payloads are sealed for, and the country that Google asks for. `florin wallet-keys google_pay` sets all of them.
import { type KeyObject, createPrivateKey, createPublicKey } from 'node:crypto';
import type { Clock } from '../../../kit/clock.ts';
import { findCredentialsOf } from '../../contracts/contracts.ts';
import type { VaultTools } from '../../tools.ts';
import type { Lack } from '../lack.ts';
import { walletContract } from '../recipients.ts';
import { GOOGLE_FRAME_PATH } from './frame.ts';

export type GoogleTools = Parameters<typeof findCredentialsOf>[0] &
  Pick<VaultTools, 'wallet_roots' | 'google_frame'> & { readonly clock: Pick<Clock, 'now'> };

export type GoogleOffer = {
  readonly frame_url: string;
  /** The merchant id from Google's console. */
  readonly merchant_id: string;
  /** The point, uncompressed, as base64. */
  readonly public_key: string;
  readonly country: string;
};

const SET_KEYS = 'florin wallet-keys google_pay sets them.';

/** In a sandbox, too, the sandbox's own keys are nobody to Google. */
export async function googleOf(
  tools: GoogleTools,
  merchant_account_id: string,
): Promise<{ readonly offer: GoogleOffer | undefined; readonly lacks: readonly Lack[] }> {
  const { merchant_id, private_key, country } = await findCredentialsOf(
    tools,
    walletContract(merchant_account_id, 'google_pay'),
  );
  const lacks = deploymentLacks(tools);
  if (merchant_id === undefined || private_key === undefined)
    return { offer: undefined, lacks: [...lacks, { says: 'the keys of payloads are not set', fix: SET_KEYS }] };
  const id = /^merchant:(.+)$/.exec(merchant_id)?.[1];
  if (id === undefined)
    lacks.push({ says: `payloads are sealed for ${merchant_id}, no merchant of Google's`, fix: SET_KEYS });
  if (country === undefined)
    lacks.push({ says: 'the country is not set', fix: 'florin wallet-keys google_pay … --country FR sets it.' });
  const { google_frame } = tools;
  if (lacks.length > 0 || id === undefined || country === undefined || !google_frame)
    return { offer: undefined, lacks };
  const frame_url = google_frame.origin + GOOGLE_FRAME_PATH;
  return { offer: { frame_url, merchant_id: id, public_key: pointOf(createPrivateKey(private_key)), country }, lacks };
}

function deploymentLacks({ wallet_roots, google_frame, clock }: GoogleTools): Lack[] {
  const lacks: Lack[] = [];
  if (!google_frame)
    lacks.push({ says: "Google's script has no name to run at", fix: 'Set FLORIN_WALLET_URL on the vault’s host.' });
  const now = clock.now();
  if (!wallet_roots.google_pay?.some(({ expires }) => expires === undefined || expires > now))
    lacks.push({
      says: `Google's root keys ${wallet_roots.google_pay ? 'have ended' : 'are not set'}`,
      fix: 'Set FLORIN_GOOGLE_PAY_KEYS_FILE to the list that Google publishes.',
    });
  return lacks;
}

/** The last bytes of SPKI are the point. */
function pointOf(key: KeyObject): string {
  const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return spki.subarray(-POINT_BYTES).toString('base64');
}

const POINT_BYTES = 65;
