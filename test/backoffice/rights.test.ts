// Who may do what: every route of the back office against every role, written down here apart from the table in src.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { type World, world } from '../world.ts';
import { Person, firstOwner, invited } from './person.ts';

const ROLES = ['owner', 'administrator', 'developer', 'operator', 'reader'] as const;
const ALL = 'o a d p r';

/** Letters: owner, administrator, developer, operator, reader. `me`: whoever is signed in. `open`: anybody. */
const TABLE: Readonly<Record<string, string>> = {
  'GET /api/session': 'open',
  'POST /api/session': 'open',
  'POST /api/session/totp': 'open',
  'POST /api/session/sign-on/find': 'open',
  'POST /api/session/sign-on': 'open',
  'POST /api/session/sign-on/finish': 'open',
  'GET /api/sign-on': 'o a',
  'PUT /api/sign-on': 'o a',
  'POST /api/sign-on/remove': 'o a',
  'POST /api/session/passkey/options': 'open',
  'POST /api/session/passkey': 'open',
  'GET /api/welcome/:token': 'open',
  'POST /api/welcome/:token': 'open',
  'DELETE /api/session': 'me',
  'POST /api/session/account': 'me',
  'GET /api/me': 'me',
  'POST /api/me/password': 'me',
  'POST /api/me/totp': 'me',
  'POST /api/me/totp/confirm': 'me',
  'DELETE /api/me/totp': 'me',
  'DELETE /api/me/sessions/:id': 'me',
  'POST /api/me/prove/options': 'me',
  'POST /api/me/prove/passkey': 'me',
  'POST /api/me/passkeys/options': 'me',
  'POST /api/me/passkeys': 'me',
  'DELETE /api/me/passkeys/:id': 'me',
  'GET /api/team': 'o a',
  'POST /api/team/invitations': 'o a',
  'DELETE /api/team/invitations/:id': 'o a',
  'POST /api/team/roles': 'o a',
  'PUT /api/team/roles/:id': 'o a',
  'POST /api/team/roles/:id/remove': 'o a',
  'PUT /api/team/:id': 'o a',
  'POST /api/team/:id/remove': 'o a',
  'DELETE /api/team/:id/sessions': 'o a',
  'POST /api/team/:id/unlock': 'o a',
  'GET /api/telephone': 'o a p',
  'POST /api/telephone': 'o a p',
  'GET /api/links': ALL,
  'POST /api/links': 'o a p',
  'GET /api/links/:link_id': ALL,
  'POST /api/links/:link_id': 'o a p',
  'GET /api/links/:link_id/orders': ALL,
  'GET /api/refund-requests': ALL,
  'POST /api/refund-requests/:id/approve': 'o a p',
  'POST /api/refund-requests/:id/decline': 'o a p',
  'POST /api/me/prove': 'me',
  'POST /api/me/alarms': 'me',
  'POST /api/me/command-secret': 'me',
  'GET /api/audit': 'o a',
  'GET /api/audit/verify': 'o a',
  'GET /api/audit/export': 'o a',
  'GET /api/keys': 'o a d',
  'POST /api/keys': 'o a d',
  'POST /api/keys/:id/roll': 'o a d',
  'POST /api/keys/:id/revoke': 'o a d',
  'GET /api/settings': ALL,
  'PUT /api/settings': 'o a d',
  'GET /api/providers': ALL,
  'POST /api/providers': 'o a',
  'PUT /api/providers/:id': 'o a',
  'POST /api/providers/:id/credentials': 'o a',
  'POST /api/providers/:id/test': 'o a',
  'POST /api/providers/:id/fees': 'o a',
  'POST /api/providers/:id/hold': 'o a p',
  'GET /api/orders': ALL,
  'GET /api/currencies': ALL,
  'GET /api/orders/export': 'o a p',
  'GET /api/orders/:id': ALL,
  'GET /api/orders/:id/related': ALL,
  'POST /api/orders/:order_id/capture': 'o a p',
  'POST /api/orders/:order_id/refund': 'o a p',
  'POST /api/orders/:order_id/cancel': 'o a p',
  'GET /api/orders/:order_id/notes': ALL,
  'POST /api/orders/:order_id/notes': 'o a d p',
  'DELETE /api/orders/:order_id/notes/:id': 'o a d p',
  'GET /api/views': ALL,
  'PUT /api/views': ALL,
  'DELETE /api/views/:id': ALL,
  'GET /api/in-doubt': ALL,
  'GET /api/retries': ALL,
  'POST /api/orders/:id/stop-retries': 'o a p',
  'GET /api/findings': ALL,
  'POST /api/findings/:id/settle': 'o a p',
  'GET /api/parked-messages': ALL,
  'POST /api/parked-messages/:contract_id/set-aside': 'o a p',
  'POST /api/in-doubt/:id/look': 'o a p',
  'POST /api/in-doubt/:id/rule': 'o a p',
  'GET /api/disputes': ALL,
  'GET /api/disputes/due': ALL,
  'GET /api/disputes/:id': ALL,
  'GET /api/disputes/:id/evidence': 'o a p',
  'PUT /api/disputes/:id/evidence': 'o a p',
  'PUT /api/disputes/:id/files': 'o a p',
  'GET /api/disputes/:id/files/:field': 'o a p',
  'DELETE /api/disputes/:id/files/:field': 'o a p',
  'POST /api/disputes/:id/submit': 'o a p',
  'POST /api/disputes/:id/accept': 'o a p',
  'POST /api/disputes/:id/answered': 'o a p',
  'GET /api/reports': 'o a p',
  'POST /api/reports': 'o a p',
  'DELETE /api/reports/:id': 'o a p',
  'GET /api/reports/:id/file': 'o a p',
  'DELETE /api/reports/:id/file': 'o a p',
  'GET /api/customers': ALL,
  'GET /api/customers/one': ALL,
  'GET /api/customers/data': 'o a p',
  'GET /api/customers/erasures': ALL,
  'POST /api/customers/erase': 'o',
  'GET /api/guests/data': 'o a p',
  'POST /api/guests/erase': 'o',
  'DELETE /api/customers/card': 'o a p',
  'GET /api/overview': ALL,
  'GET /api/needs': ALL,
  'GET /api/notifications': ALL,
  'GET /api/notifications/deliveries': ALL,
  'POST /api/notifications/endpoints': 'o a d',
  'DELETE /api/notifications/endpoints/:endpoint_id': 'o a d',
  'POST /api/notifications/endpoints/:endpoint_id/activate': 'o a d',
  'POST /api/notifications/endpoints/:endpoint_id/secret': 'o a d',
  'POST /api/notifications/endpoints/:endpoint_id/test': 'o a d',
  'POST /api/notifications/deliveries/:notification_id/replay': 'o a d',
  'POST /api/notifications/replay': 'o a d',
  'GET /api/requests': 'o a d',
  'GET /api/requests/check': 'o a d',
  'GET /api/routing': ALL,
  'GET /api/routing/versions': ALL,
  'GET /api/routing/cells': ALL,
  'GET /api/routing/learnt': ALL,
  'POST /api/routing/go-on': 'o a p',
  'GET /api/experiments': ALL,
  'POST /api/experiments': 'o a p',
  'POST /api/experiments/:number/end': 'o a p',
  'POST /api/routing/test': 'o a p',
  'POST /api/routing/publish': 'o a p',
  'POST /api/routing/roll-back': 'o a p',
  'GET /api/risk': ALL,
  'GET /api/risk/versions': ALL,
  'GET /api/risk/lists': ALL,
  'POST /api/risk/test': 'o a p',
  'POST /api/risk/publish': 'o a p',
  'POST /api/risk/roll-back': 'o a p',
  'POST /api/risk/lists': 'o a p',
  'DELETE /api/risk/lists/:id': 'o a p',
  'GET /api/sandbox': 'o a d p',
  'GET /api/sandbox/mails': 'o a d p',
  'POST /api/sandbox/clock': 'o a d p',
  'POST /api/sandbox/scenarios': 'o a d p',
  'DELETE /api/sandbox/scenarios': 'o a d p',
  'POST /api/sandbox/orders': 'o a d p',
};
const LETTER: Readonly<Record<(typeof ROLES)[number], string>> = {
  owner: 'o',
  administrator: 'a',
  developer: 'd',
  operator: 'p',
  reader: 'r',
};

