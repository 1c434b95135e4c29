// People of the back office: the first link, signing in, a second factor, the team, keys, settings, contracts.
import { totpCode, totpStep } from '../../../src/kit/person/totp.ts';
import { PASSWORD, Person } from '../../backoffice/person.ts';
import type { Area, Stage } from '../stage.ts';
import { fromBase32 } from '../../base32.ts';

const reason = 'a change of the team';

export const people: Area = {
  name: 'people',
  play: async (stage) => {
    const owner = await first(stage);
    await sessions(stage, owner);
    await secondFactor(stage, owner);
    await team(stage, owner);
    await keys(stage, owner);
    await settings(stage, owner);
    await contracts(stage, owner);
  },
};

const named = (scene: Stage['scene'], person: Person, name: string) => {
  scene.stable.name(person.cookie, name);
  return person;
};

async function first({ w, title, scene }: Stage): Promise<Person> {
  title('The first owner');
  const token = w.service.first_link?.split('/').at(-1) ?? '';
  const owner = new Person(w);
  await owner.get('/api/session');
  await owner.get(`/api/welcome/${token}`);
  await owner.get(`/api/welcome/${'A'.repeat(43)}`);
  await owner.post(`/api/welcome/${token}`, { name: 'Ada', email: 'nobody', password: 'short' });
  await owner.post(`/api/welcome/${token}`, { name: 'Ada', email: 'ada@shop.example', password: 'ada@shop.example' });
  await owner.post(`/api/welcome/${token}`, { name: 'Ada', email: 'ada@shop.example', password: PASSWORD });
  named(scene, owner, 'owner');
  await owner.get(`/api/welcome/${token}`);
  await owner.get('/api/session');
  await owner.get('/api/me');
  return owner;
}

async function sessions({ w, title, scene }: Stage, owner: Person): Promise<void> {
  title('Signing in and out');
  const again = new Person(w);
  await again.logIn('ada@shop.example', 'not the password');
  await again.logIn('eve@shop.example', 'not the password');
  await again.post('/api/session', {});
  await again.logIn('Ada@Shop.Example ');
  const other = new Person(w);
  await other.logIn('ada@shop.example');
  named(scene, other, 'owner, elsewhere');
  const me = await other.get('/api/me');
  const state = await other.get('/api/session');
  await owner.post('/api/session/account', { account_id: state.say('session.account.id') });
  await owner.post('/api/session/account', { account_id: 'f'.repeat(24) });
  await other.ask('DELETE', `/api/me/sessions/${me.say('sessions.1.id')}`);
  await other.ask('DELETE', `/api/me/sessions/${me.say('sessions.1.id')}`);
  await other.ask('DELETE', '/api/session');
  await other.get('/api/me');
  await owner.logIn('ada@shop.example');
  named(scene, owner, 'owner');
  await owner.post('/api/me/prove', { password: 'wrong wrong wrong' });
  await owner.post('/api/me/prove', { password: PASSWORD });
  await owner.post('/api/me/command-secret');
  await owner.post('/api/me/password', { password: 'x', new_password: 'another good password of mine' });
  await owner.post('/api/me/password', { password: PASSWORD, new_password: 'short' });
  await owner.post('/api/me/password', { password: PASSWORD, new_password: 'another good password of mine' });
  await owner.post('/api/me/password', { password: 'another good password of mine', new_password: PASSWORD });
}

