// Headers that every route checks, those of the back office too (contract 2.9).
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Person, firstOwner } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

describe('an Idempotency-Key that is none', () => {
  test.each([
    ['has 256 characters', 'k'.repeat(256)],
    ['has 4,000 characters', 'k'.repeat(4000)],
    ['has a space', 'a b'],
    ['is not ASCII', 'caf\u00e9'],
  ])('is refused where it %s, and nothing is done', async (_, key) => {
    const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
    const form = { amount: '5.00', reason: 'first parcel' };
    for (const path of [`/api/orders/${order_id}/capture`, '/api/team/invitations', '/api/session']) {
      const answer = await owner.ask('POST', path, form, { 'idempotency-key': key });
      expect([path, answer.status, answer.at('result.code')]).toEqual([path, 400, '111012']);
      expect(answer.at('errors.0.field')).toBe('Idempotency-Key');
    }
    expect((await w.shop.read(order_id)).at('status')).toBe('authorization_successful');
  });

  test('with 255 characters is one, and a version is nothing to the back office', async () => {
    const order_id = textAt(await w.shop.pay({}, { operation_type: 'authorize' }), 'order_id');
    const form = { amount: '5.00', reason: 'first parcel' };
    const headers = { 'idempotency-key': 'k'.repeat(255), version: 'none' };
    expect((await owner.ask('POST', `/api/orders/${order_id}/capture`, form, headers)).status).toBe(200);
  });
});
