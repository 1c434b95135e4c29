// The settings of wallets: their rows, how they are read, and what is wrong with them together.
import { type Setting, row } from './forms.ts';
import { isLoopback } from './loopback.ts';

export const WALLET_SETTINGS = {
  FLORIN_GOOGLE_PAY_KEYS_FILE: row(
    'file',
    '',
    "Google's list of root keys for Google Pay (JSON, as Google publishes it); empty: in production none are taken",
  ),
  FLORIN_APPLE_PAY_ROOT_FILE: row(
    'file',
    '',
    'Apple Root CA - G3 (PEM, as Apple publishes it) for Apple Pay; empty: in production none are taken',
  ),
  FLORIN_APPLE_PAY_ASSOCIATION_FILE: row(
    'file',
    '',
    "file with which Apple finds that the vault's host is registered for Apple Pay, as its console gives it; empty: the host serves none, and the hosted page has no Apple Pay",
  ),
  FLORIN_WALLET_URL: row(
    'web address',
    '',
    "address of the vault's host under a name that is used for nothing else: there Google's script runs in a frame, and nothing else is served; empty: the hosted page has no Google Pay",
  ),
  FLORIN_SANDBOX_GOOGLE_PAY_URL: row(
    'web address',
    '',
    "where a sandbox takes Google's script from, on this machine; empty: it has the simulated sheet alone. Refused in production, which takes it from Google",
  ),
} as const satisfies Record<string, Setting>;

export type WalletConfig = ReturnType<typeof walletSettings>;

export function walletSettings(text: (name: keyof typeof WALLET_SETTINGS) => string) {
  return {
    google_pay_keys_file: text('FLORIN_GOOGLE_PAY_KEYS_FILE'),
    apple_pay_root_file: text('FLORIN_APPLE_PAY_ROOT_FILE'),
    apple_pay_association_file: text('FLORIN_APPLE_PAY_ASSOCIATION_FILE'),
    wallet_url: text('FLORIN_WALLET_URL'),
    sandbox_google_pay_url: text('FLORIN_SANDBOX_GOOGLE_PAY_URL'),
  } as const;
}

type Others = WalletConfig & {
  readonly environment: 'sandbox' | 'production';
  readonly host: string;
  readonly base_url: string;
  readonly vault_url: string;
  readonly backoffice_url: string;
};

export function walletProblems(config: Others): readonly string[] {
  const { environment, host, base_url, vault_url, backoffice_url, wallet_url, sandbox_google_pay_url } = config;
  const production = environment === 'production';
  const problems: string[] = [];
  const taken = [host, ...[base_url, vault_url, backoffice_url].map(nameOf)];
  if (wallet_url !== '' && taken.includes(nameOf(wallet_url)))
    problems.push('FLORIN_WALLET_URL must have a name that no other address of Florin has');
  if (production && wallet_url.startsWith('http://'))
    problems.push('FLORIN_WALLET_URL must be an https address in production');
  if (production && sandbox_google_pay_url !== '')
    problems.push('FLORIN_SANDBOX_GOOGLE_PAY_URL is for a sandbox only: production takes the script from Google');
  else if (sandbox_google_pay_url !== '' && !isLoopback(nameOf(sandbox_google_pay_url)))
    problems.push('FLORIN_SANDBOX_GOOGLE_PAY_URL must be on this machine: a sandbox calls nobody else');
  return problems;
}

const nameOf = (url: string) => URL.parse(url)?.hostname ?? '';
