// What is left of a card in the memory of a vault process: next to nothing right after a request, whatever
// became of it, and nothing after more of them.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type World, world } from '../world.ts';
import { canary } from './forms.ts';
import { CVC, type Sent, card, head as headOf, wanted } from './marked.ts';
import { searchMemory } from './scanner.ts';
import { type VaultProcess, startVault } from './vault-process.ts';

// a scan takes a moment; on a machine with much else to do, many
vi.setConfig({ testTimeout: 180_000 });

let w: World;
let vault: VaultProcess;
beforeAll(async () => {
  w = await world();
  vault = await startVault(w);
});
afterAll(async () => {
  await vault[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
});

/** Not looked for but once: what stands in a URL stays in many tables. */
const PLANTED = canary(99);

const head = (body: string | Buffer, sent: Partial<Sent> = {}) => headOf(body, { key: w.keys.public_key, ...sent });
const ask = (body: string, sent?: Partial<Sent>) => vault.ask(head(body, sent) + body);

/** Cards that are not looked for. */
async function others(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const body = card('4242424242424242', { cvc: '123' });
    expect(await ask(body)).toBe(200);
  }
}

function copiesOf(number: string): number {
  const { hits } = searchMemory(vault.pid, { ...wanted, numbers: new Set([number]) });
  return hits.filter((hit) => hit.what === 'number').length;
}

const escaped = (number: string) => number.replace(/\d/g, (digit) => `\\u003${digit}`);
const groups = (number: string) => (number.match(/.{4}/g) ?? []).join(' ');

/** Every way a card comes in, by the status it is answered with. */
const WAYS: readonly (readonly [string, number, (number: string) => Promise<number>])[] = [
  ['as usual', 200, (n) => ask(card(n))],
  ['in groups', 200, (n) => ask(card(groups(n)))],
  ['in escapes', 200, (n) => ask(card('1').replace('"1"', `"${escaped(n)}"`))],
  ['as a saved card', 200, (n) => ask(card(n, { token_type: 'recurring', cardholder_name: 'Zoë Martin' }))],
  ['late in a long request', 200, (n) => ask(`{"note":"${'x'.repeat(7000)}",${card(n).slice(1)}`)],
  ['with an Idempotency-Key', 200, (n) => ask(card(n), { headers: `idempotency-key: ${n.slice(-6)}\r\n` })],
  ['in pieces', 200, (n) => vault.ask(head(card(n)), card(n).slice(0, 20), card(n).slice(20, 25), card(n).slice(25))],
  [
    'in chunks',
    200,
    (n) => {
      const body = card(n);
      const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const pieces = [piece(body.slice(0, 22)), piece(body.slice(22)), '0\r\n\r\n'];
      return vault.ask(head(body, { headers: 'transfer-encoding: chunked\r\n' }), ...pieces);
    },
  ],
  ['with a digit too many', 400, (n) => ask(card(`${n}1234`))],
  ['as a name', 400, (n) => ask(card('4242', { cardholder_name: n }))],
  ['as a cvc', 400, (n) => ask(card('4242', { cvc: n }))],
  ['as a checkout', 400, (n) => ask(card('4242', { checkout_id: n }))],
  ['as a choice', 400, (n) => ask(card('4242', { token_type: n }))],
  ['as the name of a field', 400, (n) => ask(card('4242', { [n]: 1 }))],
  ['as a token', 400, (n) => ask(JSON.stringify({ token: n, cvc: CVC }))],
  ['as a number', 400, (n) => ask(card('1').replace('"1"', n))],
  ['in JSON that is cut short', 400, (n) => ask(card(n).slice(0, -1))],
  ['behind a name that stands twice', 400, (n) => ask(card(n).replace('}', ',"cvc":"1"}'))],
  ['with an unknown key', 403, (n) => ask(card(n), { key: 'FL_PUB_unknown' })],
  ['as another media type', 415, (n) => vault.ask(head(card(n)).replace('application/json', 'text/plain') + card(n))],
  ['in a body that is too large', 413, (n) => ask(card(n, { note: 'x'.repeat(9000) }))],
];

test('the scan finds what is planted in this very process', async () => {
  expect(copiesOf(PLANTED)).toBe(0);
  await vault.ask(`GET /health?${PLANTED} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-note: ${PLANTED}\r\n\r\n`);
  expect(copiesOf(PLANTED)).toBeGreaterThan(0);
});

test.each(WAYS.map(([way, status, send], index) => [way, status, canary(index), send] as const))(
  'right after a card came %s at most two copies of its number are left',
  async (_, status, number, send) => {
    expect(await send(number)).toBe(status);
    expect(copiesOf(number)).toBeLessThanOrEqual(2);
  },
);

test('a request that is broken off leaves no more of its card in memory than one that is answered', async () => {
  await vault.leave(head(card(canary(50))), card(canary(50)).slice(0, 60));
  expect(copiesOf(canary(50))).toBeLessThanOrEqual(2);
});

test('after a thousand further requests nothing is left of any of them, and no cvc', async () => {
  // late in a request that is longer than all that follow: what Node read it into is not filled as far again
  await ask(`{"note":"${'x'.repeat(7500)}",${card(canary(51)).slice(1)}`);
  await others(1000);
  expect(searchMemory(vault.pid, wanted).hits).toEqual([]);
  expect(vault.log()).not.toContain('error');
});
