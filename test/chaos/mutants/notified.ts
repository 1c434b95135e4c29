// Mutants of what the merchant is told, and when (contract 13).
import type { Mutant } from './list.ts';

const HEARD = {
  file: 'src/payment/order/store.ts',
  find: `           EXISTS (SELECT 1 FROM payment.endpoints WHERE merchant_account_id = :merchant_account_id AND state = 'on')
         FROM o, unnest(:event_types`,
} as const;
/** The merchant's server fails as well. */
const ILL = { receiver_fails: true } as const;

export const NOTIFIED_MUTANTS: readonly Mutant[] = [
  {
    name: 'n1-inquiry-untold',
    says: 'what an inquiry finds out is never notified',
    patches: [
      {
        ...HEARD,
        put: `           :source <> 'inquiry'
         FROM o, unnest(:event_types`,
      },
    ],
    expect: 'caught',
    as: /told|names/,
  },
  {
    name: 'n2-fallback-untold',
    says: 'what happens after a fallback to another provider is never notified',
    patches: [
      {
        ...HEARD,
        put: `           NOT EXISTS (SELECT 1 FROM payment.transactions d WHERE d.order_id = o.id AND d.dead)
         FROM o, unnest(:event_types`,
      },
    ],
    expect: 'caught',
    as: /told|names/,
    stories: ['sale', 'partial'],
    faults: { scenarios: [{ operation: 'authorize', fault: 'refuse_connection', provider: 'simulator', times: 3 }] },
  },
  {
    name: 'n3-key-mixed-up',
    says: "the standard signature is made with the secret's text, not with its key",
    patches: [
      {
        file: 'src/payment/notification/sign.ts',
        find: `Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret);`,
        put: `Buffer.from(secret) : Buffer.from(secret);`,
      },
    ],
    expect: 'caught',
    as: /webhook-signature/,
  },
  {
    name: 'n4-order-lost',
    says: 'a notification does not wait for the one before it of its order',
    patches: [
      {
        file: 'src/payment/migrations/0023-work-that-is-passed.sql',
        find: `AND x.due_at <= moment AND (x.leased_until IS NULL OR x.leased_until <= machine)
          AND x.sequence = (SELECT b.sequence FROM notifications b WHERE b.endpoint_id = x.endpoint_id AND b.subject_id = x.subject_id AND b.state = 'waiting' ORDER BY b.sequence LIMIT 1)`,
        put: `AND x.due_at <= moment AND (x.leased_until IS NULL OR x.leased_until <= machine)`,
      },
    ],
    expect: 'caught',
    as: /before event/,
    faults: ILL,
  },
  {
    name: 'n5-refused-is-delivered',
    says: 'any answer of the receiver counts as delivered',
    patches: [
      {
        file: 'src/payment/notification/schedule.ts',
        find: `if (status >= 200 && status < 300) return`,
        put: `if (status >= 200 && status < 600) return`,
      },
    ],
    expect: 'caught',
    as: /before event|told/,
    faults: ILL,
  },
];
