// What each job of the worker is given to do, and what must have become of it in the end. A job of housekeeping has
// nothing prepared for it: what is asked of it is that it goes on.
import { vi } from 'vitest';
import { DAY_S, HOUR_S } from '../../../src/core/durations.ts';
import { PASSWORD } from '../../backoffice/person.ts';
import { textAt, until } from '../../client.ts';
import { contractOf, says } from './parts.ts';
import type { Night } from './parts.ts';

export type Story = {
  /** The job, by its name. */
  readonly job: string;
  readonly what: string;
  /** Something is due for the job; answers its id. */
  prepare(night: Night): Promise<string>;
  /** What became of it: the same with a fault as without. */
  outcome(night: Night, id: string): Promise<unknown>;
  /** So long until all of it is over. */
  readonly seconds?: number;
};

const NOT_WAITED_FOR = { prefer: 'respond-async' };
const AUTHORIZED = { operation_type: 'authorize' };
/** Not enough funds, for ever. */
const POOR = '4000000000009995';
const PDF = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF\n';
const reason = 'it happened at night';

/** Everything that happened to an order, here and at the bank, and what the merchant was told. */
async function orderOf({ w, server }: Night, order_id: string): Promise<unknown> {
  const read = await w.shop.read(order_id);
  const rows = async (text: string) =>
    (await w.sql<{ row: string }>(`SELECT t::text AS row FROM (${text}) t`, [order_id])).map(({ row }) => row);
  const operations = await rows(
    `SELECT kind, state, amount_minor, origin FROM payment.operations WHERE encode(order_id, 'hex') = $1 ORDER BY id`,
  );
  const events = await rows(`SELECT type FROM payment.events WHERE encode(subject_id, 'hex') = $1 ORDER BY seq`);
  const entries = await rows(
    `SELECT debit, credit, amount_minor FROM payment.ledger_entries WHERE encode(order_id, 'hex') = $1 ORDER BY 1, 2, 3`,
  );
  const books = (await w.shop.api(`/sandbox/provider/books?order_id=${order_id}`)).at('entries') ?? [];
  const bank = (books as readonly Record<string, unknown>[]).map(({ kind, amount, state, effects }) => ({
    kind,
    amount,
    state,
    effects,
  }));
  // at least once: the merchant knows a repeat by its id
  const told = server.taken
    .filter(({ body }) => body['order_id'] === order_id)
    .map(({ body }) => String(body['event']));
  const retry = read.at('retry.reason');
  const { status, code } = { status: read.at('status'), code: read.code };
  return {
    status,
    code,
    doubt: read.at('is_in_doubt'),
    retry,
    operations,
    events,
    entries,
    bank,
    told: [...new Set(told)].toSorted(),
  };
}

async function pay({ w, fresh }: Night, card: object = {}, fields: object = {}): Promise<string> {
  return textAt(await w.shop.pay(card, { order_merchant_id: fresh(), ...fields }), 'order_id');
}

