// Alarms by mail: what needs a person goes to those who asked for it, each alarm once a day and person.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alarmsOf, tellAlarms } from '../../src/backoffice/alarm/alarms.ts';
import { alarms as alarmJob } from '../../src/hosts/noting.ts';
import type { Needs } from '../../src/backoffice/wire/overview.ts';
import { type Person, firstOwner, invited } from '../backoffice/person.ts';
import { type World, world } from '../world.ts';
import { mailServer, settingsOf } from './server.ts';

const NOW = new Date('2026-03-10T12:00:00Z');
const WELL: Needs = {
  in_doubt: [],
  disputes: [],
  findings: [],
  refunds_waiting: 0,
  notifications: { endpoints: 1, waiting: 0, failing_endpoints: 0 },
  providers: [{ name: 'simulator', health: 'well' }],
  keys_ending: [],
};
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000).toISOString();
const named = (needs: Partial<Needs>) => alarmsOf({ ...WELL, ...needs }, NOW).map(({ name }) => name);

test('no alarm comes of what is well, of doubt that is young, or of a dispute that has time', () => {
  expect(named({})).toEqual([]);
  const sum = { currency: 'EUR', amount_minor: 100, count: 1 };
  expect(named({ in_doubt: [{ ...sum, oldest_at: hours(-0.9) }] })).toEqual([]);
  expect(named({ in_doubt: [{ ...sum, oldest_at: null }] })).toEqual([]);
  expect(named({ disputes: [{ ...sum, next_due_at: hours(73) }] })).toEqual([]);
  expect(named({ in_doubt: [{ ...sum, oldest_at: hours(-1) }] })).toEqual(['in doubt']);
  expect(named({ disputes: [{ ...sum, next_due_at: hours(72) }] })).toEqual(['disputes']);
  expect(named({ disputes: [{ ...sum, next_due_at: hours(-1) }] })).toEqual(['disputes']);
});

test('each kind of trouble is an alarm of its own, with how much of it there is and the page to look at', () => {
  const all = alarmsOf(
    {
      in_doubt: [{ currency: 'EUR', amount_minor: 1, count: 2, oldest_at: hours(-5) }],
      disputes: [{ currency: 'EUR', amount_minor: 1, count: 1, next_due_at: hours(5) }],
      findings: [
        { currency: 'EUR', amount_minor: 100, count: 1, oldest_at: hours(-1) },
        { currency: 'USD', amount_minor: 100, count: 1, oldest_at: hours(-1) },
      ],
      refunds_waiting: 1,
      notifications: { endpoints: 2, waiting: 7, failing_endpoints: 2 },
      providers: [
        { name: 'adyen', health: 'down' },
        { name: 'stripe', health: 'down' },
      ],
      keys_ending: [{ label: 'Shop', ends_at: hours(5) }],
    },
    NOW,
  );
  expect(all.map(({ subject, path }) => [subject, path])).toEqual([
    ['1 dispute has to be answered soon', '/disputes'],
    ['The outcome of 2 payments is not known', '/in-doubt'],
    ["2 differences from providers' books are open", '/findings'],
    ['1 refund waits for a second person', '/in-doubt'],
    ['2 notification endpoints cannot be reached', '/notifications'],
    ['The provider adyen does not respond', '/providers'],
    ['The provider stripe does not respond', '/providers'],
    ['1 API key ends within three days', '/keys'],
  ]);
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
});
afterAll(() => w[Symbol.asyncDispose]());

const mails = () =>
  w.sql<{ address: string; state: string }>(
    `SELECT address, state FROM payment.mails WHERE kind = 'alarm' ORDER BY id`,
  );
const look = () => alarmJob(w.service.tools).run();

/** An API key that ends in an hour. */
async function keyThatEnds(person: Person): Promise<void> {
  const { body } = await person.get('/api/keys');
  const { keys } = body as { keys: { id: string; kind: string }[] };
  const id = keys.find(({ kind }) => kind === 'private')?.id;
  const rolled = await person.post(`/api/keys/${id}/roll`, { overlap_hours: 1, reason: 'it leaked, perhaps' });
  if (rolled.status !== 200) throw new Error(rolled.text);
}

