// Sending by SMTP, to a real server on a socket of this machine: what is taken, what is refused, and what is to be
// tried again.
import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smtpOf } from '../../src/hosts/mail.ts';
import { lookAtMail } from '../../src/commands/doctor/mail.ts';
import { systemChance, systemClock } from '../../src/kit/clock.ts';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { type Letter, htmlOf, subjectOf } from '../../src/kit/mail/letter.ts';
import { isMailbox, readSender } from '../../src/kit/mail/mailbox.ts';
import { smtpMailer } from '../../src/kit/mail/smtp.ts';
import { inspectConfig } from '../../src/settings/config.ts';
import { type Behaviour, type MailServer, USER, mailServer, plainOf, settingsOf } from './server.ts';

const LETTER: Letter = {
  subject: 'Invitation to Café & Söhne',
  paragraphs: ['Ada invites you.', 'Twice <b>bold</b>.'],
  link: { text: 'Accept', url: 'https://pay.shop.example/welcome/abc?x=1&y=2' },
  why: 'You get this mail because Ada wrote your address into an invitation.',
};
const MAILING = { id: 'a'.repeat(24), to: 'ben@shop.example', letter: LETTER };

const configOf = (settings: Readonly<Record<string, string>>) => inspectConfig('tool', settings, {});

function mailerOf(server: MailServer, instead: Readonly<Record<string, string>> = {}, answer_ms = 15_000) {
  const settings = smtpOf(configOf({ ...settingsOf(server), ...instead }).config);
  if (!settings) throw new Error('no mail server is set');
  return smtpMailer(settings, { answer_ms, whole_ms: answer_ms === 15_000 ? 60_000 : 2 * answer_ms });
}

test('a mail goes over STARTTLS after a sign-in, as text and as HTML, and says why one gets it', async () => {
  await using server = await mailServer();
  expect(await mailerOf(server).send(MAILING)).toEqual({ kind: 'taken' });
  expect(server.taken).toMatchObject([{ to: ['ben@shop.example'], secure: true, user: USER }]);
  const raw = plainOf(server.taken[0]?.raw ?? '');
  expect(raw).toContain('From: Florin <pay@shop.example>');
  expect(raw).toContain('To: ben@shop.example');
  expect(raw).toContain(`Message-ID: <${MAILING.id}@shop.example>`);
  expect(raw).toMatch(/auto-submitted: auto-generated/i);
  expect(raw).toMatch(/text\/plain[\s\S]*Accept:\r?\nhttps:\/\/pay\.shop\.example\/welcome\/abc\?x=1&y=2/);
  expect(raw).toMatch(/text\/html[\s\S]*Twice &lt;b&gt;bold&lt;\/b&gt;/);
  expect(raw.split(LETTER.why)).toHaveLength(3);
});

test.each<[string, Behaviour, 'refused' | 'again']>([
  ['an address that is not there', { recipient: 550 }, 'refused'],
  ['an address that is busy', { recipient: 450 }, 'again'],
  ['a text that is not wanted', { text: 554 }, 'refused'],
  ['a disk that is full', { text: 452 }, 'again'],
  ['a sender that is not allowed yet', { sender: 550 }, 'again'],
])('%s: %o', async (_, behaviour, kind) => {
  await using server = await mailServer();
  server.behave(behaviour);
  const came = await mailerOf(server).send(MAILING);
  expect(came).toMatchObject({ kind, says: expect.stringContaining('said') });
  expect(server.taken).toEqual([]);
});

describe('nothing is said, neither a password nor a mail', () => {
  test.each([
    ['without STARTTLS', { starttls: false }, {}],
    ['under a certificate of nobody that is known', {}, { FLORIN_SMTP_CA_FILE: '' }],
    ['under another name', {}, { FLORIN_SMTP_HOST: '127.0.0.1' }],
  ])('to a server %s', async (_, options, instead) => {
    await using server = await mailServer(options);
    expect(await mailerOf(server, instead).send(MAILING)).toMatchObject({ kind: 'again' });
    expect([server.taken, server.signed_in]).toEqual([[], 0]);
  });
});

test('a sign-in that fails, a server that is away and an answer that is lost are tried again', async () => {
  await using server = await mailServer();
  expect(await mailerOf(server, { FLORIN_SMTP_USER: 'nobody' }).send(MAILING)).toMatchObject({ kind: 'again' });
  server.loseAnswer();
  expect(await mailerOf(server).send(MAILING)).toMatchObject({ kind: 'again' });
  expect(await mailerOf(server).send(MAILING)).toEqual({ kind: 'taken' });
  const ids = server.taken.map(({ raw }) => /Message-ID: (\S+)/.exec(raw)?.[1]);
  expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  const gone = await mailServer();
  await gone[Symbol.asyncDispose]();
  expect(await mailerOf(gone).send(MAILING)).toMatchObject({ kind: 'again' });
});

