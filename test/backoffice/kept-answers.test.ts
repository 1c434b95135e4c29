// What providers answered, as the order page shows it: every answer to a call of an operation, its card data masked,
// beside the request; the same words again are not stored again.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, until } from '../client.ts';
import { type Till, UNDECIDED, openTill } from '../maintenance/till.ts';
import { type Person, firstOwner } from './person.ts';

let till: Till;
let owner: Person;
beforeAll(async () => {
  till = await openTill({ FLORIN_SIMULATOR_DEADLINE_S: '1' });
  owner = await firstOwner(till.w);
});
afterAll(() => till[Symbol.asyncDispose]());

type Entry = {
  readonly title: string;
  readonly operation_id: string | null;
  readonly http_status: number | null;
  readonly request: { readonly step?: string; readonly [name: string]: Json | undefined } | null;
  readonly answer: string | null;
};

async function timeline(order_id: string): Promise<readonly Entry[]> {
  const shown = await owner.get(`/api/orders/${order_id}`);
  const order: { readonly timeline: readonly Entry[] } = JSON.parse(shown.text);
  return order.timeline;
}

/** The one entry of this title; throws when there is none. */
async function entry(order_id: string, title: string): Promise<Entry> {
  const entries = await timeline(order_id);
  const one = entries.find((each) => each.title === title);
  if (!one) throw new Error(`no "${title}" among ${entries.map((each) => each.title).join(', ')}`);
  return one;
}

/** Until it is disposed of, the bank adds this to what it answers to captures, refunds, cancels and inquiries. */
function bankAdds(member: string): { member: string; [Symbol.dispose](): void } {
  const { tools } = till.w.service;
  const { direct } = tools;
  const adding = { member, [Symbol.dispose]: () => void Object.assign(tools, { direct }) };
  Object.assign(tools, {
    direct: async (call: Parameters<typeof direct>[0]) => {
      const said = await direct(call);
      if (said.outcome !== 'answered') return said;
      const text = Buffer.from(said.body).toString('utf8');
      return { ...said, body: Buffer.from(text.replace(/\}$/, `,${adding.member}}`)) };
    },
  });
  return adding;
}

const CARD = '"card":"4242 4242-4242 4242"';

test('the answers to authorization, capture and refund stand beside their requests, a repeated card masked', async () => {
  using _ = bankAdds(CARD);
  const id = await till.authorize();
  expect((await till.maintain('capture', id, { amount: '20.00' })).status).toBe(200);
  expect((await till.maintain('refund', id, { amount: '5.00' })).status).toBe(200);
  const authorized = await entry(id, 'answer: authorize approved');
  expect(authorized).toMatchObject({ http_status: 200, request: { step: expect.any(String) } });
  expect(JSON.parse(authorized.answer ?? '')).toMatchObject({
    kind: 'authorize',
    status: 'approved',
    amount: 4250,
    currency: 'EUR',
    reference: authorized.operation_id,
  });
  expect(JSON.stringify(authorized.request)).toContain('[card.number]');
  for (const [kind, amount] of [
    ['capture', 2000],
    ['refund', 500],
  ] as const) {
    const { http_status, request, answer, operation_id } = await entry(id, `answer: ${kind} approved`);
    expect([http_status, request?.['idempotency_key']]).toEqual([200, `${operation_id}-${kind}`]);
    expect(JSON.parse(answer ?? '')).toMatchObject({ kind, amount, card: '#'.repeat(19) });
  }
});

test('a decline shows what the bank said, as it said it', async () => {
  const id = await till.authorize({}, '4000000000000002');
  const { http_status, answer } = await entry(id, 'answer: authorize declined');
  expect(http_status).toBe(200);
  expect(JSON.parse(answer ?? '')).toMatchObject({ status: 'declined', amount: 4250, code: expect.any(String) });
});

test('after a cascade the answer of each provider is shown', async () => {
  const id = await till.authorize({}, '4000000000000119');
  const answers = (await timeline(id)).filter(({ title }) => title === 'answer: authorize declined');
  expect(answers).toHaveLength(2);
  for (const { operation_id, answer } of answers)
    expect(JSON.parse(answer ?? '')).toMatchObject({ reference: operation_id, amount: 4250 });
});

test('an answer that cannot be read is shown as it came', async () => {
  const id = await till.authorize({}, '4000009901000078');
  const { http_status, answer } = await until(async () =>
    (await timeline(id)).find(({ title }) => title === 'answer: authorize unknown'),
  );
  expect([http_status, answer]).toEqual([200, expect.stringMatching(/^.{5,2000}$/s)]);
});

test('an answer of an inquiry is shown with its request; "still pending" in the same words is stored once', async () => {
  using adding = bankAdds(CARD);
  const id = await till.authorize({}, UNDECIDED.authorize);
  const { operation_id } = await entry(id, 'answer: authorize pending');
  const inquiries = (count: number) =>
    until(async () => {
      await till.w.sql(`UPDATE payment.operations SET due_at = payment.now() WHERE id = decode($1, 'hex')`, [
        operation_id,
      ]);
      const found = (await timeline(id)).filter(({ title }) => title === 'inquiry: authorize pending');
      return found.length >= count ? found : undefined;
    });
  const [first, ...more] = await inquiries(3);
  expect(first?.answer).toMatch(/"pending".*"card":"#{19}"/);
  expect(first?.request?.step).not.toBe((await entry(id, 'answer: authorize pending')).request?.step);
  for (const { http_status, answer } of more) expect([http_status, answer]).toEqual([200, null]);
  // other words are stored, and so are the first ones after them
  for (const member of ['"other":true', CARD]) {
    const before = (await inquiries(1)).length;
    adding.member = member;
    // one in the old words may be on its way
    const stored = (await inquiries(before + 3)).slice(before).filter(({ answer }) => answer !== null);
    expect(stored).toHaveLength(1);
    expect(stored[0]?.answer).toContain(member === CARD ? '#'.repeat(19) : member);
  }
});

test('an answer that was kept before every answer was kept is shown as well', async () => {
  const id = await till.authorize();
  const { operation_id } = await entry(id, 'answer: authorize approved');
  await till.w.sql(
    `INSERT INTO payment.observations (merchant_account_id, transaction_id, operation_id, source, outcome, detail)
     SELECT merchant_account_id, transaction_id, id, 'inquiry', 'unknown', $2 FROM payment.operations WHERE id = decode($1, 'hex')`,
    [operation_id, JSON.stringify({ why: 'unreadable', answer: { status: 502, text: 'Bad Gateway' } })],
  );
  expect(await entry(id, 'inquiry: authorize unknown')).toMatchObject({ http_status: 502, answer: 'Bad Gateway' });
});
