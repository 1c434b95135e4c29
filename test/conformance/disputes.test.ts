// Answers to disputes at every provider that takes them: evidence given once, accepted, lost on the way there and on
// the way back; and what the end of a dispute means for the order and the books.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, firstOwner } from '../backoffice/person.ts';
import { textAt, until } from '../client.ts';
import type { At, Disputes, Trouble } from './at/contract.ts';
import { isAble, lacks } from './outcomes.ts';
import { PROVIDERS } from './providers.ts';
import { type Bench, type Stand, openStand } from './stand.ts';

let stand: Stand;
let ada: Person;
beforeAll(async () => {
  stand = await openStand();
  ada = await firstOwner(stand.w);
});
afterAll(() => stand[Symbol.asyncDispose]());

const reason = 'the parcel was delivered';
const pdfOf = (says: string) => Buffer.from(`%PDF-1.4\n% ${says}\ntrailer << >>\n%%EOF\n`).toString('base64');

type Disputed = { readonly order_id: string; readonly id: string };

async function disputed(bench: Bench, theirs: Disputes): Promise<Disputed> {
  await bench.drive.hold(false);
  const order_id = textAt(await bench.pay({ operation_type: 'direct_capture' }), 'order_id');
  await stand.heal(order_id);
  await theirs.open(order_id);
  const id = await until(async () => {
    const rows = ((await ada.get('/api/disputes')).at('disputes') ?? []) as readonly Disputed[];
    return rows.find((one) => one.order_id === order_id)?.id;
  });
  return { order_id, id };
}

/** A file that a provider reads; where it reads words, the same as words. */
async function prepare(id: string, says: string): Promise<void> {
  const put = await ada.ask('PUT', `/api/disputes/${id}/files`, {
    field: 'uncategorized_file',
    name: 'case.pdf',
    content: pdfOf(says),
  });
  expect(put.status, put.text).toBe(200);
  const { texts } = (await ada.get(`/api/disputes/${id}`)).body as { texts: readonly { field: string }[] };
  if (texts.some(({ field }) => field === 'uncategorized_text'))
    await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: says } });
}

const submit = (id: string) => ada.post(`/api/disputes/${id}/submit`, { reason });
const accept = (id: string) => ada.post(`/api/disputes/${id}/accept`, { reason });

const seen = (id: string, member: string, value: string) =>
  until(async () => {
    const one = await ada.get(`/api/disputes/${id}`);
    return one.at(member) === value ? one : undefined;
  }).catch(async () => {
    throw new Error(`${member} is not ${value}: ${(await ada.get(`/api/disputes/${id}`)).text}`);
  });

/** The order says whether the money is away, and the books agree with it. */
async function ends(order_id: string, is_away: boolean): Promise<void> {
  await until(async () => {
    const order = await stand.w.shop.read(order_id);
    return order.at('transactions.0.is_chargebacked') === is_away || undefined;
  });
  const [booked] = await stand.w.sql<{ away: boolean }>(
    `SELECT sum(CASE WHEN debit = 'chargebacks' THEN amount_minor ELSE -amount_minor END) > 0 AS away
     FROM payment.ledger_entries
     WHERE order_id = decode($1, 'hex') AND 'chargebacks' IN (debit, credit)`,
    [order_id],
  );
  expect(booked?.away).toBe(is_away);
  expect(await stand.differences(order_id)).toEqual([]);
}

/** Nothing came back, and that is written down; or a message has said already what became of it. */
const unanswered = (id: string) =>
  until(async () => {
    const one = await ada.get(`/api/disputes/${id}`);
    const is_doubted = one.at('answers.0.note') === 'sent, and nothing came back: the provider is asked';
    return is_doubted || one.at('answers.0.state') === 'taken' || undefined;
  });

const due = async (id: string) => {
  await stand.w.sql(
    `UPDATE payment.dispute_answers
     SET due_at = payment.now(), sent_at = sent_at - interval '10 minutes'
     WHERE dispute_id = decode($1, 'hex') AND state = 'in_doubt'`,
    [id],
  );
  stand.w.service.tools.wake_up.wake();
};

