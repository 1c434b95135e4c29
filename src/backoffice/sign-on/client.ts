// An account's single sign-on as its provider knows it.
import { open, seal } from '../../kit/crypto.ts';
import type { OidcClient, Way } from '../../kit/person/oidc.ts';
import { signOnSealing } from '../../payment/sealings.ts';
import type { BackofficeContext } from '../context.ts';
import type { SignOnRow } from './store.ts';

/** The redirect address, one for each account: an answer for another account's provider comes to another address. */
export function redirectUri({ tools }: BackofficeContext, account_id: string): string {
  return `${tools.addresses.backoffice_url}/signed-on/${account_id}`;
}

/** The way of calls to addresses that merchants gave. */
export function wayOf({ tools }: BackofficeContext): Way {
  const { exchange, rules } = tools.outside;
  return { exchange, insecure: rules.private_targets };
}

export function sealSecret({ tools }: BackofficeContext, account_id: string, secret: string): Buffer {
  return seal(Buffer.from(secret), tools.chance.bytes(12), signOnSealing(tools.secret_key, account_id));
}

export function clientOf(
  context: BackofficeContext,
  account_id: string,
  { issuer, client_id, secret_sealed }: Pick<SignOnRow, 'issuer' | 'client_id' | 'secret_sealed'>,
): OidcClient {
  const sealing = signOnSealing(context.tools.secret_key, account_id);
  const client_secret = open(Buffer.from(secret_sealed, 'hex'), sealing).toString();
  return { issuer, client_id, client_secret, redirect_uri: redirectUri(context, account_id) };
}
