// All authentications of the simulated 3-D Secure world. As in the books, a change is written to the journal first.
import type { Authentication } from './authentication.ts';

export type RegisterOptions = {
  /** Writes one line of the journal; throws if it cannot. */
  append(line: string): void;
  /** Called with an authentication whose bank reports its decision later. */
  waits(authentication: Authentication): void;
};

export class Register {
  private readonly known = new Map<string, Authentication>();
  private readonly by_directory_id = new Map<string, string>();
  private readonly by_bank_id = new Map<string, string>();
  /** Cards that have authenticated at a merchant account. */
  private readonly passed = new Set<string>();
  private readonly options: RegisterOptions;

  constructor(options: RegisterOptions) {
    this.options = options;
  }

  find(id: string): Authentication | undefined {
    return this.known.get(id);
  }

  findByDirectoryId(ds_trans_id: string): Authentication | undefined {
    return this.known.get(this.by_directory_id.get(ds_trans_id) ?? '');
  }

  findByBankId(acs_trans_id: string): Authentication | undefined {
    return this.known.get(this.by_bank_id.get(acs_trans_id) ?? '');
  }

  hasPassed({ merchant_account_id, card_mark }: Pick<Authentication, 'merchant_account_id' | 'card_mark'>): boolean {
    return this.passed.has(`${merchant_account_id} ${card_mark}`);
  }

  record(authentication: Authentication): void {
    this.options.append(JSON.stringify({ three_ds: authentication }));
    this.restore(authentication);
  }

  restore(authentication: Authentication): void {
    const { id, acs_trans_id, ds_trans_id, merchant_account_id, card_mark, ended, tells_at } = authentication;
    const before = this.known.get(id);
    this.known.set(id, authentication);
    this.by_directory_id.set(ds_trans_id, id);
    this.by_bank_id.set(acs_trans_id, id);
    if (ended?.status === 'Y') this.passed.add(`${merchant_account_id} ${card_mark}`);
    if (tells_at !== null && before?.tells_at !== tells_at) this.options.waits(authentication);
  }

  clear(): void {
    this.known.clear();
    this.by_directory_id.clear();
    this.by_bank_id.clear();
    this.passed.clear();
  }
}