const ANSWERING = PROVIDERS.flatMap((at) => (at.disputes ? [{ ...at, disputes: at.disputes }] : []));

describe.each(ANSWERING)('$name', (at) => {
  let bench: Bench;
  let theirs: Disputes;
  beforeAll(() => {
    bench = stand.bench(at);
    theirs = at.disputes(stand.w);
  });
  const armed = (trouble: Trouble, step: 'submit' | 'accept') => bench.drive.arm(trouble, theirs.steps[step]);

  test('71 evidence is given, and the dispute that it wins gives the money back', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    await ends(order_id, true);
    await prepare(id, 'winning_evidence');
    expect((await submit(id)).status).toBe(200);
    await seen(id, 'stage', 'won');
    await seen(id, 'answers.0.state', 'taken');
    await seen(id, 'answered_as', 'submitted');
    expect(await theirs.of(order_id)).toEqual({ state: 'won', answers: 1 });
    await ends(order_id, false);
  });

  test('72 evidence that does not win leaves the money away', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    await prepare(id, 'losing_evidence');
    await submit(id);
    await seen(id, 'stage', 'lost');
    expect(await theirs.of(order_id)).toEqual({ state: 'lost', answers: 1 });
    await ends(order_id, true);
  });

  test('73 what is accepted is lost', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    expect((await accept(id)).status).toBe(200);
    const lost = await seen(id, 'stage', 'lost');
    expect(lost.at('open')).toBe(false);
    await seen(id, 'answered_as', 'accepted');
    expect(await theirs.of(order_id)).toMatchObject({ state: 'lost' });
    await ends(order_id, true);
  });

  test('74 evidence whose answer is lost was given, and is given once', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    await prepare(id, 'what stays with the bank');
    await armed('closed_after', 'submit');
    await submit(id);
    await unanswered(id);
    expect((await theirs.of(order_id)).answers).toBe(1);
    await due(id);
    await seen(id, 'answers.0.state', 'taken');
    await seen(id, 'answered_as', 'submitted');
    expect(await theirs.of(order_id)).toEqual({ state: 'answered', answers: 1 });
    await bench.drive.clear();
  });

  test('74 who accepted, and heard nothing of it, did', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    await armed('closed_after', 'accept');
    await accept(id);
    await unanswered(id);
    expect((await theirs.of(order_id)).state).toBe('lost');
    await due(id);
    await seen(id, 'answers.0.state', 'taken');
    await seen(id, 'stage', 'lost');
    await seen(id, 'answered_as', 'accepted');
    await ends(order_id, true);
    await bench.drive.clear();
  });

  test('75 evidence that never arrived is given once more, when nothing of it can come any more', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    await prepare(id, 'what stays with the bank');
    await armed('closed_before', 'submit');
    await submit(id);
    await unanswered(id);
    expect(await theirs.of(order_id)).toEqual({ state: 'open', answers: 0 });
    await due(id);
    await seen(id, 'answers.0.state', 'taken');
    expect(await theirs.of(order_id)).toEqual({ state: 'answered', answers: 1 });
    await bench.drive.clear();
  });

  test('76 what was answered there is not answered from here, and that is said', async () => {
    const { order_id, id } = await disputed(bench, theirs);
    await theirs.elsewhere(order_id);
    await prepare(id, 'too late');
    await submit(id);
    const refused = await seen(id, 'answers.0.state', 'refused');
    expect(refused.say('answers.0.note')).not.toBe('');
    expect((await ada.post(`/api/disputes/${id}/answered`, { reason })).at('answered_as')).toBe('elsewhere');
  });
});

const NUMBERS = '71, 72, 73, 74, 75, 76';

describe.each(PROVIDERS.filter(({ name }) => !isAble(name, 'answers to disputes')))('$name', (at: At) => {
  test(`${NUMBERS} who takes no answers is sent none`, ({ task }) => {
    lacks(task, 'answers to disputes');
    const provider = stand.w.service.tools.providers.get(at.name);
    expect(provider?.disputing).toBeUndefined();
    expect(provider?.disputes_at).not.toBe('');
  });
});
