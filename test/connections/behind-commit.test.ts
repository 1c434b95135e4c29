// A database that takes nothing any more from the moment on at which it has committed what a request asked for. 503
// says that nothing was accepted (contract 2.5), so that the answer is 500, wherever something is still to be read or
// written for it. Where nothing was committed, 503 stays.
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { DatabaseUnavailable } from '../../src/kit/database.ts';
import { findAccount } from '../../src/payment/merchant/account.ts';
import { removeScenarios } from '../../src/payment/sandbox/scenario.ts';
import { type Person, colleague, firstOwner } from '../backoffice/person.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type Company, openCompany } from '../backoffice/company.ts';
import { changesOfApi } from './behind/api.ts';
import { type Ask, type Change, type Office, desk, fresh, reason } from './behind/desk.ts';
import { changesOfOffice } from './behind/office.ts';
import { restOfOffice } from './behind/rest.ts';
import { signOn } from './behind/sign-on.ts';
import { LastCommit } from './last-commit.ts';

let last: LastCommit;
let w: World;
let owner: Person;
let office: Office;
let company: Company;
beforeAll(async () => {
  last = await LastCommit.open(inject('server').socket_dir);
  const settings = { FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes', FLORIN_CVC_STORE: 'database' };
  w = await world(settings, { socket_dir: last.socket_dir });
  company = await openCompany(w);
  owner = await firstOwner(w);
  const second = await colleague(w, 'operator', 'ben@shop.example');
  await w.sql(`UPDATE payment.members SET since = since - interval '2 days'`);
  await owner.ask('PUT', '/api/settings', { refunds_two_people_above: ['EUR=50'] });
  office = { w, owner, second };
});
afterAll(async () => {
  await company[Symbol.asyncDispose]();
  await w[Symbol.asyncDispose]();
  await last[Symbol.asyncDispose]();
});
afterEach(() => heal());

/** Whether the last commit had come; everything works again. */
async function heal(): Promise<boolean> {
  const was_over = last.heal();
  if (was_over) await until(async () => ((await fetch(`${w.service.addresses.base_url}/ready`)).ok ? true : undefined));
  return was_over;
}

/** What was asked at the back office where nothing was taken behind the commit, as `POST /api/keys`. */
const asked = new Set<string>();

/** What is answered where nothing is taken behind the commit of this statement. */
async function behind(ask: Ask, statement = 'insert_audit_record'): Promise<readonly unknown[]> {
  last.statement = statement;
  const fetching = vi.spyOn(globalThis, 'fetch');
  const answer = await ask();
  for (const [url, init] of fetching.mock.calls)
    asked.add(`${init?.method} ${new URL(url instanceof Request ? url.url : url).pathname}`);
  fetching.mockRestore();
  return [await heal(), answer.status, /"code":"(\d+)"/.exec(answer.text)?.[1]];
}

const at = () => desk(office);

const TABLE: readonly (readonly [of: string, all: readonly Change[]])[] = [
  ['the API', changesOfApi(at)],
  ['the back office', [...changesOfOffice(at), ...restOfOffice(at), ...signOn(at, () => company)]],
];

describe.each(TABLE)('%s', (_, all) => {
  for (const [name, prepare, statement] of all)
    test(`${name} answers 500 where the database goes away behind the commit`, async () => {
      const ask = await prepare();
      expect(await behind(ask, statement)).toEqual([true, 500, '111013']);
    });
});

test('the end of later tries is answered with what its own commit read, and nothing is read behind it', async () => {
  const order_id = await at().declined();
  const ask = () => w.shop.api(`/payment/order/${order_id}/retry`, { method: 'DELETE' });
  expect(await behind(ask, 'end_retry')).toEqual([true, 200, '911111']);
});

test('faults that the simulated provider has forgotten, and the database not, are no 503', async () => {
  const { tools } = w.service;
  const account = await findAccount(tools, w.account);
  if (!account) throw new Error('the demo account is there');
  const tenant = () => {
    throw new DatabaseUnavailable('gone');
  };
  const removing = removeScenarios({ ...tools, db: { ...tools.db, tenant } }, account);
  await expect(removing).rejects.toThrow('behind the commit: gone');
});

describe('503 stays', () => {
  const capture = async () => {
    const id = await at().paid({ operation_type: 'authorize' });
    return () => owner.post(`/api/orders/${id}/capture`, { amount: '5.00', reason });
  };

  test('where only the moment is stored at which the person was seen', async () => {
    const ask = await capture();
    await w.sql(`UPDATE payment.sessions SET seen_at = seen_at - interval '5 minutes'`);
    expect(await behind(ask, 'touch_session')).toEqual([true, 503, '111013']);
    expect((await ask()).status).toBe(200);
  });

  test('where the commit of the change itself finds no room', async () => {
    const ask = await capture();
    await w.sql(`
      CREATE FUNCTION public.no_room() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'No space left on device' USING ERRCODE = 'disk_full';
      END $$;
      CREATE CONSTRAINT TRIGGER no_room AFTER INSERT ON payment.audit DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION public.no_room()`);
    const answer = await ask();
    await w.sql('DROP FUNCTION public.no_room() CASCADE');
    expect([answer.status, answer.at('result.code')]).toEqual([503, '111013']);
    expect((await ask()).status).toBe(200);
  });

  test('where a payment by telephone has its checkout and its record, and no order', async () => {
    const token = await w.shop.token();
    const order_merchant_id = fresh('telephone');
    const form = { token, amount: '25.00', currency: 'EUR', order_merchant_id, operation_type: 'authorize', reason };
    const ask = () => owner.ask('POST', '/api/telephone', form, { 'idempotency-key': order_merchant_id });
    expect(await behind(ask)).toEqual([true, 503, '111013']);
    const orders = () => w.sql('SELECT 1 FROM payment.orders WHERE order_merchant_id = $1', [order_merchant_id]);
    expect(await orders()).toEqual([]);
    expect([(await ask()).status, (await orders()).length]).toEqual([200, 1]);
  });
});

const LAST = 'nothing is asked of the database behind its commit';
const KEEPS_A_QUESTION = 'it keeps a question for a while, and nothing is asked of the database behind that';
const READS = 'it changes nothing';
const ALIKE = 'one handler with POST /api/disputes/:id/answered';

/** Changing routes that are not tried here, each with why. A new one belongs in the table of changes. */
const LEFT: Readonly<Record<string, string>> = {
  'DELETE /api/me/sessions/:id': LAST,
  'DELETE /api/me/totp': LAST,
  'DELETE /api/session': LAST,
  'POST /api/findings/:id/settle': LAST,
  'POST /api/in-doubt/:id/look': LAST,
  'POST /api/me/alarms': LAST,
  'POST /api/me/command-secret': LAST,
  'POST /api/me/password': LAST,
  'POST /api/me/totp/confirm': LAST,
  'POST /api/notifications/deliveries/:notification_id/replay': LAST,
  'POST /api/notifications/replay': LAST,
  'POST /api/providers/:id/test': LAST,
  'POST /api/sandbox/orders': LAST,
  'POST /api/session/account': LAST,
  'POST /api/me/passkeys/options': KEEPS_A_QUESTION,
  'POST /api/me/prove/options': KEEPS_A_QUESTION,
  'POST /api/session/passkey/options': KEEPS_A_QUESTION,
  'POST /api/session/sign-on': KEEPS_A_QUESTION,
  'POST /api/risk/test': READS,
  'POST /api/routing/test': READS,
  'POST /api/session/sign-on/find': READS,
  'POST /api/disputes/:id/accept': ALIKE,
  'POST /api/disputes/:id/submit': ALIKE,
  'POST /api/routing/go-on': 'it needs a rule that was stopped; it writes its record as the other routing rules do',
};

test('every route of the back office that changes something is tried here, or named with why it need not be', () => {
  const context = {
    tools: w.service.tools,
    brand: '',
    two_people: { above: () => 0n, member_hours: 0 },
    secure: false,
  };
  const left = backofficeRoutes(context).filter(({ method, path }) => {
    const form = new RegExp(`^${method} ${path.replace(/:\w+/g, '[^/]+')}$`);
    return method !== 'GET' && ![...asked].some((one) => form.test(one));
  });
  expect(left.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(Object.keys(LEFT).toSorted());
});
