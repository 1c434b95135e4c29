// A merchant account as its wallets know it: merchant ids and private keys, stored sealed like the credentials of
// contracts; and the roots of the wallets' signatures, which belong to the deployment. In a sandbox an account without
// keys has those of the sandbox.
import { type KeyObject, X509Certificate, createPrivateKey, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sha256 } from '../../kit/crypto.ts';
import { StartError, whyNot } from '../../kit/start-error.ts';
import type { Credentials } from '../../provider/send/secret.ts';
import { findCredentialsOf } from '../contracts/contracts.ts';
import type { VaultTools } from '../tools.ts';
import type { AppleRecipient } from './apple-pay.ts';
import { readAssociation } from './apple/association.ts';
import { googleFrameOf } from './google/frame.ts';
import { type GoogleRecipient, type GoogleRoot, readGoogleRoots } from './google-pay.ts';
import { WalletRefused } from './refused.ts';
import { demoAppleAuthority, demoKey } from './sandbox/demo-keys.ts';
import type { Wallet } from './wallet-card.ts';

/** Undefined: the deployment names none, so no payload of that wallet is taken. */
export type WalletRoots = {
  readonly google_pay: readonly GoogleRoot[] | undefined;
  readonly apple_pay: X509Certificate | undefined;
};

type Files = {
  readonly environment: 'sandbox' | 'production';
  readonly google_pay_keys_file: string;
  readonly apple_pay_root_file: string;
};

type Settings = Files & Parameters<typeof googleFrameOf>[0] & { readonly apple_pay_association_file: string };

/** The files that the settings name for the wallets of all accounts. */
export function readWalletFiles(config: Settings) {
  return {
    wallet_roots: readWalletRoots(config),
    association: readAssociation(config.apple_pay_association_file),
    google_frame: googleFrameOf(config),
  };
}

/** Throws a StartError where a file is not what it should be. */
export function readWalletRoots({ environment, google_pay_keys_file, apple_pay_root_file }: Files): WalletRoots {
  const demo = environment === 'sandbox' ? DEMO_ROOTS : { google_pay: undefined, apple_pay: undefined };
  return {
    google_pay:
      google_pay_keys_file === ''
        ? demo.google_pay
        : readFile(google_pay_keys_file, "Google's list of root keys (JSON)", readGoogleRoots),
    apple_pay:
      apple_pay_root_file === ''
        ? demo.apple_pay
        : readFile(apple_pay_root_file, "a certificate, Apple's root (PEM)", (text) => new X509Certificate(text)),
  };
}

function readFile<T>(file: string, what: string, read: (text: string) => T): T {
  try {
    return read(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new StartError(`${file} is not ${what}: ${whyNot(error)}`);
  }
}

const DEMO_ROOTS = {
  google_pay: [{ version: 'ECv2' as const, key: createPublicKey(demoKey('google root')), expires: undefined }],
  apple_pay: demoAppleAuthority().root,
};

/** The keys of a sandbox account that has set none. */
export const DEMO_MERCHANT: Readonly<Record<Wallet, Recipient>> = {
  google_pay: { name: 'merchant:florin-sandbox', keys: [demoKey('merchant')] },
  apple_pay: { name: 'merchant.florin.sandbox', keys: [demoKey('merchant')] },
};

type Recipient = { readonly name: string; readonly keys: readonly KeyObject[] };

export async function googleRecipient(tools: VaultTools, account: string, now: Date): Promise<GoogleRecipient> {
  const { name, keys } = await recipientOf(tools, account, 'google_pay');
  const roots = tools.wallet_roots.google_pay;
  if (!roots) throw new WalletRefused('not_set');
  return { recipient_id: name, keys, roots, now };
}

export async function appleRecipient(tools: VaultTools, account: string, now: Date): Promise<AppleRecipient> {
  const { name, keys } = await recipientOf(tools, account, 'apple_pay');
  const root = tools.wallet_roots.apple_pay;
  if (!root) throw new WalletRefused('not_set');
  return { merchant_id: name, keys, root, now };
}

async function recipientOf(tools: VaultTools, merchant_account_id: string, wallet: Wallet): Promise<Recipient> {
  const { merchant_id, private_key, earlier_private_key }: Credentials = await findCredentialsOf(
    tools,
    walletContract(merchant_account_id, wallet),
  );
  if (merchant_id !== undefined && private_key !== undefined) {
    const texts = [private_key, ...(earlier_private_key === undefined ? [] : [earlier_private_key])];
    return { name: merchant_id, keys: texts.map((text) => createPrivateKey(text)) };
  }
  if (tools.environment === 'sandbox') return DEMO_MERCHANT[wallet];
  throw new WalletRefused('not_set');
}

/**
 * The ids under which an account's keys for a wallet, and its identity at Apple, are stored among the credentials of
 * contracts: one id for each.
 */
export function walletContract(merchant_account_id: string, wallet: Wallet | 'apple_pay_session') {
  return {
    contract_id: sha256(`wallet ${wallet} ${merchant_account_id}`).slice(0, 24),
    merchant_account_id,
    destination: wallet,
  };
}
