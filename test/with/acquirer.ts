// A Florin with the simulated acquirer of ISO 8583 behind it, and both books side by side: ours from the ledger, theirs
// as they tell.
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { type Reply, send, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';

/** Minor units. */
export type Books = { readonly held: number; readonly captured: number; readonly refunded: number };

type Entry = {
  readonly their_reference: string;
  readonly held: string;
  readonly captured: string;
  readonly refunded: string;
  readonly state: string;
};

export type AtAcquirer = AsyncDisposable & {
  readonly w: World;
  pay(fields?: object, card?: object): Promise<Reply>;
  /**
   * The same, without waiting for what becomes of it; answers the order's id. `dies`: with
   * the acquirer's answer, which the vault has kept.
   */
  begin(fields?: object, process?: 'lives' | 'dies'): Promise<string>;
  /** A capture, refund or cancel, which is waited for. */
  maintain(kind: 'capture' | 'refund' | 'cancel', order_id: string, body?: object, wait_s?: number): Promise<Reply>;
  control(what: string, body: object): Promise<void>;
  ours(order_id: string): Promise<Books>;
  /** Of all that the acquirer has of an order; what it never heard of is nothing. */
  theirs(order_id: string): Promise<Books>;
  /** Types of the messages about an order, without those about the line; told by their trace numbers. */
  messages(order_id: string): Promise<readonly string[]>;
  /** Until the worker has nothing left to find out about the order. */
  settled(order_id: string): Promise<Reply>;
  /** Every operation of the order may be taken up at once. */
  release(order_id: string): Promise<void>;
  /**
   * Once the reversal of the order's authorization was answered so, the clock goes on until nothing of it can be on its
   * way any more.
   */
  passInFlight(order_id: string, said: 'reversed' | 'not_found'): Promise<void>;
  seen(): Promise<{ readonly late: number }>;
  /** While the database refuses every outcome: what is answered is left as by a process that died with it. */
  withoutOutcome<T>(work: () => Promise<T>): Promise<T>;
  /** Tables of the money zone in which a card's number stands. */
  cardsOutside(numbers: readonly string[]): Promise<readonly string[]>;
  /** Orders, operations and ledger agree, and every currency sums to zero. */
  ledgerIsRight(): Promise<boolean>;
};

const PRODUCT = { merchant_contract: 'iso8583', payment_channel: 'e-commerce' };

export async function openAcquirerWorld(): Promise<AtAcquirer> {
  const w = await world({ FLORIN_WITH: 'iso8583' });
  // a merchant with one provider: where its lines fail in story after story, others would take what comes next
  // (decision 99)
  await w.sql(`UPDATE payment.contracts SET enabled = false WHERE provider <> 'iso8583'`);
  const url = w.service.simulators?.get('iso8583')?.control_url ?? '';
  const told = async <T>(path: string): Promise<T> => {
    const said: T = JSON.parse((await send(`${url}/control/${path}`, {})).text);
    return said;
  };
  const rows = async <R extends object>(text: string, order_id: string) =>
    w.sql<R & Record<string, unknown>>(text, [order_id]);
  const withoutOutcome: AtAcquirer['withoutOutcome'] = async (work) => {
    await w.sql(NO_OUTCOME);
    try {
      const done = await work();
      // the answer was in hand, and its outcome was refused: the sequence counts what is rolled back, too
      await until(async () => {
        const [row] = await w.sql<{ is_called: boolean }>('SELECT is_called FROM public.refused');
        return row?.is_called === true ? true : undefined;
      });
      return done;
    } finally {
      await w.sql(`DROP FUNCTION public.no_outcome() CASCADE`);
      await w.sql(`DROP SEQUENCE public.refused`);
    }
  };
  return {
    w,
    pay: (fields = {}, card = {}) => w.shop.pay(card, { ...PRODUCT, operation_type: 'authorize', ...fields }),
    begin: async (fields = {}, process = 'lives') => {
      const token = await w.shop.token();
      const own = { amount: '25.00', currency: 'EUR', order_merchant_id: token.slice(0, 12) };
      const order = { token, ...PRODUCT, operation_type: 'authorize', ...own, ...fields };
      const begun = async () => idOf(await w.shop.order(order, { prefer: 'wait=0' }));
      if (process === 'lives') return begun();
      return withoutOutcome(async () => {
        const order_id = await begun();
        await until(async () => {
          const [row] = await rows(ANSWERED, order_id);
          return row ? true : undefined;
        });
        return order_id;
      });
    },
    maintain: (kind, order_id, body, wait_s = 10) =>
      w.shop.api(`/payment/maintenance/${kind}/${order_id}`, {
        method: 'POST',
        body: body ?? {},
        headers: { prefer: `wait=${wait_s}` },
      }),
    control: async (what, body) => {
      const reply = await send(`${url}/control/${what}`, { method: 'POST', body });
      if (reply.status !== 200) throw new Error(`the acquirer refused ${what}: ${reply.text}`);
    },
    ours: async (order_id) => {
      const sums = await rows<{ account: string; sum: number }>(BALANCES, order_id);
      const of = (account: string) => sums.find((row) => row.account === account)?.sum ?? 0;
      return { held: of('authorized_hold'), captured: 0 - of('merchant_payable'), refunded: of('refunds') };
    },
    theirs: async (order_id) => {
      const ids = (await rows<{ id: string }>(OPERATIONS, order_id)).map(({ id }) => id);
      const { entries } = await told<{ entries: readonly Entry[] }>('books');
      const own = entries.filter(({ their_reference }) => ids.includes(their_reference));
      const sum = (name: 'held' | 'captured' | 'refunded') => own.reduce((all, entry) => all + Number(entry[name]), 0);
      return { held: sum('held'), captured: sum('captured'), refunded: sum('refunded') };
    },
    messages: async (order_id) => {
      const traces = (await rows<{ trace: string }>(TRACES, order_id)).map(({ trace }) => trace);
      const { messages } = await told<{ messages: readonly { type: string; trace: string }[] }>('seen');
      return messages
        .filter(({ type, trace }) => !type.startsWith('08') && traces.includes(trace))
        .map(({ type }) => type);
    },
    settled: async (order_id) => {
      await until(async () => {
        const [open] = await rows(OPEN, order_id);
        return open ? undefined : true;
      });
      return w.shop.read(order_id);
    },
    release: async (order_id) => {
      await rows(
        `UPDATE payment.operations SET due_at = payment.now() - interval '1 s' WHERE order_id = decode($1, 'hex')`,
        order_id,
      );
    },
    seen: () => told('seen'),
    withoutOutcome,
    cardsOutside: async (numbers) => {
      const tables = await w.sql<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'payment'::regnamespace AND relkind IN ('r', 'p')`,
      );
      const found: string[] = [];
      for (const { name } of tables) {
        const hits = await w.sql(`SELECT 1 FROM payment."${name}" t WHERE t::text ~ $1 LIMIT 1`, [numbers.join('|')]);
        if (hits.length > 0) found.push(name);
      }
      return found;
    },
    passInFlight: async (order_id, said) => {
      await until(async () => {
        const answers = await rows<{ outcome: string }>(SAID, order_id);
        return answers.some(({ outcome }) => outcome === said) ? true : undefined;
      });
      const in_flight_s = w.service.tools.providers.get('iso8583')?.can.in_flight_s ?? Number.NaN;
      await w.shop.api('/sandbox/clock/advance', { body: { seconds: in_flight_s + 1 } });
    },
    ledgerIsRight: async () => {
      const { first, balances } = await verifyLedger({ db: w.service.tools.db, progress: () => undefined });
      const sums = [...balances.values()].map((one) => [...one.values()].reduce((all, amount) => all + amount, 0n));
      return first === undefined && sums.every((sum) => sum === 0n);
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

export const idOf = (reply: Reply) => textAt(reply, 'order_id');

const BALANCES = `SELECT account, sum(amount)::int AS sum FROM (
    SELECT debit AS account, amount_minor AS amount FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')
    UNION ALL
    SELECT credit, -amount_minor FROM payment.ledger_entries WHERE order_id = decode($1, 'hex')) AS moved
  GROUP BY account`;
const OPERATIONS = `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex')`;
const TRACES = `SELECT kept ->> 'trace' AS trace FROM payment.operations WHERE order_id = decode($1, 'hex')`;
const SAID = `SELECT b.outcome FROM payment.observations b JOIN payment.operations p ON p.id = b.operation_id
  WHERE p.order_id = decode($1, 'hex') AND p.kind = 'reversal'`;
const ANSWERED = `SELECT 1 FROM vault.forwards WHERE order_id = decode($1, 'hex') AND state = 'answered'`;
const NO_OUTCOME = `CREATE SEQUENCE public.refused;
  GRANT USAGE ON SEQUENCE public.refused TO PUBLIC;
  CREATE FUNCTION public.no_outcome() RETURNS trigger LANGUAGE plpgsql
    AS $$ BEGIN PERFORM nextval('public.refused'); RAISE EXCEPTION 'no outcome'; END $$;
  CREATE TRIGGER no_outcome BEFORE UPDATE ON payment.operations FOR EACH ROW
    WHEN (NEW.state IN ('successful', 'declined')) EXECUTE FUNCTION public.no_outcome()`;
const OPEN = `SELECT 1 FROM payment.operations WHERE order_id = decode($1, 'hex') AND state IN ('requested', 'in_doubt')`;
