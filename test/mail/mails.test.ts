// Mails to people: written in the commit of what they tell, sent by the worker to a real mail server, and what a mailed
// link proves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLetter, writeMail } from '../../src/payment/mail/write.ts';
import { WAITS_S, sendMails } from '../../src/payment/mail/send.ts';
import { withTransaction } from '../../src/kit/database.ts';
import { forgetMails } from '../../src/payment/mail/store.ts';
import { PASSWORD, Person, firstOwner, invited } from '../backoffice/person.ts';
import { until } from '../client.ts';
import { type World, world } from '../world.ts';
import { type MailServer, mailServer, plainOf, settingsOf } from './server.ts';

type Row = { id: string; state: string; note: string; tries: number; bytes: number };

const rowOf = async (w: World, address: string): Promise<Row> => {
  const [row] = await w.sql<Row>(
    `SELECT encode(id, 'hex') AS id, state, note, tries, octet_length(sealed) AS bytes FROM payment.mails WHERE address = $1 ORDER BY id DESC LIMIT 1`,
    [address],
  );
  if (!row) throw new Error(`nothing was written to ${address}`);
  return row;
};

describe('with a mail server', () => {
  let server: MailServer;
  let w: World;
  let owner: Person;
  beforeAll(async () => {
    server = await mailServer();
    w = await world(settingsOf(server));
    owner = await firstOwner(w);
  });
  afterAll(async () => {
    await w[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const ended = (address: string, state: string) =>
    until(async () => {
      const row = await rowOf(w, address);
      return row.state === state ? row : undefined;
    });
  const tried = (address: string, times: number, says = /./) =>
    until(async () => {
      const row = await rowOf(w, address);
      return row.tries === times && says.test(row.note) ? row : undefined;
    });
  const mailTo = (address: string) => plainOf(server.taken.findLast(({ to }) => to.includes(address))?.raw ?? '');
  const linkTo = (address: string) => /\/welcome\/([\w-]{43})/.exec(mailTo(address))?.[1] ?? '';
  const dueNow = (address: string) =>
    w.sql(`UPDATE payment.mails SET due_at = clock_timestamp() WHERE address = $1 AND state = 'waiting'`, [address]);

  test('an invitation calls a role as the pages do: a reader is a viewer', async () => {
    const address = 'looks@shop.example';
    await owner.post('/api/team/invitations', { email: address, role: 'reader' });
    await ended(address, 'sent');
    expect(mailTo(address)).toContain('Your role: viewer.');
  });

  test('an invitation is mailed, its link shown to nobody, and whoever accepts it has proved their address', async () => {
    const address = 'ben@shop.example';
    const offer = await owner.post('/api/team/invitations', { email: address, role: 'operator' });
    expect([offer.status, offer.at('link'), offer.at('mails')]).toEqual([200, null, 'sent']);
    expect(offer.text).not.toContain('/welcome/');
    expect(await ended(address, 'sent')).toMatchObject({ note: '', bytes: 0 });
    expect((await owner.get('/api/team')).at('invitations.0.mail.state')).toBe('sent');
    expect(mailTo(address)).toContain(
      'Ada (ada@shop.example) invites you to the team of Demo shop. Your role: operator.',
    );
    expect(mailTo(address)).toContain('You get this mail because ada@shop.example wrote ben@shop.example');
    const token = linkTo(address);
    const ben = new Person(w);
    expect((await ben.post(`/api/welcome/${token}`, { name: 'Ben', password: PASSWORD })).at('next')).toBe('done');
    const team = await owner.get('/api/team');
    expect([team.at('members.0.address_proved'), team.at('members.1.address_proved')]).toEqual([false, true]);
    const [row] = await w.sql<{ detail: object }>(
      `SELECT detail FROM payment.audit WHERE action = 'invitation accepted' ORDER BY seq DESC LIMIT 1`,
    );
    expect(row?.detail).toMatchObject({ address: 'proved by mail' });
    // nobody who reads the database has the link
    const [kept] = await w.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM payment.audit WHERE detail::text LIKE '%' || $1 || '%'`,
      [token],
    );
    expect(kept?.n).toBe(0);
  });

  test('a link that its inviter asks for is shown, and proves nothing', async () => {
    const asked = { email: 'cara@shop.example', role: 'reader', by: 'link' };
    const offer = await owner.post('/api/team/invitations', asked);
    const token = offer.say('link').split('/').at(-1);
    await new Person(w).post(`/api/welcome/${token}`, { name: 'Cara', password: PASSWORD });
    const [row] = await w.sql<{ proved: boolean }>(
      `SELECT address_proved_at IS NOT NULL AS proved FROM payment.people WHERE email = 'cara@shop.example'`,
    );
    expect(row?.proved).toBe(false);
    await expect(rowOf(w, 'cara@shop.example')).rejects.toThrow('nothing was written');
  });

  test('what the server does not take now waits and is taken later; what it refuses is said to the inviter', async () => {
    server.behave({ recipient: 451 });
    await owner.post('/api/team/invitations', { email: 'dan@shop.example', role: 'reader' });
    expect(await tried('dan@shop.example', 1)).toMatchObject({
      state: 'waiting',
      note: expect.stringContaining('451'),
    });
    const [row] = await w.sql<{ wait: number }>(
      `SELECT extract(epoch FROM due_at - clock_timestamp())::int AS wait FROM payment.mails WHERE address = 'dan@shop.example'`,
    );
    expect(row?.wait).toBeLessThanOrEqual(WAITS_S[0] ?? 0);
    server.behave({ text: 451 });
    await dueNow('dan@shop.example');
    await tried('dan@shop.example', 2, /Message failed/);
    server.behave({});
    await dueNow('dan@shop.example');
    expect(await ended('dan@shop.example', 'sent')).toMatchObject({ tries: 3, note: '' });
    server.behave({ recipient: 550 });
    await owner.post('/api/team/invitations', { email: 'typo@shop.example', role: 'reader' });
    await ended('typo@shop.example', 'refused');
    server.behave({});
    const team = await owner.get('/api/team');
    expect(team.text).toMatch(/"email":"typo@shop.example"[^}]*"mail":\{"state":"refused","note":"[^"]*550/);
  });

  test('an invitation that was withdrawn, or is over, is not sent any more; after its last try a mail is given up', async () => {
    server.behave({ recipient: 451 });
    const [first, second, third] = ['w@shop.example', 'o@shop.example', 'l@shop.example'];
    for (const email of [first, second, third]) await owner.post('/api/team/invitations', { email, role: 'reader' });
    for (const email of [first, second, third]) await tried(email, 1);
    const [row] = await w.sql<{ id: string }>(
      `SELECT encode(id, 'hex') AS id FROM payment.invitations WHERE email = $1`,
      [first],
    );
    await owner.ask('DELETE', `/api/team/invitations/${row?.id}`);
    await w.sql(`UPDATE payment.mails SET until = clock_timestamp() WHERE address = $1`, [second]);
    await w.sql(`UPDATE payment.mails SET tries = $2 WHERE address = $1`, [third, WAITS_S.length]);
    const before = server.taken.length;
    for (const email of [first, second, third]) await dueNow(email);
    expect(await ended(first, 'given_up')).toMatchObject({ bytes: 0, note: 'it was withdrawn before it was sent' });
    expect(await ended(second, 'given_up')).toMatchObject({ bytes: 0, note: 'its time is over' });
    expect(await ended(third, 'given_up')).toMatchObject({ bytes: 0, note: expect.stringContaining('451') });
    server.behave({});
    expect(server.taken).toHaveLength(before);
  });

  test('a mail whose answer was lost is sent again under the same id', async () => {
    server.loseAnswer();
    const address = 'again@shop.example';
    await owner.post('/api/team/invitations', { email: address, role: 'reader' });
    await tried(address, 1);
    await dueNow(address);
    const { id } = await ended(address, 'sent');
    const ids = server.taken
      .filter(({ to }) => to.includes(address))
      .map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1]);
    expect(ids).toEqual([`<${id}@shop.example>`, `<${id}@shop.example>`]);
  });

  test('two workers send a mail once', async () => {
    const address = 'once@shop.example';
    await owner.post('/api/team/invitations', { email: address, role: 'reader' });
    await Promise.all(Array.from({ length: 6 }, () => sendMails(w.service.tools, 4)));
    await ended(address, 'sent');
    expect(server.taken.filter(({ to }) => to.includes(address))).toHaveLength(1);
  });

  test('who set up a report is told when it is ready, once, where their address is proved', async () => {
    const ben = new Person(w);
    await ben.logIn('ben@shop.example');
    const form = { name: 'Every day', kind: 'orders', format: 'csv', zone: 'UTC', every: 'daily' };
    expect((await ben.post('/api/reports', form)).status).toBe(200);
    expect((await owner.post('/api/reports', { ...form, name: 'Unproved' })).status).toBe(200);
    await w.sql(`UPDATE payment.reports SET next_at = date_trunc('second', payment.now())`);
    await until(async () => {
      const open = await w.sql(`SELECT 1 FROM payment.report_runs WHERE state <> 'done'`);
      const done = await w.sql(`SELECT 1 FROM payment.report_runs WHERE state = 'done'`);
      return (open.length === 0 && done.length === 2) || undefined;
    });
    await until(() => mailTo('ben@shop.example').includes('Your report Every day has been made.') || undefined);
    expect(mailTo('ben@shop.example')).toContain('You get this mail because you set up the report Every day');
    await expect(rowOf(w, 'ada@shop.example')).rejects.toThrow('nothing was written');
  });

  test('an account writes so many mails in an hour and no more: then there is a link', async () => {
    await w.sql(
      `INSERT INTO payment.mails (id, merchant_account_id, kind, about_id, address, sealed, state, until)
       SELECT substr(sha256(n::text::bytea), 1, 12), merchant_account_id, 'report', substr(sha256(n::text::bytea), 1, 12), 'x@y', '', 'sent', clock_timestamp()
       FROM generate_series(1, 100) n, payment.merchant_accounts`,
    );
    const asked = { email: 'many@shop.example', role: 'reader' };
    expect((await owner.post('/api/team/invitations', { ...asked, by: 'mail' })).status).toBe(409);
    expect((await owner.post('/api/team/invitations', asked)).say('link')).toContain('/welcome/');
    await w.sql(`UPDATE payment.mails SET created_at = created_at - interval '61 minutes'`);
    expect((await owner.post('/api/team/invitations', { ...asked, by: 'mail' })).at('link')).toBe(null);
  });

  test('a mail that is still to be sent outlasts the days for which mails are kept', async () => {
    // as after two days without a mail server
    await w.sql(
      `INSERT INTO payment.mails (id, merchant_account_id, kind, about_id, address, sealed, state, until, due_at, created_at)
       SELECT substr(sha256(address::bytea), 1, 12), merchant_account_id, 'receipt', substr(sha256(address::bytea), 1, 12), address, '', state,
         clock_timestamp() + hours * interval '1 hour', clock_timestamp() + interval '1 hour', clock_timestamp() - interval '49 hours'
       FROM payment.merchant_accounts,
         (VALUES ('to-come@x', 'waiting', 10), ('over@x', 'waiting', -1), ('was-sent@x', 'sent', 10)) AS v (address, state, hours)`,
    );
    expect(await forgetMails(w.service.tools.db, 1000, 1)).toBe(2);
    expect(await w.sql(`SELECT address FROM payment.mails WHERE address LIKE '%@x'`)).toEqual([
      { address: 'to-come@x' },
    ]);
  });

  test('a letter with a card number is not written', async () => {
    const { tools } = w.service;
    const letter = { subject: 'x', paragraphs: ['4242 4242 4242 4242'], why: 'x' };
    const mail = { kind: 'report', about_id: tools.chance.id(), to: 'a@b', letter, hours: 1 } as const;
    const write = withTransaction(tools.db, w.account, (tx) => writeMail(tools, tx, mail));
    await expect(write).rejects.toThrow('card number');
  });
});

describe('a sandbox without a mail server', () => {
  let w: World;
  let owner: Person;
  beforeAll(async () => {
    w = await world();
    owner = await firstOwner(w);
  });
  afterAll(() => w[Symbol.asyncDispose]());

  test('keeps its mails, sealed, and shows them, the links to those who may give what they let into', async () => {
    const developer = await invited(w, owner, 'developer');
    const offer = await owner.post('/api/team/invitations', { email: 'next@shop.example', role: 'owner' });
    const link = offer.say('link');
    const box = await owner.get('/api/sandbox/mails');
    expect([box.at('sent'), box.at('mails.0.to'), box.at('mails.0.link.url')]).toEqual([
      false,
      'next@shop.example',
      link,
    ]);
    // used: its link is over
    expect([box.at('mails.1.to'), box.at('mails.1.link')]).toEqual(['developer@shop.example', undefined]);
    const seen = await developer.get('/api/sandbox/mails');
    expect([seen.at('mails.0.subject'), seen.at('mails.0.link')]).toEqual(['Invitation to Demo shop', undefined]);
    expect(seen.text).not.toContain('/welcome/');
    const row = await rowOf(w, 'next@shop.example');
    expect([row.state, row.bytes > 0]).toEqual(['kept', true]);
    const [sealed] = await w.sql<{ hex: string }>(
      `SELECT encode(sealed, 'hex') AS hex FROM payment.mails WHERE address = 'next@shop.example'`,
    );
    const { tools } = w.service;
    const account = (await owner.get('/api/session')).say('session.account.id');
    expect(openLetter(tools, account, { id: row.id, sealed: sealed?.hex ?? '' }).link?.url).toBe(link);
    const elsewhere = () => openLetter(tools, 'f'.repeat(24), { id: row.id, sealed: sealed?.hex ?? '' });
    expect(elsewhere).toThrow('unable to authenticate');
  });
});
