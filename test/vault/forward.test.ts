// The vault sends an authorization at most once, only where its destinations say, and the cvc dies when it leaves.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Forward } from '../../src/payment/vault-link.ts';
import type { Template } from '../../src/provider/contract.ts';
import { deleteOld } from '../../src/vault/store.ts';
import { type World, world } from '../world.ts';
import { askedOf, hashOf } from './asked.ts';
import { insideOf } from './inside.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

const asked = (token: string, change: Partial<Forward> = {}) => askedOf(w, token, change);

async function cardOf(token: string) {
  return w.service.tools.vault.card({
    token_hash: hashOf(token),
    merchant_account_id: w.account,
    checkout_id: null,
  });
}

test('an operation is sent once, however often it is asked for', async () => {
  const forward = asked(await w.shop.token());
  const answers = await Promise.all(Array.from({ length: 10 }, () => w.service.tools.vault.forward(forward)));
  expect(answers.filter((answer) => answer.outcome === 'answered')).toHaveLength(1);
  expect(answers.filter((answer) => answer.outcome === 'already_sent')).toHaveLength(9);
});

/** A forward whose answer is kept, because somebody asked before the outcome was committed. */
async function kept(): Promise<Forward> {
  const forward = asked(await w.shop.token());
  expect((await w.service.tools.vault.forward(forward)).outcome).toBe('answered');
  expect(await w.service.tools.vault.tombstone({ operation_id: forward.operation_id })).toHaveProperty(
    'answer.status',
    200,
  );
  return forward;
}

test('an answer that was kept is told to its own account alone', async () => {
  const { vault } = w.service.tools;
  const forward = await kept();
  expect(await vault.forward({ ...forward })).toHaveProperty('answer.status', 200);
  const token_hash = hashOf(await (await w.otherShop()).token());
  const [row] = await w.sql<{ merchant_account_id: string }>(
    `SELECT encode(merchant_account_id, 'hex') AS merchant_account_id FROM vault.cards WHERE token_hash = decode($1, 'hex')`,
    [token_hash],
  );
  expect(await vault.forward({ ...forward, token_hash, ...row })).toEqual({ outcome: 'already_sent' });
});

test('an answer is kept for a day; that it was sent is known for ever', async () => {
  const { vault } = w.service.tools;
  const { operation_id } = await kept();
  const { operation_id: young } = await kept();
  await w.sql(
    `UPDATE vault.forwards SET sent_at = sent_at - interval '25 hours' WHERE operation_id = decode($1, 'hex')`,
    [operation_id],
  );
  await using inside = insideOf(w);
  await deleteOld(inside.db);
  // a day ago, and an hour
  expect(await vault.tombstone({ operation_id })).toEqual({ sent: true, sent_s: expect.closeTo(90_000, -3) });
  expect(await vault.tombstone({ operation_id: young })).toHaveProperty('answer.status', 200);
});

test('a one-shot token belongs to one order', async () => {
  const token = await w.shop.token();
  expect((await w.service.tools.vault.forward(asked(token))).outcome).toBe('answered');
  expect(await w.service.tools.vault.forward(asked(token))).toEqual({ outcome: 'not_sent', reason: 'token' });
});

test('a saved card that is bound to a checkout is free once a payment of that checkout has left, also when many leave at once', async () => {
  const { vault, chance } = w.service.tools;
  const [checkout_id, other] = [await w.shop.checkout(), chance.id()];
  const token = await w.shop.token({ token_type: 'recurring', checkout_id });
  const sent = async (at: string | null) => (await vault.forward(asked(token, { checkout_id: at }))).outcome;
  for (const elsewhere of [other, null]) expect(await sent(elsewhere)).toBe('not_sent');
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => sent(checkout_id)));
  expect(new Set(outcomes)).toEqual(new Set(['answered']));
  expect(await Promise.all([other, null, checkout_id].map(sent))).toEqual(['answered', 'answered', 'answered']);
});

test('forward and tombstone race: exactly one wins', async () => {
  const { vault } = w.service.tools;
  for (let round = 0; round < 40; round++) {
    const forward = asked(await w.shop.token());
    const [sent, stone] = await Promise.all([
      vault.forward(forward),
      vault.tombstone({ operation_id: forward.operation_id }),
    ]);
    expect([sent.outcome === 'answered', stone.sent]).toEqual(stone.sent ? [true, true] : [false, false]);
    if (!stone.sent) expect(sent).toEqual({ outcome: 'not_sent', reason: 'tombstone' });
  }
});

test('the cvc dies when the authorization leaves, and stays while it has not', async () => {
  const { vault } = w.service.tools;
  const token = await w.shop.token({ token_type: 'recurring' });
  expect((await cardOf(token))?.has_cvc).toBe(true);
  expect((await vault.forward(asked(token, { step: 'no-such-step' }))).outcome).toBe('not_sent');
  expect((await cardOf(token))?.has_cvc).toBe(true);
  expect((await vault.forward(asked(token))).outcome).toBe('answered');
  expect((await cardOf(token))?.has_cvc).toBe(false);
});

test('a forward that is not as its destination is pinned is refused, and spends nothing', async () => {
  const { vault } = w.service.tools;
  const token = await w.shop.token();
  const { body } = asked(token);
  const number = { slot: 'card.number' } as const;
  const bodies: readonly Template[] = [
    [...body, ',"echo":', number],
    body.map((part) => (typeof part === 'string' ? part.replace('"number":', '"note":') : part)),
    ['{"number":', number, ',"cvc":', number, '}'],
    ['{"x":', { slot: 'card.cvc?' }, '}'],
    ['x'.repeat(40_000), ...body],
  ];
  for (const hostile of bodies)
    expect(await vault.forward(asked(token, { body: hostile }))).toEqual({
      outcome: 'not_sent',
      reason: 'refused',
    });
  for (const change of [
    { destination: 'http://127.0.0.1:1' },
    { destination: 'nobody' },
    { step: 'capture' },
    { step: '../payments' },
    { step: '__proto__' },
    { values: { payment_id: 'of-no-hole' } },
  ])
    expect(await vault.forward(asked(token, change))).toEqual({ outcome: 'not_sent', reason: 'refused' });
  const [row] = await w.sql<{ spent: boolean }>(
    `SELECT spent_at IS NOT NULL AS spent FROM vault.cards WHERE token_hash = decode($1, 'hex')`,
    [hashOf(token)],
  );
  expect(row?.spent).toBe(false);
});

test('a sealed card that was moved, changed or re-dated is not sent, and that is proved', async () => {
  const { vault } = w.service.tools;
  const changes = [
    `sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1)`,
    `exp_year = exp_year + 1`,
    `created_at = created_at + interval '1 ms'`,
    `sealed = (SELECT c.sealed FROM vault.cards c WHERE c.token_hash <> vault.cards.token_hash LIMIT 1)`,
  ];
  await w.shop.token();
  for (const change of changes) {
    const token = await w.shop.token();
    await w.sql(`UPDATE vault.cards SET ${change} WHERE token_hash = decode($1, 'hex')`, [hashOf(token)]);
    const forward = asked(token);
    expect((await vault.forward(forward)).outcome).toBe('not_sent');
    expect(await vault.tombstone({ operation_id: forward.operation_id })).toEqual({ sent: false });
  }
});