/** An order with an operation of which nobody knows whether it was done, and which is due. */
function doubt(operation: string, fault: string): Story {
  return {
    job: 'recovery',
    what: `${operation} after ${fault}`,
    prepare: async (night) => {
      const { w, fresh } = night;
      const order_merchant_id = fresh();
      const body = { operation, fault, times: 1, match: { order_merchant_id } };
      const arm = () => w.shop.api('/sandbox/scenario', { body });
      const sale = {
        order_merchant_id,
        merchant_contract: 'simulator',
        ...(operation === 'direct_capture' || operation === 'refund' ? {} : AUTHORIZED),
      };
      const paying = operation === 'authorize' || operation === 'direct_capture';
      if (paying) await arm();
      const token = await w.shop.token();
      const asked = { token, operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', ...sale };
      const order_id = textAt(await w.shop.order(asked, NOT_WAITED_FOR), 'order_id');
      if (!paying) {
        await w.shop.decided(order_id);
        await arm();
        await w.shop.api(`/payment/maintenance/${operation}/${order_id}`, { body: {}, headers: NOT_WAITED_FOR });
      }
      const due = `UPDATE payment.operations SET due_at = payment.now() WHERE encode(order_id, 'hex') = $1 AND state = 'in_doubt' RETURNING 1`;
      await until(async () => ((await w.sql(due, [order_id])).length > 0 ? true : undefined));
      return order_id;
    },
    outcome: orderOf,
    seconds: 2 * HOUR_S,
  };
}

const one = async ({ w }: Night, text: string, id: string) => (await w.sql(text, [id]))[0];

export const STORIES: readonly Story[] = [
  doubt('authorize', 'close_mid_response'),
  doubt('authorize', 'drop_before'),
  doubt('direct_capture', 'close_mid_response'),
  doubt('capture', 'close_mid_response'),
  doubt('capture', 'drop_before'),
  doubt('refund', 'close_mid_response'),
  doubt('refund', 'drop_before'),
  doubt('cancel', 'close_mid_response'),
  {
    job: 'authentication of payers',
    what: 'a payer who has left',
    prepare: async (night) => {
      const order_id = await pay(
        night,
        { card_number: '4000002760003184' },
        { authentication_indicator: 'force_3ds', ...AUTHORIZED },
      );
      await night.w.sql(
        `UPDATE payment.authentications SET due_at = payment.now() WHERE encode(order_id, 'hex') = $1`,
        [order_id],
      );
      return order_id;
    },
    outcome: orderOf,
  },
  {
    job: 'notifications',
    what: 'a capture to tell of',
    prepare: (night) => pay(night),
    outcome: orderOf,
  },
  {
    job: 'messages of providers',
    what: 'the approval of an authorization in doubt',
    prepare: async (night) => {
      const { w } = night;
      const order_id = await doubt('authorize', 'close_mid_response').prepare(night);
      await w.sql(
        `UPDATE payment.operations SET due_at = payment.now() + interval '1 hour' WHERE encode(order_id, 'hex') = $1`,
        [order_id],
      );
      const [row] = await w.sql<{ id: string }>(
        `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE encode(order_id, 'hex') = $1`,
        [order_id],
      );
      const id = `evt_${order_id}`;
      const message = {
        id,
        provider: 'simulator',
        kind: 'authorize',
        status: 'approved',
        amount: 2500,
        currency: 'EUR',
        code: '944444',
        text: '',
        provider_ref: `pay_${row?.id}`,
        authorization_code: 'A1B2C3',
        captured: false,
        at: new Date().toISOString(),
        reference: row?.id,
        order_id,
      };
      await w.sql(
        `INSERT INTO payment.provider_events (provider, event_ref, merchant_account_id, contract_id, body, received_at)
         VALUES ('simulator', $1, decode($2, 'hex'), decode($3, 'hex'), $4, payment.now() - interval '1 hour')`,
        [id, w.account, await contractOf(w), Buffer.from(JSON.stringify(message))],
      );
      return order_id;
    },
    outcome: async (night, id) => [
      await orderOf(night, id),
      await one(night, `SELECT state, reason FROM payment.provider_events WHERE event_ref = 'evt_' || $1`, id),
    ],
  },
  {
    job: 'answers to disputes',
    what: 'evidence with a file',
    prepare: async ({ w, ada, fresh, control }) => {
      const reference = fresh();
      const fields = { merchant_contract: 'stripe', payment_channel: 'e-commerce', order_merchant_id: reference };
      const order_id = textAt(await w.shop.pay({}, fields), 'order_id');
      await w.shop.decided(order_id);
      const { intents } = (await control('books')) as {
        intents: readonly { id: string; metadata: { order_id: string } }[];
      };
      const payment_intent = intents.find(({ metadata }) => metadata.order_id === order_id)?.id;
      await control('disputes', { payment_intent });
      const id = await until(async () => {
        const rows = ((await ada.get('/api/disputes')).at('disputes') ?? []) as readonly {
          id: string;
          order_id: string;
        }[];
        return rows.find((row) => row.order_id === order_id)?.id;
      });
      await ada.ask('PUT', `/api/disputes/${id}/evidence`, { texts: { uncategorized_text: 'they paid before' } });
      const content = Buffer.from(PDF).toString('base64');
      await ada.ask('PUT', `/api/disputes/${id}/files`, { field: 'receipt', name: 'a.pdf', content });
      await ada.post(`/api/disputes/${id}/submit`, { reason });
      return id;
    },
    outcome: async ({ w, control }, id) => {
      const [row] = await w.sql<{ reference: string; state: string }>(
        `SELECT d.reference, d.answered_as, a.state FROM payment.disputes d JOIN payment.dispute_answers a ON a.dispute_id = d.id WHERE encode(d.id, 'hex') = $1`,
        [id],
      );
      const { disputes } = (await control('books')) as { disputes: readonly Record<string, unknown>[] };
      const theirs = disputes.find((dispute) => dispute['id'] === row?.reference);
      const details = theirs?.['evidence_details'] as { submission_count: number };
      return [{ ...row, reference: '' }, theirs?.['status'], details.submission_count];
    },
    seconds: HOUR_S,
  },
  {
    job: 'deadlines of disputes',
    what: 'a reminder',
    prepare: async (night) => {
      const { w } = night;
      const order_id = await pay(night, { card_number: '4000000000000259' });
      await w.shop.decided(order_id);
      await night.advance(DAY_S + 60);
      const due = `UPDATE payment.disputes SET remind_at = payment.now() WHERE encode(order_id, 'hex') = $1 RETURNING 1`;
      await until(async () => ((await w.sql(due, [order_id])).length > 0 ? true : undefined));
      return order_id;
    },
    outcome: orderOf,
    seconds: 300,
  },
  {
    job: 'reports',
    what: 'a report that was asked for',
    prepare: async ({ w, ada, fresh }) => {
      const today = w.service.tools.clock.now().toISOString().slice(0, 10);
      const name = fresh();
      const form = { kind: 'captures', format: 'csv', every: 'once', zone: 'Etc/UTC', from: today, to: today, name };
      const asked = await ada.post('/api/reports', form);
      if (asked.status !== 200) throw new Error(asked.text);
      return name;
    },
    outcome: (night, id) =>
      one(
        night,
        `SELECT state, note, (SELECT count(*) FROM payment.report_pieces p WHERE p.run_id = r.id) AS pieces FROM payment.report_runs r WHERE name = $1`,
        id,
      ),
    seconds: HOUR_S,
  },
  {
    job: 'reports',
    what: 'a schedule',
    prepare: async ({ w, ada, fresh }) => {
      const name = fresh();
      const form = { kind: 'captures', format: 'jsonl', every: 'daily', zone: 'Etc/UTC', name };
      const asked = await ada.post('/api/reports', form);
      if (asked.status !== 200) throw new Error(asked.text);
      await w.sql(`UPDATE payment.reports SET next_at = date_trunc('second', payment.now()) WHERE name = $1`, [name]);
      return name;
    },
    outcome: async (night, id) => {
      const made = await one(
        night,
        `SELECT count(*), min(state), max(state) FROM payment.report_runs WHERE name = $1`,
        id,
      );
      // an account has fifty of them at most
      await night.w.sql(`UPDATE payment.report_runs SET report_id = NULL WHERE name = $1`, [id]);
      await night.w.sql(`DELETE FROM payment.reports WHERE name = $1`, [id]);
      return made;
    },
    seconds: HOUR_S,
  },
  {
    job: 'erasures',
    what: 'a customer with a saved card, an order and a checkout',
    prepare: async (night) => {
      const { w, ada, fresh } = night;
      const customer_id = fresh();
      const person = { customer_id, customer_email: `${customer_id}@mail.example`, customer_last_name: 'Quux' };
      const order_id = await pay(night, { token_type: 'recurring' }, { ...person, token_type: 'recurring' });
      await w.shop.decided(order_id);
      await w.shop.checkout({ ...person, order_merchant_id: fresh() });
      // the night is longer than a proof is good for
      await ada.post('/api/me/prove', { password: PASSWORD });
      const asked = await ada.post('/api/customers/erase', { customer_id, reason });
      if (asked.status !== 200) throw new Error(asked.text);
      return order_id;
    },
    outcome: async (night, id) => [
      await orderOf(night, id),
      await one(night, `SELECT body::text LIKE '%Quux%' AS named FROM payment.orders WHERE encode(id, 'hex') = $1`, id),
      await night.w.sql(`SELECT state FROM payment.erasures WHERE state <> 'done'`),
      await night.w.sql(`SELECT 1 FROM payment.card_removals`),
    ],
    seconds: HOUR_S,
  },
  {
    job: 'later tries of declined payments',
    what: 'a first later try',
    prepare: async (night) => {
      const { w } = night;
      await w.sql('DELETE FROM payment.declines');
      const policy = { payment_channel: 'recurring', retry_policy: 'default' };
      const order_id = await pay(night, { card_number: POOR, token_type: 'recurring' }, policy);
      await w.sql('DELETE FROM payment.declines');
      await w.sql(
        `UPDATE payment.retries SET next_at = payment.now(), due_at = payment.now() WHERE encode(order_id, 'hex') = $1`,
        [order_id],
      );
      return order_id;
    },
    // what was accepted and never sent is a decline, which goes on with another provider, as any other does
    outcome: async (night, id) => {
      const [row] = await night.w.sql(
        `SELECT o.status, r.state, (SELECT count(*) FROM payment.operations p WHERE p.order_id = o.id AND p.state IN ('requested', 'in_doubt', 'review')) AS open
         FROM payment.orders o JOIN payment.retries r ON r.order_id = o.id WHERE encode(o.id, 'hex') = $1`,
        [id],
      );
      return row;
    },
    seconds: 120,
  },
  {
    job: 'contradictions of providers',
    what: 'a refused capture that was approved late',
    prepare: async (night) => {
      const { w } = night;
      const here = { ...AUTHORIZED, merchant_contract: 'simulator' };
      const order_id = await pay(night, { card_number: '4000009902000010' }, here);
      await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: { prefer: 'wait=10' } });
      const [row] = await w.sql<{ id: string }>(
        `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE encode(order_id, 'hex') = $1 AND kind = 'capture'`,
        [order_id],
      );
      const news = { order_id, reference: row?.id ?? '', status: 'approved', provider_ref: 'late_1' };
      const said = await says(w, { ...news, kind: 'capture', code: '955555', captured: true });
      if (said.state !== 'applied') throw new Error(JSON.stringify([said, row]));
      await w.sql(`UPDATE payment.contradictions SET due_at = payment.now() WHERE encode(order_id, 'hex') = $1`, [
        order_id,
      ]);
      return order_id;
    },
    outcome: orderOf,
    seconds: HOUR_S,
  },
  {
    job: 'removal of cards',
    what: 'a card that the vault still has',
    prepare: async (night) => {
      const { w, fresh } = night;
      const customer_id = fresh();
      const order_id = await pay(night, { token_type: 'recurring' }, { customer_id, token_type: 'recurring' });
      await w.shop.decided(order_id);
      const { vault } = w.service.tools;
      const away = vi.spyOn(vault, 'remove').mockRejectedValue(new Error('the vault is away'));
      const gone = await w.shop.api('/payment/information/id', { method: 'DELETE', body: { customer_id } });
      away.mockRestore();
      if (gone.status !== 200) throw new Error(gone.text);
      await w.sql(`UPDATE payment.card_removals SET due_at = payment.now()`);
      return order_id;
    },
    outcome: async ({ w }) => [
      await w.sql(`SELECT 1 FROM payment.card_removals`),
      await w.sql(`SELECT count(*) FROM vault.cards WHERE kind = 'recurring'`).catch(() => undefined),
    ],
    seconds: HOUR_S,
  },
  {
    job: 'jobs of time',
    what: 'an authorization as old as it becomes',
    prepare: async (night) => {
      const { w } = night;
      const order_id = await pay(night, {}, AUTHORIZED);
      await w.shop.decided(order_id);
      await w.sql(
        `UPDATE payment.transactions SET created_at = created_at - interval '31 days' WHERE encode(order_id, 'hex') = $1`,
        [order_id],
      );
      await w.sql(
        `INSERT INTO payment.lapses (merchant_account_id, order_id, due_at) VALUES (decode($1, 'hex'), decode($2, 'hex'), payment.now())`,
        [w.account, order_id],
      );
      return order_id;
    },
    outcome: orderOf,
    seconds: 2 * HOUR_S,
  },
  {
    job: 'jobs of time',
    what: 'a checkout whose time is over',
    prepare: async ({ w }) => {
      const id = w.service.tools.chance.id();
      await w.sql(
        `INSERT INTO payment.checkouts (id, merchant_account_id, amount_minor, currency, created_at, expires_at, body)
         VALUES (decode($1, 'hex'), decode($2, 'hex'), 100, 'EUR', payment.now() - interval '2 days', payment.now() - interval '1 s', '{"order_merchant_id":"over"}')`,
        [id, w.account],
      );
      return id;
    },
    outcome: async (night, id) => [
      await one(night, `SELECT status FROM payment.checkouts WHERE encode(id, 'hex') = $1`, id),
      await night.w.sql(`SELECT type FROM payment.events WHERE encode(subject_id, 'hex') = $1`, [id]),
    ],
    seconds: 120,
  },
  {
    job: 'end of rolled keys',
    what: 'a key whose time is over',
    prepare: async ({ w }) => {
      const id = w.service.tools.chance.id();
      await w.sql(
        `INSERT INTO payment.api_keys (id, merchant_account_id, digest, kind, label, environment, ends_at)
         VALUES (decode($1, 'hex'), decode($2, 'hex'), sha256($1::bytea), 'public', '', 'sandbox', payment.now() - interval '1 s')`,
        [id, w.account],
      );
      return id;
    },
    outcome: (night, id) =>
      one(night, `SELECT revoked_at IS NOT NULL AS revoked FROM payment.api_keys WHERE encode(id, 'hex') = $1`, id),
  },
  {
    job: 'search over orders',
    what: 'an order that is not found yet',
    prepare: (night) => pay(night),
    outcome: async ({ ada }, id) =>
      ((await ada.get(`/api/orders?search=${id}`)).at('orders') as readonly object[]).length,
  },
  {
    job: 'mails',
    what: 'an invitation',
    prepare: async ({ ada, fresh }) => {
      const email = `${fresh()}@shop.example`;
      const asked = await ada.post('/api/team/invitations', { email, role: 'reader' });
      if (asked.status !== 200) throw new Error(asked.text);
      return email;
    },
    outcome: async (night, id) => {
      const mails = night.mails.taken.filter(({ to }) => to.includes(id));
      // a repeat has the same id
      const ids = new Set(mails.map(({ raw }) => /^message-id: (.*)$/im.exec(raw)?.[1]));
      return [await one(night, `SELECT state, note FROM payment.mails WHERE address = $1`, id), ids.size];
    },
  },
  ...[
    'clock of the database',
    'health of providers',
    'limits of card schemes',
    'what routing learns',
    'counts of risk and of declines that are too old',
    'reports whose days are over',
    'evidence of old disputes',
    'old mails',
    'months of tables that grow',
    'days of the request log',
    'old Idempotency-Keys',
    'alarms by mail',
  ].map((job): Story => ({ job, what: 'what it finds', prepare: async () => '', outcome: async () => undefined })),
];
