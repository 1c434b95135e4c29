// What the choice of a contract costs: as it is made for a payment, by forty rules and by a hundred, of which the last
// one decides and draws.
import { createSecretKey, randomBytes } from 'node:crypto';
import { compiled, route } from '../src/core/routing/route.ts';
import type { RoutingInForce } from '../src/core/routing/table.ts';
import { drawerOf, factsOf } from '../src/payment/routing/facts.ts';
import { noteOf } from '../src/payment/routing/note.ts';

const CONTRACTS = ['a', 'b', 'c'].map((name) => ({ id: name.repeat(24), name }));
const TIMES = 50_000;
const KEY = createSecretKey(randomBytes(32));

/** Six members each; no amount is so large, but the last one takes any. */
function tableOf(rules: number): RoutingInForce {
  const when = {
    currency: ['EUR'],
    scheme: ['visa', 'mastercard'],
    customer_country: ['FR', 'DE', 'IT'],
    channel: ['e-commerce'],
    first6: ['400000-449999', '510000-559999'],
  };
  return {
    version: 1,
    otherwise: 'priority',
    cascade: 1,
    contracts: CONTRACTS,
    rules: Array.from({ length: rules }, (_, n) => ({
      name: `rule ${n}`,
      since: 1,
      when: n === rules - 1 ? when : { ...when, amount_from: String(10_000 + n) },
      then: { split: [['a', 7000], ['b', 2000], ['c', 1000]], by: 'order' }, // prettier-ignore
    })),
  };
}

/** Processor microseconds of a decision, and the bytes of its note; the best of some runs, as others work beside. */
export function decisionOf(rules: number): { readonly us: number; readonly note_bytes: number } {
  const table = tableOf(rules);
  const of = compiled(table);
  const ids = Array.from({ length: 1000 }, () => randomBytes(12).toString('hex'));
  const body = { customer_country: 'FR', customer_email: 'ada@shop.example' };
  const decide = (order_id: string) => {
    const facts = factsOf({
      body,
      amount_minor: 4250n,
      currency: 'EUR',
      at: new Date(0),
      scheme: 'visa',
      first6: '424242',
      checkout_id: null,
      token_type: 'oneshot',
      foreign: false,
      marked: false,
      attempt: 1,
      origin: { country: 'FR', issuer: null, funding: null },
      authentication: undefined,
    });
    const draw = drawerOf(KEY, {
      merchant_account_id: 'm',
      order_id,
      customer_id: null,
      card_digest: null,
      attempt: 1,
    });
    const world = { contracts: CONTRACTS.map(({ id }) => ({ id, provider: id })), leftOut: () => undefined, draw };
    return route(facts, of, world);
  };
  const runs = Array.from({ length: 5 }, () => {
    const began = process.threadCpuUsage();
    for (let n = 0; n < TIMES; n++) decide(ids[n % ids.length] ?? '');
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / TIMES;
  });
  const note = noteOf(decide(ids[0] ?? ''), { table, how: undefined, f: undefined, e: undefined });
  return { us: Math.min(...runs), note_bytes: JSON.stringify(note).length };
}
