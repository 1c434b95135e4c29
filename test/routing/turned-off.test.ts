// A contract that is turned off while a payer is at the bank: nothing is sent under it, and the payment goes to what
// follows, by rules or without, exactly as under a hold (decisions 116, 199).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { parseJson } from '../../src/core/json.ts';
import { findAccount } from '../../src/payment/merchant/account.ts';
import { updateContract } from '../../src/payment/merchant/contract-store.ts';
import { laterFallbacks } from '../../src/payment/routing/decide.ts';
import { draftRoutes, publishRoutes } from '../../src/payment/routing/publish.ts';
import { actAt, redirectOf, toBank } from '../authentication/payer.ts';
import { type Reply, textAt, until } from '../client.ts';
import { inForce } from '../risk/till.ts';
import { type World, world } from '../world.ts';

let w: World;
let ids: ReadonlyMap<string, string>;
beforeAll(async () => {
  w = await world();
  const rows = await w.sql<{ id: string; provider: string }>(
    `SELECT encode(id, 'hex') AS id, provider FROM payment.contracts WHERE merchant_account_id = decode($1, 'hex')`,
    [w.account],
  );
  ids = new Map(rows.map(({ id, provider }) => [provider, id]));
});
afterAll(() => w[Symbol.asyncDispose]());
beforeEach(async () => {
  await turn('simulator', true);
  await turn('simulator_b', true);
  await inForce(w);
});

const CHALLENGE = { card_number: '4000002760003184' };
const IN_ORDER = { rules: [{ name: 'in order', then: { order: ['simulator', 'simulator_b'] } }] };
const DECIDED = new Set(['capture_successful', 'authorization_declined']);

const turn = (provider: string, enabled: boolean) =>
  updateContract(w.service.tools.db.tenant(w.account), ids.get(provider) ?? '', { enabled });

/** The payer is asked at the bank, says who they are, and the order is decided; `meanwhile` happens before they do. */
async function paysWhile(meanwhile: () => Promise<unknown>): Promise<Reply> {
  const reply = await w.shop.pay(CHALLENGE, { authentication_indicator: 'ask_3ds' });
  expect([reply.at('status'), reply.at('payin_partner')]).toEqual(['authentication_requested', 'simulator']);
  const bank = await toBank(redirectOf(reply));
  await meanwhile();
  await actAt(bank, { code: '1234' });
  return until(async () => {
    const now = await w.shop.read(textAt(reply, 'order_id'));
    return DECIDED.has(textAt(now, 'status')) ? now : undefined;
  });
}

async function expectPaidAt(reply: Reply, payin_partner: string): Promise<void> {
  expect([reply.code, reply.at('payin_partner'), reply.at('is_authenticated')]).toEqual([
    '955555',
    payin_partner,
    true,
  ]);
  expect(await heardOf(reply)).toEqual([payin_partner]);
}

/** The providers that were sent anything of the order. */
async function heardOf(reply: Reply): Promise<readonly string[]> {
  const books = await w.shop.api(`/sandbox/provider/books?order_id=${textAt(reply, 'order_id')}`);
  const entries = books.at('entries') as readonly { readonly provider: string }[];
  return [...new Set(entries.map(({ provider }) => provider))];
}

test('without rules the payment goes to the next contract', async () => {
  await expectPaidAt(await paysWhile(() => turn('simulator', false)), 'simulator_b');
});

test('where none follows, nothing is sent and the payer is not charged', async () => {
  const reply = await paysWhile(async () => {
    await turn('simulator', false);
    await turn('simulator_b', false);
  });
  expect([reply.code, reply.at('status')]).toEqual(['420410', 'authorization_declined']);
  expect(await heardOf(reply)).toEqual([]);
});

test('under rules it goes to what follows in their choice', async () => {
  const { draft } = await draftRoutes(w.service.tools, w.account, parseJson(JSON.stringify(IN_ORDER)));
  await publishRoutes(w.service.tools, w.account, { draft, by: 'ada' });
  await inForce(w);
  await expectPaidAt(await paysWhile(() => turn('simulator', false)), 'simulator_b');
});

test('a provider that was tried before the present one never follows it, whichever of the choice was turned off', async () => {
  const { contracts } = (await findAccount(w.service.tools, w.account)) ?? { contracts: [] };
  const [any] = contracts;
  if (!any) throw new Error('a sandbox has contracts');
  const [a, b, c] = ['a', 'b', 'c'].map((id) => ({ ...any, id, provider: `provider ${id}` }));
  if (!a || !b || !c) throw new Error('there are three');
  const chosen = {
    note: { v: 1, r: 0, o: [0, 1, 2], p: 10_000 },
    of: { contracts: [a, b, c], cascade: 2, rule: null },
  };
  const behind = (present: typeof any, left: readonly (typeof any)[]) =>
    laterFallbacks(chosen, { contracts: left, attempt: { provider: present.provider, contract_id: present.id } });
  expect(behind(a, [a, b, c])).toEqual([b, c]);
  expect(behind(a, [b, c])).toEqual([b, c]);
  expect(behind(b, [a, b, c])).toEqual([c]);
  expect(behind(b, [b, c])).toEqual([c]);
  expect(behind(b, [a, c])).toEqual([c]);
});
