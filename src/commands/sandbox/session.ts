// The tools of a command on a running sandbox: its addresses and a private key, as a merchant's server has them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../../settings/config.ts';
import { demoAccount } from '../../hosts/demo-account.ts';
import { hostUrl } from '../../hosts/ports.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { result } from '../../core/results.ts';
import { openEgress } from '../../kit/egress.ts';
import { StartError, notInDataFolder } from '../../kit/start-error.ts';

export type Json = Readonly<Record<string, unknown>>;
export type Said = { readonly status: number; readonly body: Json };
type Asking = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
};

/** A merchant of a running sandbox. */
export type Merchant = {
  readonly base_url: string;
  /** Returns the answer of the payment API, whatever its status. */
  ask(path: string, asking?: Asking): Promise<Said>;
  /** The same, but a status other than 200 throws a StartError with the API's own words. */
  get(path: string, asking?: Asking): Promise<Json>;
  /** Makes a token for a card. */
  token(card_number: string, more?: object): Promise<string>;
};

/** Opens the key's account, or the demo account of the data folder. */
export function openMerchant(key: string | undefined): Merchant {
  const config = readConfig();
  const base_url = hostUrl(config, 'api');
  const vault_url = hostUrl(config, 'vault');
  return merchantAt({ base_url, vault_url }, keyOf(config, key));
}

export function merchantAt(at: { readonly base_url: string; readonly vault_url: string }, key: string): Merchant {
  const ask = (path: string, asking?: Asking) => send(at.base_url, key, { path, ...asking });
  return {
    base_url: at.base_url,
    ask,
    get: async (path, asking) => good(path, await ask(path, asking)),
    token: async (card_number, more = {}) => {
      const card = {
        card_number,
        card_validity_month: '12',
        card_validity_year: '2034',
        cvc: cvcOf(card_number),
        ...more,
      };
      const { token } = good('/token', await send(at.vault_url, key, { path: '/token', body: card }));
      return String(token);
    },
  };
}

/** The given private key, or the demo account's. */
export function keyOf(config: Config, key: string | undefined): string {
  if (key !== undefined) return key;
  if (config.environment !== 'sandbox')
    throw new StartError('There is no demo account in production: give a private key with --key.');
  if (!existsSync(join(config.data_dir, 'demo-account.json')) && config.demo_private_key === '')
    throw notInDataFolder(config.data_dir, 'There is no demo account', ', or give a private key with --key');
  return demoAccount(config, systemChance(systemClock())).private_key;
}

/** American Express cards have a code of four digits. */
const cvcOf = (card_number: string): string => (/^3[47]/.test(card_number) ? '1234' : '123');

/** Moving the clock may take 25 s to answer. */
const DEADLINE_MS = 40_000;
const LONGEST_ANSWER = 4_194_304;

async function send(url: string, key: string, asked: Asking & { readonly path: string }): Promise<Said> {
  const { path, body, method = body ? 'POST' : 'GET', headers } = asked;
  const egress = openEgress();
  const exchange = await egress.exchange({
    method,
    origin: url,
    path,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }), ...headers },
    body: body ? Buffer.from(JSON.stringify(body)) : null,
    deadline_ms: DEADLINE_MS,
    max_answer_bytes: LONGEST_ANSWER,
  });
  await egress.close();
  if (exchange.kind === 'not_sent')
    throw new StartError(
      `Nothing answers at ${url}. Start Florin first (npm start) and leave it running, or set FLORIN_BASE_URL and FLORIN_VAULT_URL to where it runs.`,
    );
  if (exchange.kind === 'unknown')
    throw new StartError(
      `${url} did not answer ${method} ${path} (${exchange.why}). What it was asked may have happened.`,
    );
  const text = exchange.body.toString('utf8');
  const read: unknown = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: exchange.status, body: isJson(read) ? read : {} };
}

function good(path: string, { status, body }: Said): Json {
  if (status === 200) return body;
  if (status === 401 || (status === 403 && codeOf(body) === result('api_key_invalid').code))
    throw new StartError('The private key is not known here: give the right one with --key.');
  if (status === 404 && path.startsWith('/sandbox'))
    throw new StartError('This is no sandbox: production has no clock, cards and scenarios of its own.');
  throw new StartError(`Florin refused ${path} with ${status}: ${problemOf(body)}`);
}

/** The problem in the API's own words. */
export function problemOf(body: Json): string {
  const errors = Array.isArray(body['errors']) ? body['errors'].filter(isJson) : [];
  const fields = errors.map(({ field, message }) => `${String(field)} ${String(message)}`);
  return fields.length > 0 ? fields.join('; ') : textIn(body, 'detail') || textIn(body, 'title') || 'no reason given';
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text or number as a text; empty for anything else. */
export function textIn(body: Json, name: string): string {
  const value = body[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The objects in a list. */
export function listIn(body: Json, name: string): readonly Json[] {
  const list = body[name];
  return Array.isArray(list) ? list.filter(isJson) : [];
}

export function codeOf(body: Json): string {
  return isJson(body['result']) ? String(body['result']['code']) : '';
}
