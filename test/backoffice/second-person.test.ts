// Where two people must agree they are two: neither a second address of the first nor a name at the command line.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command } from '../command.ts';
import { textAt, until } from '../client.ts';
import { keepClosed } from '../provider-hold.ts';
import { type World, world } from '../world.ts';
import { PASSWORD, Person, colleague, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world({ FLORIN_SIMULATOR_DEADLINE_S: '1' });
  owner = await firstOwner(w);
  // an inquiry that is never answered is repeated, and after five in a row nothing would be sent
  await keepClosed(w);
  const scenario = { operation: 'inquiry', fault: 'http_500_before', times: 100 };
  const armed = await w.shop.api('/sandbox/scenario', { body: scenario });
  if (armed.status !== 200) throw new Error(`the scenario was refused: ${armed.text}`);
});
afterAll(() => w[Symbol.asyncDispose]());

const said = { as: 'done', reason: 'seen in the file of the bank', provider_ref: 'ref-1' };
const rule = (person: Person, operation: string) => person.post(`/api/in-doubt/${operation}/rule`, said);

let count = 0;

/** A capture that the bank never answered, as an operation in doubt. */
async function inDoubt(amount: string, currency = 'EUR'): Promise<string> {
  const order_merchant_id = `two-people-${++count}`;
  const money = { operation_type: 'authorize', amount, currency, order_merchant_id };
  const order = await w.shop.order({ token: await w.shop.token(), ...money }, { prefer: 'wait=10' });
  const order_id = textAt(order, 'order_id');
  const scenario = { operation: 'capture', fault: 'http_500_before', times: 100, match: { order_merchant_id } };
  await w.shop.api('/sandbox/scenario', { body: scenario });
  await w.shop.api(`/payment/maintenance/capture/${order_id}`, { body: {}, headers: { prefer: 'wait=1' } });
  return until(async () => {
    const [row] = await w.sql<{ id: string }>(
      `SELECT encode(id, 'hex') AS id FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'capture' AND state = 'in_doubt'`,
      [order_id],
    );
    return row?.id;
  });
}

/** As if everybody had been a member for so much longer. */
async function older(interval: string): Promise<void> {
  await w.sql(`UPDATE payment.members SET since = since - $1::interval`, [interval]);
}

test('an owner who invites a second address of their own stays one person, also after a day, and whichever speaks first', async () => {
  const operation = await inDoubt('2000.00');
  expect((await rule(owner, operation)).at('kind')).toBe('waits');
  const second = await invited(w, owner, 'owner', 'second-address@shop.example');
  const soon = await rule(second, operation);
  expect([soon.at('kind'), soon.at('detail')]).toEqual(['waits', expect.stringContaining('24 hours')]);
  await older('2 days');
  const later = await rule(second, operation);
  expect([later.at('kind'), later.at('detail')]).toEqual([
    'waits',
    expect.stringContaining('second-address@shop.example was invited by ada@shop.example'),
  ]);
  // a third address, invited by the second: the line leads back to the same person
  const third = await invited(w, second, 'owner', 'third-address@shop.example');
  await older('2 days');
  expect((await rule(third, operation)).at('kind')).toBe('waits');
  // and again the first, behind those they invited lately
  expect((await rule(owner, operation)).at('kind')).toBe('waits');
  const colleague_of_years = await colleague(w, 'operator', 'ben@shop.example');
  expect((await rule(colleague_of_years, operation)).at('kind')).toBe('settled');
});

test('a member of the team counts as one of a day by the sandbox’s own clock', async () => {
  const operation = await inDoubt('2000.00');
  const grace = await colleague(w, 'operator', 'grace@shop.example');
  await w.sql(`UPDATE payment.members SET since = payment.now()`);
  expect((await rule(grace, operation)).at('kind')).toBe('waits');
  expect((await rule(owner, operation)).at('kind')).toBe('waits');
  await w.sql(`UPDATE payment.clock SET shift = shift + interval '25 hours'`);
  expect((await rule(grace, operation)).at('kind')).toBe('settled');
});

test('each of the two people who settle has given their password lately', async () => {
  await older('2 days');
  const operation = await inDoubt('2000.00');
  await w.sql(`UPDATE payment.sessions SET proved_at = proved_at - interval '11 minutes'`);
  const refused = await rule(owner, operation);
  expect([refused.status, refused.at('errors.0.field')]).toEqual([400, 'proof']);
  expect((await owner.post('/api/me/prove', { password: 'wrong wrong wrong' })).status).toBe(400);
  expect((await rule(owner, operation)).at('errors.0.field')).toBe('proof');
  expect((await owner.post('/api/me/prove', { password: PASSWORD })).status).toBe(200);
  expect((await rule(owner, operation)).at('kind')).toBe('waits');
});

test('the limit is of the currency: 1,000 dinars take one person, 1,000.001 two', async () => {
  const small = await inDoubt('1000.000', 'KWD');
  const large = await inDoubt('1000.001', 'KWD');
  const list = JSON.stringify((await owner.get('/api/in-doubt')).at('operations'));
  expect(list).toMatch(new RegExp(`"operation_id":"${small}".*?"two_people":false`));
  expect(list).toMatch(new RegExp(`"operation_id":"${large}".*?"two_people":true`));
});

const florin = (...args: readonly string[]) => command(w, args);

test('at the command line two names are nobody; two members with a secret of their own are two', async () => {
  const operation = await inDoubt('1500.00');
  const words = ['--as', 'done', '--reason', said.reason, '--reference', 'ref-1'];
  const settle = (...more: readonly string[]) => florin('review', 'settle', operation, ...words, ...more);
  for (const name of ['anna', 'ben'])
    expect(await settle('--by', name)).toMatchObject({ code: 1, err: expect.stringContaining('--secret-file') });
  const hedy = await colleague(w, 'operator', 'hedy@shop.example');
  await older('2 days');
  const folder = mkdtempSync(join(tmpdir(), 'florin-secrets-'));
  const fileOf = async (person: Person, name: string) => {
    const path = join(folder, name);
    writeFileSync(path, (await person.post('/api/me/command-secret')).say('secret'), { mode: 0o600 });
    return path;
  };
  const [of_owner, of_hedy] = [await fileOf(owner, 'owner'), await fileOf(hedy, 'hedy')];
  const first = await settle('--by', 'ada@shop.example', '--secret-file', of_owner);
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('nothing is settled yet')]);
  const wrong = await settle('--by', 'hedy@shop.example', '--secret-file', of_owner);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('do not belong together')]);
  const second = await settle('--by', 'hedy@shop.example', '--secret-file', of_hedy);
  expect([second.code, second.out]).toEqual([0, expect.stringContaining('is successful')]);
}, 180_000);
