// The subscribers to messages about an account's payments: a contract of the account, and the secret that signs its
// messages. At a real provider a merchant sets both on the provider's own pages.
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

  /** Replaces the earlier subscription. False if it is the same one. */
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

/** A call that names no account belongs to the account with the empty name. */
export const isSubscription = (value: unknown): value is Subscription =>
  isRecord(value) &&
  typeof value['merchant_account_id'] === 'string' &&
  MEMBERS.every((name) => typeof value[name] === 'string' && value[name] !== '');
