// A payment host in foreign hands, with valid credentials: it gets no card out, and sends none elsewhere. And tokens
// that are used where they do not belong.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Forward } from '../../src/payment/vault-link.ts';
import { newFolder } from '../start/child.ts';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { askedOf, hashOf } from './asked.ts';
import { HOSTILE, type Hostile } from './hostile-kinds.ts';
import { FORM_BODY, JSON_BODY, type Provider, pinned, signedFile, startProvider, table } from './provider.ts';

const folder = newFolder('florin-hostile-');
let provider: Provider;
let w: World;
beforeAll(async () => {
  provider = await startProvider();
  w = await world(signedFile(folder.path, { bank: pinned(provider.port, provider.certificate) }), { table });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

function forward(token: string, change: Hostile = {}) {
  const asked = { ...askedOf(w, token, { destination: 'bank', step: 'authorize' }), body: JSON_BODY, ...change };
  return w.service.tools.vault.forward(asked as Forward);
}

async function isSpent(token: string): Promise<boolean> {
  const [row] = await w.sql<{ spent: boolean }>(
    `SELECT spent_at IS NOT NULL AS spent FROM vault.cards WHERE token_hash = decode($1, 'hex')`,
    [hashOf(token)],
  );
  return row?.spent ?? false;
}

describe('a forward that is not as its destination is pinned', () => {
  test('there are a hundred kinds and more, each another', () => {
    expect(HOSTILE.length).toBeGreaterThan(100);
    expect(new Set(HOSTILE.map(([, change]) => JSON.stringify(change))).size).toBe(HOSTILE.length);
  });

  test('is refused, each kind of it; nothing is sent, nothing is spent, and the token still pays', async () => {
    const token = await w.shop.token();
    for (const [name, change] of HOSTILE)
      expect([name, await forward(token, change)]).toEqual([name, { outcome: 'not_sent', reason: 'refused' }]);
    expect([provider.heard.length, await isSpent(token)]).toEqual([0, false]);
    expect((await forward(token)).outcome).toBe('answered');
    expect((await forward(await w.shop.token(), { step: 'form', body: FORM_BODY })).outcome).toBe('answered');
    expect(provider.heard).toHaveLength(2);
  });
});

describe('a token that is used where it does not belong', () => {
  const REFUSED = { outcome: 'not_sent', reason: 'token' };

  test('is refused like one that does not exist: another account, checkout, order or environment, or spent', async () => {
    const checkout_id = await w.shop.checkout();
    const bound = await w.shop.token({ checkout_id });
    const free = await w.shop.token();
    const other = await w.otherShop();
    const foreign = await other.token();
    const { chance } = w.service.tools;
    const before = provider.heard.length;
    expect(await forward('00'.repeat(32))).toEqual(REFUSED);
    expect(await forward(bound)).toEqual(REFUSED);
    expect(await forward(bound, { checkout_id: await w.shop.checkout() })).toEqual(REFUSED);
    expect(await forward(foreign)).toEqual(REFUSED);
    expect(await forward(free, { merchant_account_id: chance.id() })).toEqual(REFUSED);
    const elsewhere = await w.shop.token();
    await w.sql(`UPDATE vault.cards SET environment = 'production' WHERE token_hash = decode($1, 'hex')`, [
      hashOf(elsewhere),
    ]);
    expect(await forward(elsewhere)).toEqual(REFUSED);
    const old = await w.shop.token();
    await w.sql(`UPDATE vault.cards SET expires_at = vault.now() WHERE token_hash = decode($1, 'hex')`, [hashOf(old)]);
    expect(await forward(old)).toEqual(REFUSED);
    expect(provider.heard).toHaveLength(before);
    expect((await forward(bound, { checkout_id })).outcome).toBe('answered');
    expect(await forward(bound, { checkout_id })).toEqual(REFUSED);
  });

  test('is refused at the API with the same answer as one that does not exist', async () => {
    const other = await w.otherShop();
    const checkout_id = await w.shop.checkout();
    const order = { operation_type: 'authorize', amount: '42.50', currency: 'EUR' };
    let count = 0;
    const asked = async (token: string, fields: object = {}) => {
      const reply = await w.shop.order({ ...order, order_merchant_id: `replay-${count++}`, token, ...fields });
      const { instance: _, ...rest } = JSON.parse(reply.text);
      return [reply.status, rest];
    };
    const unknown = await asked('00'.repeat(32));
    expect(unknown[0]).toBe(400);
    expect(await asked(await other.token())).toEqual(unknown);
    expect(await asked(await w.shop.token({ checkout_id }))).toEqual(unknown);
    expect(await asked(await w.shop.token({ checkout_id }), { checkout_id: await w.shop.checkout() })).toEqual(unknown);
    const spent = await w.shop.token();
    textAt(await w.shop.order({ ...order, order_merchant_id: 'first', token: spent }), 'order_id');
    expect(await asked(spent)).toEqual(unknown);
  });

  test('20 orders at once on one token: exactly one sends it, 25 times over', async () => {
    for (let round = 0; round < 25; round++) {
      const token = await w.shop.token();
      const before = provider.heard.length;
      const answers = await Promise.all(Array.from({ length: 20 }, () => forward(token)));
      expect(answers.filter(({ outcome }) => outcome === 'answered')).toHaveLength(1);
      expect(answers.filter((answer) => JSON.stringify(answer) === JSON.stringify(REFUSED))).toHaveLength(19);
      expect(provider.heard).toHaveLength(before + 1);
    }
  });
});

test('forward against tombstone: exactly one wins, and what the winner says is true, 50 times over', async () => {
  const { vault } = w.service.tools;
  const wins = { forward: 0, tombstone: 0 };
  for (let round = 0; round < 50; round++) {
    const asked = { ...askedOf(w, await w.shop.token(), { destination: 'bank' }), body: JSON_BODY } as Forward;
    const before = provider.heard.length;
    // sometimes one has a little start, sometimes the other
    const first = round % 2 === 0 ? vault.tombstone({ operation_id: asked.operation_id }) : undefined;
    const [sent, stone] = await Promise.all([
      vault.forward(asked),
      first ?? vault.tombstone({ operation_id: asked.operation_id }),
    ]);
    wins[stone.sent ? 'forward' : 'tombstone']++;
    expect(provider.heard.length - before).toBe(stone.sent ? 1 : 0);
    expect(sent).toEqual(
      stone.sent ? expect.objectContaining({ outcome: 'answered' }) : { outcome: 'not_sent', reason: 'tombstone' },
    );
    expect((await vault.tombstone({ operation_id: asked.operation_id })).sent).toBe(stone.sent);
    expect((await vault.forward(asked)).outcome).toBe(stone.sent ? 'already_sent' : 'not_sent');
  }
  expect(wins.forward + wins.tombstone).toBe(50);
});