test('a person who wants alarms gets each once a day, even if two workers look at once; other people get none', async () => {
  const ben = await invited(w, owner, 'reader', 'ben@shop.example');
  const dora = await invited(w, owner, 'operator', 'dora@shop.example');
  await keyThatEnds(owner);
  // a label from before it was refused there
  await w.sql("UPDATE payment.api_keys SET label = 'for 4242 4242 4242 4242' WHERE ends_at IS NOT NULL");
  await look();
  expect(await mails()).toEqual([]);
  expect((await owner.get('/api/needs')).at('keys_ending')).toHaveLength(1);
  expect((await owner.get('/api/me')).at('alarms')).toEqual({ on: false, reaches: 'yes' });
  for (const person of [owner, ben])
    expect((await person.post('/api/me/alarms', { alarm_mails: true })).status).toBe(200);
  expect((await ben.get('/api/me')).at('alarms')).toEqual({ on: true, reaches: 'yes' });
  expect((await dora.get('/api/me')).at('alarms.on')).toBe(false);
  await Promise.all([look(), look(), tellAlarms(w.service.tools)]);
  await look();
  const told = await mails();
  expect(told.map(({ address }) => address).toSorted()).toEqual(['ada@shop.example', 'ben@shop.example']);
  const box = await owner.get('/api/sandbox/mails');
  expect(box.at('mails.0.subject')).toBe('Demo shop: 1 API key ends within three days');
  expect(box.at('mails.0.paragraphs.0')).toContain('You rolled this key');
  expect(box.at('mails.0.paragraphs.0')).toContain('for ####');
  expect(box.say('mails.0.link.url')).toBe(`${w.service.addresses.backoffice_url}/keys`);
  expect(box.say('mails.0.why')).toContain('you asked for alarms of Demo shop');
});

test('an alarm comes again on the next day if it still holds, but not to a person who has switched alarms off', async () => {
  const { tools } = w.service;
  const tomorrow = new Date(tools.clock.now().getTime() + 86_400_000);
  await tellAlarms({ ...tools, clock: { ...tools.clock, now: () => tomorrow } });
  expect(await mails()).toHaveLength(4);
  expect((await owner.post('/api/me/alarms', { alarm_mails: false })).status).toBe(200);
  const after = new Date(tomorrow.getTime() + 86_400_000);
  await tellAlarms({ ...tools, clock: { ...tools.clock, now: () => after } });
  expect((await mails()).filter(({ address }) => address === 'ben@shop.example')).toHaveLength(3);
  expect(await mails()).toHaveLength(5);
  const audit = await w.sql<{ detail: object }>(
    `SELECT detail FROM payment.audit WHERE action = 'alarm mails changed' ORDER BY seq`,
  );
  expect(audit.map(({ detail }) => detail)).toEqual([true, true, false].map((alarm_mails) => ({ alarm_mails })));
});

test('a mistake in the request for alarms is named with its field', async () => {
  const refused = await owner.post('/api/me/alarms', { alarm_mails: 'yes' });
  expect([refused.status, refused.at('errors.0.field')]).toEqual([400, 'alarm_mails']);
});

test('with a mail server only a proved address is written to, and the page says so', async () => {
  await using server = await mailServer();
  await using other = await world(settingsOf(server));
  const ada = await firstOwner(other);
  await ada.post('/api/me/alarms', { alarm_mails: true });
  await keyThatEnds(ada);
  await tellAlarms(other.service.tools);
  expect(await other.sql(`SELECT 1 FROM payment.mails`)).toEqual([]);
  expect((await ada.get('/api/me')).at('alarms')).toEqual({ on: true, reaches: 'unproved' });
  await other.sql(`UPDATE payment.people SET address_proved_at = clock_timestamp()`);
  await tellAlarms(other.service.tools);
  expect(await other.sql(`SELECT 1 FROM payment.mails`)).toHaveLength(1);
});
