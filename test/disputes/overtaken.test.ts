// A worker that stood still in the middle of an answer to a dispute, for longer than its lease, while another one sent
// it: it sends nothing, and says nothing of what became of the answer.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantRunner } from '../../src/kit/database.ts';
import { sendAnswers } from '../../src/payment/dispute/desk/send.ts';
import type { Tools } from '../../src/payment/tools.ts';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

const AT_STRIPE = { merchant_contract: 'stripe', payment_channel: 'e-commerce', operation_type: 'direct_capture' };

let w: World;
let ada: Person;
beforeAll(async () => {
  w = await world({ FLORIN_WITH: 'stripe' });
  ada = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

async function control(verb: 'books' | 'disputes' | 'faults', body: object = {}): Promise<Record<string, unknown>> {
  const url = w.service.simulators?.get('stripe')?.control_url ?? '';
  const asked = verb === 'books' ? { method: 'GET' } : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${url}/control/${verb}`, asked);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Record<string, unknown>;
}

type Theirs = { readonly id: string; readonly status: string; readonly evidence_details: { submission_count: number } };

/** A dispute at Stripe with something to say against it. */
async function disputed() {
  const order_id = textAt(
    await w.shop.pay({}, { ...AT_STRIPE, amount: '42.00', order_merchant_id: 'cart' }),
    'order_id',
  );
  await w.shop.decided(order_id);
  const { intents } = (await control('books')) as {
    intents: readonly { id: string; metadata: { order_id: string } }[];
  };
  const theirs = await control('disputes', {
    payment_intent: intents.find(({ metadata }) => metadata.order_id === order_id)?.id,
  });
  const id = await until(async () => {
    const rows = ((await ada.get('/api/disputes')).at('disputes') ?? []) as readonly { id: string; order_id: string }[];
    return rows.find((one) => one.order_id === order_id)?.id;
  });
  await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'they paid before' } });
  return { id, reference: String(theirs['id']) };
}

/** A worker that takes this answer up, and stands still before it notes its first step. */
function worker(answer_id: string) {
  const { tools } = w.service;
  const [there, onward] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const still = (runner: TenantRunner): TenantRunner => ({
    ...runner,
    run: async (...[name, text, parameters]: Parameters<TenantRunner['run']>) => {
      if (name === 'note_dispute_answer') {
        there.resolve();
        await onward.promise;
      }
      return runner.run(name, text, parameters);
    },
  });
  let claims = 0;
  const claim = async () => {
    if (claims++ > 0) return [];
    await w.sql(`UPDATE payment.dispute_answers SET tries = tries + 1 WHERE id = decode($1, 'hex')`, [answer_id]);
    return [{ merchant_account_id: w.account, id: answer_id }];
  };
  const run = ((...[name, text, parameters]) =>
    name === 'claim_dispute_answers' ? claim() : tools.db.run(name, text, parameters)) as Tools['db']['run'];
  const db: Tools['db'] = { ...tools.db, run, tenant: (account) => still(tools.db.tenant(account)) };
  const done = sendAnswers({ ...tools, db }, 20);
  return { done, there: there.promise, goOn: () => onward.resolve() };
}

test('an answer that another worker has sent meanwhile is neither sent nor refused by the one that wakes up', async () => {
  const { id, reference } = await disputed();
  const answer_id = w.service.tools.chance.id();
  // due in a hundred years: the service's own worker leaves it alone
  await w.sql(
    `INSERT INTO payment.dispute_answers (id, merchant_account_id, dispute_id, kind, requested_by, reason, due_at)
     VALUES (decode($1, 'hex'), decode($2, 'hex'), decode($3, 'hex'), 'submit', 'ada@shop.example', 'delivered',
       payment.now() + interval '100 years')`,
    [answer_id, w.account, id],
  );
  const first = worker(answer_id);
  await first.there;
  await control('faults', { kind: 'close_after', method: 'POST', path: '/v1/disputes/{id}' });
  await w.sql(`UPDATE payment.dispute_answers SET due_at = payment.now() WHERE id = decode($1, 'hex')`, [answer_id]);
  const stateOf = async () => (await ada.get(`/api/disputes/${id}`)).at('answers.0.state');
  await until(async () => {
    const { disputes } = (await control('books')) as { disputes: readonly Theirs[] };
    const theirs = disputes.find((one) => one.id === reference);
    return theirs?.evidence_details.submission_count === 1 || undefined;
  });
  first.goOn();
  await first.done;
  expect(await stateOf()).not.toBe('refused');
  await w.shop.api('/sandbox/clock/advance', { body: { seconds: 300 } });
  await until(async () => ((await stateOf()) === 'taken' ? true : undefined));
  const { disputes } = (await control('books')) as { disputes: readonly Theirs[] };
  const theirs = disputes.find((one) => one.id === reference);
  expect(theirs).toMatchObject({ status: 'under_review', evidence_details: { submission_count: 1 } });
});