test('a server that says nothing, or a byte now and then, does not hold the worker', async () => {
  await using server = await mailServer();
  const sockets = new Set<Socket>();
  for (const drips of [false, true]) {
    const slow = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      if (!drips) return;
      // a greeting of many lines that never comes to its end, as fast as the client reads it
      const drip = (): void => void (socket.destroyed || socket.write('220-wait\r\n', () => setImmediate(drip)));
      drip();
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const port = String(listeningPort(slow));
    expect(await mailerOf(server, { FLORIN_SMTP_PORT: port }, 300).send(MAILING)).toMatchObject({ kind: 'again' });
    for (const socket of sockets) socket.destroy();
    slow.close();
  }
});

test('texts that people write end no header and open no element', async () => {
  await using server = await mailServer();
  const evil = 'x\r\nBcc: eve@evil.example\r\n\r\n<script>alert(1)</script>\u2028y';
  const letter = { subject: evil, paragraphs: [evil], link: { text: evil, url: `https://x/"><b>` }, why: evil };
  expect(await mailerOf(server).send({ ...MAILING, letter })).toEqual({ kind: 'taken' });
  const [head = ''] = (server.taken[0]?.raw ?? '').split(/\r?\n\r?\n/);
  expect(head).not.toMatch(/^bcc:/im);
  expect(server.taken[0]?.to).toEqual(['ben@shop.example']);
  expect(htmlOf(letter)).not.toMatch(/<script|"><b>/);
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const one = { subject: text, paragraphs: [text], link: { text, url: text }, why: text };
      expect(subjectOf(one)).not.toMatch(/[\r\n]/);
      expect(
        htmlOf(one).replaceAll(/<\/?(?:html|head|meta|title|body|p|a|br|hr)\b[^<>]*>|<!doctype html>/g, ''),
      ).not.toMatch(/[<>]/);
    }),
  );
});

test('an address is one that people have, and nothing that could be read as two', () => {
  for (const good of ['a@b', 'ada.l+x@shop.example', "o'neil@a-b.example"])
    expect([good, isMailbox(good)]).toEqual([good, true]);
  for (const bad of [
    '',
    'a',
    'a@',
    '@b',
    'a@b@c',
    'a,b@c',
    'a b@c',
    '"a"@c',
    '<a@b>',
    'a@b>',
    'a@-b',
    'a@b\r\nc',
    'é@b',
    'a@[1.2.3.4]',
  ])
    expect([bad, isMailbox(bad)]).toEqual([bad, false]);
  expect(readSender('Shop & Co <pay@shop.example>')).toEqual({ name: 'Shop & Co', address: 'pay@shop.example' });
  for (const bad of ['Shop', 'Shop <x>', 'a <b@c> <d@e>', 'Shop\n<pay@shop.example>'])
    expect(readSender(bad)).toBeUndefined();
});

describe('settings', () => {
  const good = { FLORIN_SMTP_HOST: 'mail.example', FLORIN_SMTP_FROM: 'pay@shop.example' };
  test.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['no sender', { FLORIN_SMTP_FROM: '' }, /FLORIN_SMTP_FROM/],
    ['a sender that is none', { FLORIN_SMTP_FROM: 'the shop' }, /FLORIN_SMTP_FROM/],
    ['no TLS to another machine', { FLORIN_SMTP_TLS: 'none' }, /FLORIN_SMTP_TLS=none/],
    ['a user without a password', { FLORIN_SMTP_USER: 'x' }, /belong together/],
    ['a file that is not there', { FLORIN_SMTP_CA_FILE: '/nowhere/ca.pem' }, /FLORIN_SMTP_CA_FILE must be a file/],
  ])('%s is said at the start', (_, wrong, says) => {
    expect(configOf({ ...good, ...wrong }).problems.join('\n')).toMatch(says);
  });

  test('are right, and none at all are right as well', () => {
    expect([configOf(good).problems, configOf({}).problems]).toEqual([[], []]);
    expect(configOf({ ...good, FLORIN_SMTP_HOST: 'localhost', FLORIN_SMTP_TLS: 'none' }).problems).toEqual([]);
  });

  test('are looked at by the doctor, which sends a test mail where one is asked for', async () => {
    await using server = await mailServer();
    const { config } = configOf(settingsOf(server));
    const chance = systemChance(systemClock());
    expect(await lookAtMail(config, chance)).toMatchObject({ level: 'ok' });
    expect(server.taken).toEqual([]);
    expect(await lookAtMail(config, chance, 'ada@shop.example')).toMatchObject({ level: 'ok' });
    expect(server.taken).toMatchObject([{ to: ['ada@shop.example'] }]);
    server.behave({ recipient: 550 });
    expect(await lookAtMail(config, chance, 'ada@shop.example')).toMatchObject({ level: 'problem' });
    const { config: wrong } = configOf({ ...settingsOf(server), FLORIN_SMTP_USER: 'nobody' });
    expect(await lookAtMail(wrong, chance)).toMatchObject({ level: 'problem' });
    expect(await lookAtMail(configOf({}).config, chance)).toMatchObject({ level: 'ok' });
    expect(await lookAtMail(configOf({}).config, chance, 'ada@shop.example')).toMatchObject({ level: 'problem' });
  });
});
