// A client that is older than the API, and one that is newer: at a real Florin, with answers changed on their way.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Florin } from '../../client/src/florin.ts';
import { openVault } from '../../client/src/vault.ts';
import { GOOD_CARD } from '../client.ts';
import { type World, world } from '../world.ts';

type Json = Record<string, unknown>;
type Change = (body: Json, status: number) => Json;

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w[Symbol.asyncDispose]());

/** A client whose API answers so. */
function clientOf(change: Change) {
  const changed = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    const body: Json = JSON.parse(await response.text());
    return Response.json(change(body, response.status), { status: response.status, headers: response.headers });
  };
  const { base_url, vault_url } = w.service.addresses;
  return {
    florin: new Florin({ base_url, key: w.keys.private_key, fetch: changed }),
    vault: openVault({ vault_url, key: w.keys.public_key, fetch: changed }),
  };
}

let carts = 0;
async function pay({ florin, vault }: ReturnType<typeof clientOf>, card_number: string = GOOD_CARD.card_number) {
  const { token } = await vault.tokenize({ ...GOOD_CARD, card_number });
  const order = {
    operation_type: 'direct_capture',
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id: `v-${carts++}`,
  } as const;
  return florin.orders.create({ ...order, token }, { wait_seconds: 10 });
}

/** New members at every place, as any release may bring them. */
function grown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(grown);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, grown(member)]);
  return { ...Object.fromEntries(members), brand_new: { kind: 'approved', list: [1] }, kind: 'declined', repeat: 7 };
}

describe('a client that is older than the API', () => {
  test('goes by members that it does not know', async () => {
    const both = clientOf((body) => grown(body) as Json);
    const outcome = await pay(both);
    expect(outcome).toMatchObject({ kind: 'approved', captured: true });
    const order_id = outcome.order_id ?? '';
    expect(await both.florin.orders.refund(order_id, { amount: '1' })).toMatchObject({ kind: 'done' });
    await expect(both.florin.orders.refund(order_id, { amount: '99' })).rejects.toMatchObject({
      reason: 'refund_above_captured',
    });
    for await (const order of both.florin.orders.list({ limit: 1 })) {
      expect(order.order_id).toBe(order_id);
      break;
    }
  });

  test('gives a code that it does not know by its digits, and goes by the status', async () => {
    const code = (body: Json) => ({ ...body, result: { code: '420177', description: '' } });
    expect(await pay(clientOf(code), '4000000000009995')).toMatchObject({
      kind: 'declined',
      code: '420177',
      reason: '420177',
      same_card_may_be_tried: true,
    });
    const refused = clientOf((body, status) => (status === 409 ? code(body) : body));
    const order_id = (await pay(refused)).order_id ?? '';
    await expect(refused.florin.orders.cancel(order_id)).rejects.toMatchObject({ status: 409, reason: '420177' });
  });

  test('is in doubt of a status that it does not know, and of an operation’s code: it never guesses', async () => {
    const status = clientOf((body) => ('status' in body ? { ...body, status: 'capture_being_thought_of' } : body));
    expect(await pay(status)).toMatchObject({ kind: 'in_doubt', order: { status: 'capture_being_thought_of' } });
    const order_id = (await pay(clientOf((body) => body))).order_id ?? '';
    const operation = clientOf((body) => ({ ...body, result: { code: '629999', description: '' } }));
    expect(await operation.florin.orders.refund(order_id, { amount: '1' })).toMatchObject({ kind: 'in_doubt' });
  });
});

describe('a client that is newer than the API', () => {
  test('needs of an order no more than its id, status and code', async () => {
    const only = (body: Json) =>
      'order_id' in body
        ? {
            result: body['result'],
            order_id: body['order_id'],
            status: body['status'],
            redirect_url: body['redirect_url'],
          }
        : body;
    expect(await pay(clientOf(only), '4000000000009995')).toMatchObject({
      kind: 'declined',
      reason: 'funds_insufficient',
    });
    // without is_captured nothing says that the money is taken
    expect(await pay(clientOf(only))).toMatchObject({ kind: 'approved', captured: false });
  });

  test('says of an error without details what it can', async () => {
    const bare = clientOf((body, status) => (status >= 400 ? { result: body['result'] } : body));
    await expect(bare.florin.orders.read('0'.repeat(24))).rejects.toMatchObject({
      status: 404,
      slug: '',
      detail: '',
      errors: [],
    });
  });

  test('is told of a route that is not there yet', async () => {
    const { base_url } = w.service.addresses;
    const old = new Florin({
      base_url,
      key: w.keys.private_key,
      fetch: (url, init) => fetch(url.replace('/activate', '/not-yet'), init),
    });
    await expect(old.endpoints.activate('0'.repeat(24))).rejects.toMatchObject({
      status: 404,
      reason: 'route_unknown',
    });
  });

  test('sends fields that are not there yet, and is paid', async () => {
    const both = clientOf((body) => body);
    const { token } = await both.vault.tokenize(GOOD_CARD);
    const request = {
      operation_type: 'direct_capture',
      amount: '1',
      currency: 'EUR',
      order_merchant_id: 'new',
      token,
      field_of_next_year: true,
    } as const;
    expect(await both.florin.orders.create(request, { wait_seconds: 10 })).toMatchObject({ kind: 'approved' });
  });
});
