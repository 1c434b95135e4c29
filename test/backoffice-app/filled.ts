// Something to see on every page of the back office, and where it stands.
import { textAt, until } from '../client.ts';
import type { Person } from '../backoffice/person.ts';
import type { Difference } from '../../src/payment/ledger/reconcile/compare.ts';
import { keepFindings, listFindings, settleFindings } from '../../src/payment/ledger/reconcile/finding-store.ts';
import type { World } from '../world.ts';

/** Makes it; answers the address of a page in which ORDER, LINK or DISPUTE stands. */
export async function filled(w: World, owner: Person): Promise<(path: string) => string> {
  const fields = { customer_id: 'grace', customer_email: 'grace@mail.example', operation_type: 'direct_capture' };
  const first = await w.shop.pay({}, { ...fields, amount: '193.00', order_merchant_id: 'cart-shown' });
  const shown = first.text.match(/"order_id":"([0-9a-f]{24})"/)?.[1] ?? '';
  await w.shop.decided(shown);
  await w.shop.api(`/payment/maintenance/refund/${shown}`, { body: { amount: '20.00' } });
  await w.shop.pay(
    { card_number: '4000000000009995', token_type: 'recurring' },
    { payment_channel: 'recurring', retry_policy: 'default' },
  );
  const body = { usage: 'many', amount: '12.00', currency: 'EUR', order_merchant_id: 'stand' };
  const shared = textAt(await w.shop.api('/payment/link', { body }), 'link.link_id');
  for (const [i, card_number] of [
    '4000000000000002',
    '4000000000009995',
    '5555555555554444',
    '4242424242424242',
  ].entries())
    await w.shop.pay({ card_number }, { ...fields, amount: `${i + 1}0.00`, order_merchant_id: `cart-${i}` });
  // captured, and a day later disputed
  const taken = await w.shop.pay(
    { card_number: '4000000000000259' },
    { ...fields, amount: '25.00', order_merchant_id: 'cart-disputed' },
  );
  await w.shop.decided(textAt(taken, 'order_id'));
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 86_460 } });
  const disputed = await until(
    async () => (await owner.get('/api/disputes')).text.match(/"id":"([0-9a-f]{24})"/)?.[1],
    20,
  );
  await differing(w);
  return (path) => path.replace('ORDER', shown).replace('DISPUTE', disputed).replace('LINK', shared);
}

/** A finding of every kind and state: what florin reconcile would have kept of books that differ. */
async function differing({ service, sql }: World): Promise<void> {
  const account = service.demo?.merchant_account_id ?? '';
  const [of] = await sql<{ id: string; order_id: string }>(
    `SELECT encode(id, 'hex') AS id, encode(order_id, 'hex') AS order_id FROM payment.operations WHERE kind = 'capture' LIMIT 1`,
  );
  const nobody = 'a'.repeat(24);
  const about = {
    provider: 'simulator',
    merchant_account_id: account,
    order_id: of?.order_id ?? nobody,
    line: undefined,
  };
  const found = { ...about, what: 'capture', operation_id: of?.id ?? null, tells: undefined, currency: 'EUR' } as const;
  const kept = { ...found, reference: of?.id ?? nobody, apart_minor: 100n, became: '', applied: false };
  const one = (kind: Difference['kind'], ours: string, theirs: string, more: Partial<Difference> = {}) => ({
    ...kept,
    kind,
    ours,
    theirs,
    ...more,
  });
  const db = service.tools.db.tenant(account);
  await keepFindings(db, { source: 'settlement-2026-11-20.csv', books_to: null }, [
    one('amount', '19300', '19200'),
    one('missing here', 'nothing', 'done 1250 EUR', { order_id: nobody, apart_minor: 1250n }),
    { ...one('double effect', 'once', '2 times'), became: 'parked: a difference of money is never applied' },
    one('currency', 'EUR', 'USD'),
    { ...one('state', 'in_doubt', 'done'), became: 'applied: successful', applied: true },
  ]);
  await keepFindings(db, { source: 'settlement-2026-11-21.csv', books_to: null }, [
    one('missing there', 'successful 2500 EUR', 'nothing'),
  ]);
  const [last] = await listFindings(db, { states: ['open'], before: 'f'.repeat(24), room: 1 });
  const note = 'Portal: refund R-4711, Friday';
  await settleFindings(db, { of: { id: last?.id ?? nobody }, note, by_name: 'Ada' });
}
