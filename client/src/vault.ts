// @florin/client/vault: the one call that takes a card. A server that imports this is a place where cards are, with all
// that follows for its assessment; most use the card fields of @florin/client/elements instead, and never see one.
import { FlorinNoAnswer } from './errors.ts';
import { type Clock, SYSTEM_CLOCK } from './send/clock.ts';
import { originOf } from './send/origin.ts';
import { type CallOptions, type Fetch, send } from './send/send.ts';
import { VAULT_ROUTES } from './wire/routes.ts';
import type { TokenAnswer, TokenRequest } from './wire/schemas.ts';

export type VaultOptions = {
  /** The address of the vault, which is not that of the payment API. */
  readonly vault_url: string;
  /** A public key, or a private one. */
  readonly key: string;
  readonly defaults?: Omit<CallOptions, 'idempotency_key' | 'signal' | 'wait_seconds'>;
  readonly fetch?: Fetch;
  readonly clock?: Clock;
};

export type FlorinVault = {
  /** POST /token: a token for a card, for a saved card's cvc, a wallet's payload, or another provider's token. */
  tokenize(request: TokenRequest, options?: CallOptions): Promise<TokenAnswer>;
};

export function openVault({
  vault_url,
  key,
  defaults = {},
  fetch: own,
  clock = SYSTEM_CLOCK,
}: VaultOptions): FlorinVault {
  const request: Fetch = own ?? ((url, init) => fetch(url, init));
  const connection = { origin: originOf('vault_url', vault_url), key, fetch: request, clock, defaults };
  return {
    tokenize: async (body, options) => {
      const [method, path] = VAULT_ROUTES.tokenizeCard;
      const said = await send(connection, { method, path, body }, options);
      if (said.kind === 'unknown') throw new FlorinNoAnswer(said);
      return said.body as TokenAnswer;
    },
  };
}

export type { TokenAnswer, TokenRequest };
export { FlorinNoAnswer, FlorinRefusal, isRefusal } from './errors.ts';