let w: World;
const people = new Map<string, Person>();
beforeAll(async () => {
  w = await world();
  const owner = await firstOwner(w);
  people.set('owner', owner);
  for (const role of ROLES.slice(1)) people.set(role, await invited(w, owner, role));
});
afterAll(() => w[Symbol.asyncDispose]());

const filled = (path: string) => path.replace(/:\w+/g, 'f'.repeat(24));

test('the table names every route there is', () => {
  const desk = {
    tools: w.service.tools,
    brand: 'florin',
    two_people: { above: () => 0n, member_hours: 24 },
    secure: false,
  };
  const routes = backofficeRoutes(desk).map(({ method, path }) => `${method} ${path}`);
  expect(routes.toSorted()).toEqual(Object.keys(TABLE).toSorted());
});

test('every route lets in the roles of the table and refuses the others, and whoever is signed out', async () => {
  const wrong: string[] = [];
  for (const [route, letters] of Object.entries(TABLE)) {
    const [method = '', path = ''] = route.split(' ');
    if (letters === 'open') continue;
    const out = await new Person(w).ask(method, filled(path), method === 'GET' ? undefined : {});
    if (out.status !== 401) wrong.push(`${route} signed out: ${out.status}`);
    for (const role of ROLES) {
      // these end the session they are asked with
      if (letters === 'me' && method !== 'GET') continue;
      const answer = await people.get(role)?.ask(method, filled(path), method === 'GET' ? undefined : {});
      const allowed = letters === 'me' || letters.split(' ').includes(LETTER[role]);
      if (allowed !== (answer?.status !== 403)) wrong.push(`${route} as ${role}: ${answer?.status}`);
      if (answer?.status === 401 || (answer?.status ?? 500) >= 500)
        wrong.push(`${route} as ${role}: ${answer?.status}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('every change without the token of its session is refused, whatever the role', async () => {
  const wrong: string[] = [];
  for (const [route, letters] of Object.entries(TABLE)) {
    const [method = '', path = ''] = route.split(' ');
    if (letters === 'open' || method === 'GET') continue;
    const answer = await people.get('owner')?.ask(method, filled(path), {}, { 'x-csrf-token': 'x' });
    if (answer?.status !== 403) wrong.push(`${route}: ${answer?.status}`);
  }
  expect(wrong).toEqual([]);
});

test('a role that is taken away is gone with the next request', async () => {
  const person = people.get('developer');
  const owner = people.get('owner');
  const id = (await person?.get('/api/me'))?.say('person.id');
  expect((await person?.get('/api/keys'))?.status).toBe(200);
  await owner?.ask('PUT', `/api/team/${id}`, { role: 'reader', reason: 'is on leave' });
  expect((await person?.get('/api/keys'))?.status).toBe(403);
});

test('a refusal calls a role as the pages do: a reader is a viewer', async () => {
  const refused = await people.get('reader')?.post('/api/keys', {});
  expect([refused?.status, refused?.at('detail')]).toEqual([403, 'the role viewer may not do this']);
});
