// Who took a card by telephone, and why, stands in the history of its order, also once that person has left the team.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GOOD_CARD, textAt } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Person, colleague, firstOwner } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

type Entry = { readonly kind: string; readonly title: string; readonly who: string; readonly why: string };
type Member = { readonly id: string; readonly email: string };

test('the history of an order says who took its card by telephone, and why', async () => {
  const bob = await colleague(w, 'operator', 'bob@shop.example');
  const key = (await bob.get('/api/telephone')).say('key');
  const token = textAt(await w.shop.vault('/token', { key, body: GOOD_CARD }), 'token');
  const form = {
    token,
    operation_type: 'direct_capture',
    amount: '20.00',
    currency: 'EUR',
    order_merchant_id: 'tel-1',
  };
  const taken = await bob.ask('POST', '/api/telephone', { ...form, reason: 'ordered by telephone' });
  expect(taken.status, taken.text).toBe(200);
  const members = (await owner.get('/api/team')).at('members') as readonly Member[];
  const { id = '' } = members.find(({ email }) => email === 'bob@shop.example') ?? {};
  expect((await owner.post(`/api/team/${id}/remove`, { reason: 'has left the company' })).status).toBe(200);
  const timeline = (await owner.get(`/api/orders/${taken.say('order_id')}`)).at('timeline') as readonly Entry[];
  expect(timeline.filter(({ kind }) => kind === 'person')).toMatchObject([
    { title: 'card taken by telephone', who: 'bob@shop.example', why: 'ordered by telephone' },
  ]);
  expect(timeline[0]?.kind).toBe('person');
});
