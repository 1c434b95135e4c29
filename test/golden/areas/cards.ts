// Every card number of the sandbox, with what it does to a sale: a line each, and what the order says of it when it is
// read.
import { RESULTS } from '../../../src/core/results.ts';
import { SCENARIO_CARDS, WELL_KNOWN_CARDS, codeNumber } from '../../../src/core/sandbox/cards.ts';
import { type Reply, textAt } from '../../client.ts';
import { type Area, parts } from '../stage.ts';

const AUTHENTICATED: readonly string[] = [
  '4000002760003184',
  '4000002500003155',
  '4000000000003055',
  '4000008260003178',
  '4000008400001629',
  '4000008400001280',
  '5300000000000006',
  '4000009907000015',
  '4000009907000049',
  '4000009907000023',
  '4000009907000031',
];
/** Nobody waits for the bank of these. */
const LATE = ['4000009901000011', '4000009901000110', '4000009901000128', '4000009902000036'];
const AT_ONCE = 4;
const PARTS = ['status', 'result.code', 'result.description', 'payin_partner', 'is_in_doubt', 'authentication_result'];

/** Which of the two simulated providers took it depends on how long the other one is left alone. */
const line = (reply: Reply, names: readonly string[]) => parts(reply, names).replaceAll('simulator_b', 'simulator');

export const cards: Area = {
  name: 'cards',
  settings: { FLORIN_SIMULATOR_DEADLINE_S: '4' },
  play: async ({ shop, title, scene, pay, pass }) => {
    const codes = RESULTS.map((row) => codeNumber(row)).filter((number) => number !== undefined);
    const listed = [...WELL_KNOWN_CARDS, ...SCENARIO_CARDS].map(({ numbers }) => numbers[0] ?? '');
    const faulty = listed.filter((number) => number.startsWith('4000009901'));
    const plain = [...new Set([...listed, ...codes])].filter((number) => !faulty.includes(number));
    const orders: (readonly [string, Reply])[] = [];
    title('A sale with each card');
    const sell = async (number: string) => {
      const cvc = /^3[47]/.test(number) ? '1234' : '123';
      const fields = AUTHENTICATED.includes(number) ? { authentication_indicator: 'force_3ds' } : {};
      const wait = LATE.includes(number) ? 0 : undefined;
      return [number, await pay(`card-${number}`, { card_number: number, cvc }, fields, wait)] as const;
    };
    const told = (number: string, reply: Reply) => {
      const { status } = reply;
      scene.note(`${number}: ${status} ${line(reply, [...PARTS, 'errors.0.field', 'detail'])}`);
      if (status === 200) orders.push([number, reply]);
    };
    await scene.aside(async () => {
      for (let from = 0; from < plain.length; from += AT_ONCE)
        for (const [number, reply] of await Promise.all(plain.slice(from, from + AT_ONCE).map(sell)))
          told(number, reply);
      for (const number of faulty) {
        told(...(await sell(number)));
        // so many faults in a row would have the provider left alone
        await pay(`between-${number}`);
      }
    });
    await pass(3 * 86_400);
    title('The same orders after three days');
    for (const [number, reply] of orders) {
      const read = await scene.aside(() => shop.read(textAt(reply, 'order_id')));
      const history = read.at('transactions') as readonly {
        readonly status_history: readonly Readonly<Record<string, string>>[];
      }[];
      const lines = history.map(({ status_history }) =>
        status_history.map(({ status, code }) => `${status} ${code}`).join(', '),
      );
      scene.note(`${number}: ${line(read, PARTS)}\n  ${lines.join('\n  ')}`);
    }
  },
};
