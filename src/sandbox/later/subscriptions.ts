// The subscribers to messages about an account's payments: a contract of the account, and the secret that signs its
// messages. At a real provider a merchant sets both in the provider's own pages.
import { isRecord } from '../entry.ts';

export type Subscription = {
  readonly provider: string;
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly secret: string;
};

type Whose = Pick<Subscription, 'provider' | 'merchant_account_id'>;

export class Subscriptions {
  private readonly all = new Map<string, Subscription>();

  find(whose: Whose): Subscription | undefined {
    return this.all.get(nameOf(whose));
  }

  /** In place of the one before. False: it is the one that is there. */
  keep(subscription: Subscription): boolean {
    const before = this.find(subscription);
    if (before?.contract_id === subscription.contract_id && before.secret === subscription.secret) return false;
    this.all.set(nameOf(subscription), subscription);
    return true;
  }

  list(): readonly Subscription[] {
    return [...this.all.values()];
  }
}

const nameOf = ({ provider, merchant_account_id }: Whose) => `${provider} ${merchant_account_id}`;

const MEMBERS = ['provider', 'contract_id', 'secret'] as const;

/** A call that says nothing of an account is of the account that has no name. */
export const isSubscription = (value: unknown): value is Subscription =>
  isRecord(value) &&
  typeof value['merchant_account_id'] === 'string' &&
  MEMBERS.every((name) => typeof value[name] === 'string' && value[name] !== '');