async function secondFactor({ w, title, scene }: Stage, owner: Person): Promise<void> {
  title('A second factor');
  await owner.post('/api/me/totp', { password: 'wrong wrong wrong' });
  await owner.post('/api/me/totp/confirm', { code: '000000' });
  const offer = await owner.post('/api/me/totp', { password: PASSWORD });
  await owner.post('/api/me/totp/confirm', { code: 'x' });
  const secret = fromBase32(offer.say('secret'));
  const code = async (ahead = 0) => {
    const [row] = await w.sql<{ s: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS s');
    const drawn = totpCode(secret, totpStep(row?.s ?? 0) + ahead);
    scene.stable.name(drawn, '{code}');
    return drawn;
  };
  const confirmed = await owner.post('/api/me/totp/confirm', { code: await code() });
  await owner.post('/api/me/totp', { password: PASSWORD });
  const ticketed = new Person(w);
  const ticket = (await ticketed.logIn('ada@shop.example')).say('ticket');
  await ticketed.post('/api/session/totp', { ticket, code: '1' });
  await ticketed.post('/api/session/totp', { ticket, code: confirmed.say('codes.0') });
  named(scene, ticketed, 'owner, by a recovery code');
  await ticketed.get('/api/me');
  await w.sql(`UPDATE payment.people SET totp_step = 0`);
  await owner.ask('DELETE', '/api/me/totp', { password: PASSWORD, code: 'x' });
  await owner.ask('DELETE', '/api/me/totp', { password: PASSWORD, code: await code() });
}

async function team({ w, title, scene }: Stage, owner: Person): Promise<void> {
  title('The team');
  await owner.get('/api/team');
  const offer = await owner.post('/api/team/invitations', { email: 'Ben@shop.example', role: 'operator' });
  await owner.post('/api/team/invitations', { email: 'nobody', role: 'king' });
  await owner.post('/api/team/invitations', { email: 'ada@shop.example', role: 'reader' });
  const token = offer.say('link').split('/').at(-1) ?? '';
  const ben = new Person(w);
  await ben.get(`/api/welcome/${token}`);
  await ben.post(`/api/welcome/${token}`, { name: 'Ben', password: PASSWORD });
  named(scene, ben, 'ben');
  const open = await owner.post('/api/team/invitations', { email: 'eve@shop.example', role: 'reader' });
  await owner.ask('DELETE', `/api/team/invitations/${open.say('invitations.0.id')}`);
  await owner.ask('DELETE', `/api/team/invitations/${open.say('invitations.0.id')}`);
  const id = (await ben.get('/api/me')).say('person.id');
  await owner.ask('PUT', `/api/team/${id}`, { role: 'administrator', reason });
  await owner.ask('PUT', `/api/team/${id}`, { role: 'x', reason: '' });
  const own = (await owner.get('/api/me')).say('person.id');
  await ben.ask('PUT', `/api/team/${own}`, { role: 'reader', reason });
  await owner.ask('PUT', `/api/team/${own}`, { role: 'reader', reason });
  for (let i = 0; i < 5; i++) await scene.aside(() => new Person(w).logIn('ben@shop.example', 'wrong wrong wrong'));
  await new Person(w).logIn('ben@shop.example');
  await owner.get('/api/team');
  await owner.post(`/api/team/${id}/unlock`);
  await owner.ask('DELETE', `/api/team/${id}/sessions`);
  await ben.get('/api/me');
  await owner.post(`/api/team/${id}/remove`, { reason });
  await owner.post(`/api/team/${id}/remove`, { reason });
  await new Person(w).logIn('ben@shop.example');
}

async function keys({ title, scene, shop }: Stage, owner: Person): Promise<void> {
  title('Keys');
  await owner.get('/api/keys');
  const made = await owner.post('/api/keys', { kind: 'private', label: 'server', scopes: ['read', 'refunds'] });
  const id = made.say('id');
  await owner.post('/api/keys', { kind: 'private', label: 'one too many' });
  await owner.post('/api/keys', { kind: 'public', label: 'page', scopes: ['read'] });
  await owner.post('/api/keys', { kind: 'public', label: 'brought', text: 'sk_old_gateway_4711-abcdefgh' });
  await owner.post('/api/keys', { kind: 'secret', label: '', text: 'short', scopes: ['all'] });
  await shop.api('/payment/order?limit=1', { key: made.say('text') });
  await shop.api('/payment/checkout', { key: made.say('text'), body: {} });
  await scene.aside(() => shop.api('/payment/order'));
  await owner.post(`/api/keys/${id}/revoke`, { reason });
  await owner.post(`/api/keys/${id}/revoke`, { reason });
  const second = await owner.post('/api/keys', { kind: 'private', label: 'second' });
  await owner.post(`/api/keys/${second.say('id')}/roll`, { overlap_hours: 1, reason });
  await owner.post(`/api/keys/${second.say('id')}/revoke`, { reason });
  await owner.post(`/api/keys/${second.say('id')}/roll`, { overlap_hours: 1000, reason: '' });
}

async function settings({ title }: Stage, owner: Person): Promise<void> {
  title('Settings');
  await owner.get('/api/settings');
  await owner.ask('PUT', '/api/settings', {
    display_save: true,
    page_colour: '#224466',
    registered_origins: ['https://shop.example'],
  });
  await owner.ask('PUT', '/api/settings', { wait_refund: 99, page_colour: 'blue', display_save: true, no_such: 1 });
  await owner.ask('PUT', '/api/settings', { display_save: null, page_colour: null, registered_origins: null });
}

async function contracts({ title, scene }: Stage, owner: Person): Promise<void> {
  title('Contracts');
  const all = await owner.get('/api/providers');
  const id = all.say('contracts.0.id');
  await owner.post(`/api/providers/${id}/test`);
  await owner.ask('PUT', `/api/providers/${id}`, { enabled: false, reason });
  await owner.ask('PUT', `/api/providers/${id}`, {
    enabled: true,
    priority: 5,
    currencies: ['EUR', 'USD'],
    methods: ['visa'],
    countries: ['FR'],
    reason,
  });
  await owner.ask('PUT', `/api/providers/${id}`, { currencies: ['XXX'], priority: 0, reason });
  await owner.post('/api/providers', { name: 'third', provider: 'simulator_b', reason });
  await owner.post('/api/providers', { name: 'third', provider: 'simulator_b', reason });
  await owner.post('/api/providers', { name: 'no blanks', provider: 'nobody', reason });
  await owner.post(`/api/providers/${id}/credentials`, { values: { api_key: 'invalid-key' }, reason });
  await owner.post(`/api/providers/${id}/test`);
  await owner.post(`/api/providers/${id}/credentials`, { values: { no_such: 'x' }, reason });
  await owner.post(`/api/providers/${id}/credentials`, { values: { api_key: ' blank ' }, reason });
  await scene.aside(() => owner.get('/api/providers'));
}
