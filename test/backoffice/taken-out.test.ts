// Files that stream for as long as somebody reads them: they end where their person may not have them any more.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeAudit } from '../../src/backoffice/audit/audit.ts';
import { backofficeRoutes } from '../../src/backoffice/host.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { type World, world } from '../world.ts';
import { type Person, type Seen, firstOwner, invited } from './person.ts';

let w: World;
let owner: Person;
beforeAll(async () => {
  w = await world();
  owner = await firstOwner(w);
  await withTransaction(w.service.tools.db, w.account, async (tx) => {
    for (let n = 0; n < 600; n++)
      await writeAudit(tx, { actor: 'a test', source: 'here' }, { action: 'person invited', object: `${n}` });
  });
});
afterAll(() => w[Symbol.asyncDispose]());

const reason = 'a test of files';

test.each([
  ['lost the role for it', (id: string) => owner.ask('PUT', `/api/team/${id}`, { role: 'reader', reason })],
  ['was removed', (id: string) => owner.post(`/api/team/${id}/remove`, { reason })],
  ['had their sessions ended', (id: string) => owner.ask('DELETE', `/api/team/${id}/sessions`)],
  ['signed out', (_: string, person: Person) => person.ask('DELETE', '/api/session')],
])('a file that streams for long ends where its person %s, and is not called finished', async (what, end) => {
  const email = `${what.replaceAll(' ', '-')}@shop.example`;
  const person = await invited(w, owner, 'administrator', email);
  const id = (await person.get('/api/me')).say('person.id');
  const streamed = async (meanwhile?: () => Promise<Seen>) => {
    const file = await takenOut(person);
    let lines = 0;
    for await (const _ of file) if (++lines === 1) expect((await meanwhile?.())?.status ?? 200).toBe(200);
    return lines;
  };
  expect(await streamed()).toBeGreaterThan(600);
  await expect(streamed(() => end(id, person))).rejects.toThrow('may not be taken out any more');
  const ends = await w.sql(
    `SELECT action FROM payment.audit WHERE action LIKE 'export %' AND actor = $1 ORDER BY seq`,
    [email],
  );
  expect(ends.map(({ action }) => action)).toEqual(['export started', 'export finished', 'export started']);
});

/** The audit as the host would send it to this person, line by line, asking now and then whether they still may. */
async function takenOut(person: Person): Promise<Readable> {
  const { tools } = w.service;
  let ms = 0;
  const clock = { ...tools.clock, ticks: () => (ms += 100) };
  const two_people = { above: () => 0n, member_hours: 24 };
  const desk = { tools: { ...tools, clock }, brand: 'florin', two_people, secure: false };
  const route = backofficeRoutes(desk).find(({ path }) => path === '/api/audit/export');
  const asked = { headers: { cookie: person.cookie }, object: new Map(), query_object: new Map([['format', 'jsonl']]) };
  const answer = await route?.run({ ...asked, params: {}, client_ip: '192.0.2.1' } as never);
  if (!(answer?.file instanceof Readable)) throw new Error('it is a stream');
  return answer.file;
}
