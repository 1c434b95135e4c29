// Mutants of what the merchant is told, and when (contract 13).
import { MOODS } from '../receiver.ts';
import type { Mutant } from './list.ts';

const HEARD = {
  in: { constant: 'settleStatement', below: 'src/payment/order' },
  find: '${HAS_ENDPOINT}',
} as const;
/** The merchant's server fails as well. */
const ILL = { receiver_moods: MOODS } as const;
/** It answers, and refuses. */
const REFUSING = { receiver_moods: ['failing', 'busy'] } as const;

export const NOTIFIED_MUTANTS: readonly Mutant[] = [
  {
    name: 'n1-inquiry-untold',
    says: 'what an inquiry finds out is never notified',
    patches: [
      {
        ...HEARD,
        put: `changed_order.source <> 'inquiry'`,
      },
    ],
    expect: 'caught',
    as: /told|names/,
    stories: ['sale', 'partial'],
    // what was taken without an answer is asked about
    faults: {
      hangs_ms: [100],
      chaos: null,
      scenarios: [{ operation: 'authorize', fault: 'timeout_taken', times: 3 }],
    },
  },
  {
    name: 'n2-fallback-untold',
    says: 'what happens after a fallback to another provider is never notified',
    patches: [
      {
        ...HEARD,
        put: `NOT EXISTS (SELECT 1 FROM payment.transactions d WHERE d.order_id = changed_order.order_id AND d.dead)`,
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
        in: { function: 'keyOf', below: 'src/payment/notification/sign' },
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
        in: { schema: 'claim_notifications' },
        find: `AND n.sequence = (
          SELECT first.sequence
          FROM notifications first
          WHERE first.endpoint_id = n.endpoint_id AND first.subject_id = n.subject_id AND first.state = 'waiting'
          ORDER BY first.sequence
          LIMIT 1
        )`,
        put: ``,
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
        in: { function: 'verdictOf', below: 'src/payment/notification' },
        find: `if (status >= 200 && status < 300) return`,
        put: `if (status >= 200 && status < 600) return`,
      },
    ],
    expect: 'caught',
    as: /before event|told/,
    faults: REFUSING,
  },
];
