// Access tokens (RFC 6749, 4.4). `client_shop` with `secret_shop` is the app of the account `shop`. A client with
// `invalid` in its name is unknown; one with `limited` may only read.
import { refusal } from './errors.ts';
import type { World } from './world.ts';

export type Tokens = {
  /** Returns a token, or throws a Refusal. */
  readonly give: (authorization: string, body: string) => object;
  /** The account of the call; undefined if the token is unknown or has expired. */
  readonly accountOf: (authorization: string) => string | undefined;
  /** Makes every token invalid. */
  readonly revoke: () => void;
  /** Every token that was ever given, oldest first. */
  readonly given: readonly string[];
  /** The lifetime of tokens that are given from now on. */
  expires_s: number;
};

const HOURS_9_S = 32_400;

export function openTokens(now_ms: World['now_ms'], random: () => string): Tokens {
  const held = new Map<string, { readonly account: string; readonly until_ms: number }>();
  const given: string[] = [];
  const tokens: Tokens = {
    given,
    expires_s: HOURS_9_S,
    give: (authorization, body) => {
      const account = clientIn(authorization);
      if (account === undefined) throw refusal(401);
      if (new URLSearchParams(body).get('grant_type') !== 'client_credentials') throw refusal(400);
      const access_token = `A21AA${random()}`;
      held.set(access_token, { account, until_ms: now_ms() + tokens.expires_s * 1000 });
      given.push(access_token);
      return {
        scope: 'https://uri.paypal.com/services/payments/payment',
        access_token,
        token_type: 'Bearer',
        app_id: 'APP-SIMULATED',
        expires_in: tokens.expires_s,
        nonce: `${new Date(now_ms()).toISOString()}simulated`,
      };
    },
    accountOf: (authorization) => {
      const [scheme, token = ''] = authorization.split(' ');
      const found = scheme === 'Bearer' ? held.get(token) : undefined;
      return found && found.until_ms > now_ms() ? found.account : undefined;
    },
    revoke: () => held.clear(),
  };
  return tokens;
}

function clientIn(authorization: string): string | undefined {
  const [scheme, given = ''] = authorization.split(' ');
  if (scheme !== 'Basic') return undefined;
  const [id = '', secret = ''] = Buffer.from(given, 'base64').toString().split(':');
  const account = /^client_(\w+)$/.exec(id)?.[1];
  return account === undefined || account.includes('invalid') || secret !== `secret_${account}` ? undefined : account;
}
