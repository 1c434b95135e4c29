// Key texts of existing integrations (contract 2.6). A text proves nothing about whose it is, as public keys stand in
// pages, and whoever brings one first has it: where several merchants are, the operator names those of an account.
import { Refusal } from '../../core/refusals.ts';
import { sha256 } from '../../kit/crypto.ts';
import type { TenantRunner } from '../../kit/database.ts';
import type { Tools } from '../tools.ts';
import { countAccountsWithPeople, isNamed } from './named-keys-store.ts';

/** A Refusal: another account has people too, and the operator has not named this text. */
export async function requireNamed({ db }: Pick<Tools, 'db'>, own: TenantRunner, text: string): Promise<void> {
  if ((await countAccountsWithPeople(db)) < 2 || (await isNamed(own, sha256(text)))) return;
  throw new Refusal('not_allowed', {
    detail:
      'several merchants use this deployment, so its operator names an existing key before it is imported: florin account keys',
  });
}
