// The receivers of the guide, each as the program a merchant copies, told by the real service: what is signed well is
// taken once, and nothing else is.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { brandSignature, webhookSignature } from '../../src/payment/notification/sign.ts';
import { send, textAt, until } from '../client.ts';
import { type World, world } from '../world.ts';
import { has } from './merchant.ts';
import { type Program, startProgram } from './programs.ts';

const LANGUAGES = [
  { name: 'Node', command: ['node', 'examples/node/receiver.mjs'], needs: 'node' },
  { name: 'PHP', command: ['php', '-S', '127.0.0.1:PORT', 'examples/php/receiver.php'], needs: 'php' },
  { name: 'Python', command: ['python3', 'examples/python/receiver.py'], needs: 'python3' },
] as const;

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const EVENTS = ['authorization_successful', 'capture_successful', 'refund_successful'];

/** A world whose shop is told by its own endpoint at the program. */
async function told(program: Program, w: World, secret?: string) {
  const body = { url: `${program.url}/notifications`, events: EVENTS, ...(secret !== undefined && { secret }) };
  const reply = await w.shop.api('/notification/endpoint', { body });
  return { id: textAt(reply, 'endpoint._id'), secret: textAt(reply, 'endpoint.secret') };
}

/** What the program did, a word a notification, in the order it came. */
const did = (program: Program) =>
  [...program.printed().matchAll(/[0-9a-f]{24} (\S[^\n]*)/g)].map(([, word = '']) => word.trim());

const state = (program: Program, order_id: string): unknown =>
  JSON.parse(readFileSync(join(program.folder, 'state', `${order_id}.json`), 'utf8'));

const idle = (w: World) =>
  until(async () => {
    const { body } = await w.shop.api('/notification?state=waiting');
    return JSON.stringify(body).includes('"notifications":[]') ? true : undefined;
  });

describe.each(LANGUAGES)('the receiver in $name', ({ name, command, needs }) => {
  const there = has(needs);

  test.skipIf(!there)(
    'takes what the service sends, in order, and each once (skipped without its language)',
    async () => {
      await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
      await using program = await startProgram(w, command, { NOTIFICATION_SECRETS: SECRET });
      const { id } = await told(program, w, SECRET);
      const order_id = textAt(await w.shop.pay(), 'order_id');
      await w.shop.api(`/payment/maintenance/refund/${order_id}`, { body: { amount: '5.00' } });
      await idle(w);
      await until(() => (did(program).length === 3 ? true : undefined));
      // the first of an order that is meant for this endpoint is its second or third event: nothing is missing
      expect([name, did(program)]).toEqual([name, ['applied', 'applied', 'applied']]);
      expect(state(program, order_id)).toMatchObject({
        status: 'refund_successful',
        captured: 25,
        refunded: 5,
        missed: false,
      });
      await w.shop.api('/notification/replay', { body: { endpoint_id: id, state: 'delivered' } });
      await idle(w);
      await until(() => (did(program).length === 6 ? true : undefined));
      expect(did(program).slice(3)).toEqual(['repeated', 'repeated', 'repeated']);
      expect(state(program, order_id)).toMatchObject({ status: 'refund_successful', refunded: 5 });
      expect((await w.shop.api(`/notification/endpoint/${id}/test`, { method: 'POST' })).at('delivered')).toBe(true);
    },
  );

  test.skipIf(!there)('sees what came late, and that one is missing (skipped without its language)', async () => {
    await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
    const order_id = await paidBefore(w);
    await using program = await startProgram(w, command, { NOTIFICATION_SECRETS: SECRET });
    const give = async (id: string, event: string) => {
      const listed = await w.shop.api(`/notification?order_id=${order_id}&event=${event}`);
      const body = JSON.stringify(listed.at('notifications.0.body'));
      return signed(program, { id, body });
    };
    expect(await give('1'.repeat(24), 'capture_successful')).toBe(200);
    expect(await give('2'.repeat(24), 'authorization_successful')).toBe(200);
    expect(await give('2'.repeat(24), 'authorization_successful')).toBe(200);
    await until(() => (did(program).length === 3 ? true : undefined));
    expect(did(program)).toEqual(['applied, one is missing', 'older', 'repeated']);
    expect(state(program, order_id)).toMatchObject({ status: 'capture_successful', captured: 25, missed: true });
  });

  test.skipIf(!there)('refuses what is forged, changed or old (skipped without its language)', async () => {
    await using w = await world();
    await using program = await startProgram(w, command, { NOTIFICATION_SECRETS: SECRET });
    const body = JSON.stringify({
      event: 'capture_successful',
      order_id: 'a'.repeat(24),
      sequence: 3,
      previous_sequence: null,
    });
    const id = 'b'.repeat(24);
    const at = (ahead_s: number) => String(Math.floor(Date.now() / 1000) + ahead_s);
    const header = (more: object) => ({ id, body, ...more });
    const refused = [
      await signed(program, header({ secret: 'whsec_c29tZWJvZHkgZWxzZQ==' })),
      await signed(program, header({ sent: `${body} ` })),
      await signed(program, header({ claimed: 'c'.repeat(24) })),
      await signed(program, header({ timestamp: at(-302) })),
      await signed(program, header({ timestamp: at(360) })),
      await signed(program, header({ timestamp: 'now' })),
      await signed(program, header({ signature: '' })),
      await signed(program, header({ signature: brandSignature(SECRET, { id, body, timestamp: at(0) }) })),
    ];
    expect([name, refused]).toEqual([name, refused.map(() => 400)]);
    await until(() => (did(program).length === refused.length ? true : undefined));
    expect(did(program).map((word) => ['forged', 'old'].includes(word))).toEqual(refused.map(() => true));
    expect(() => state(program, 'a'.repeat(24))).toThrow(/ENOENT/);
  });

  test.skipIf(!there)(
    'takes what is signed with a secret that the shop brought along (skipped without its language)',
    async () => {
      await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
      // base64 would read the second one as well, and get another key
      const secrets = ['demo-secret', 'abcdefgh'] as const;
      for (const secret of secrets) {
        await using program = await startProgram(w, command, { NOTIFICATION_SECRETS: secret });
        const { id } = await told(program, w, secret);
        const order_id = textAt(await w.shop.pay(), 'order_id');
        await idle(w);
        await until(() => (did(program).length === 2 ? true : undefined));
        expect([name, secret, did(program)]).toEqual([name, secret, ['applied', 'applied']]);
        expect(state(program, order_id)).toMatchObject({ captured: 25 });
        await w.shop.api(`/notification/endpoint/${id}`, { method: 'DELETE' });
      }
    },
  );

  test.skipIf(!there)('refuses everything while it has no secret (skipped without its language)', async () => {
    await using w = await world();
    await using program = await startProgram(w, command, { NOTIFICATION_SECRETS: '' });
    const body = JSON.stringify({ event: 'capture_successful', order_id: 'a'.repeat(24), sequence: 3 });
    // what anybody could sign
    expect([name, await signed(program, { id: 'b'.repeat(24), body, secret: 'whsec_' })]).toEqual([name, 400]);
    // its words come by a pipe of their own
    await expect.poll(() => program.printed()).toContain('NOTIFICATION_SECRETS is empty');
  });

  test.skipIf(!there)('does not acknowledge what it cannot store (skipped without its language)', async () => {
    await using w = await world();
    // as PHP is without a php.ini: what goes wrong is printed, in an answer that is well by itself
    const loud = command.flatMap((word) => (word === 'php' ? ['php', '-d', 'display_errors=1'] : [word]));
    const settings = { NOTIFICATION_SECRETS: SECRET };
    await using no_folder = await startProgram(w, loud, { ...settings, STATE: '/dev/null/state' });
    await using no_file = await startProgram(w, loud, settings);
    mkdirSync(join(no_file.folder, 'state', `${'a'.repeat(24)}.json`), { recursive: true });
    const told_of = { event: 'capture_successful', order_id: 'a'.repeat(24), sequence: 3, previous_sequence: null };
    const amounts = { status: 'capture_successful', capture_total_amount: 25, refund_total_amount: '' };
    const body = JSON.stringify({ ...told_of, ...amounts });
    for (const program of [no_folder, no_file]) {
      // a connection that is closed without an answer is none, too
      const answered = await signed(program, { id: 'b'.repeat(24), body }).catch(() => 500);
      expect([name, answered]).toEqual([name, 500]);
    }
  });

  test.skipIf(!there)('goes on while the secret is changed (skipped without its language)', async () => {
    await using w = await world({ FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes' });
    await using old = await startProgram(w, command, { NOTIFICATION_SECRETS: SECRET });
    const { id } = await told(old, w, SECRET);
    const rotated = await w.shop.api(`/notification/endpoint/${id}/secret`, { body: { overlap_hours: 24 } });
    const newer = textAt(rotated, 'endpoint.secret');
    await w.shop.pay();
    await idle(w);
    await until(() => (did(old).length === 2 ? true : undefined));
    expect(did(old)).toEqual(['applied', 'applied']);
    await w.shop.api('/sandbox/clock/advance', { body: { seconds: 25 * 3600 } });
    await using both = await startProgram(w, command, { NOTIFICATION_SECRETS: `${newer} ${SECRET}` });
    await told(both, w, newer);
    await w.shop.pay();
    await until(() => (did(both).length === 2 && did(old).length > 2 ? true : undefined));
    expect(did(both)).toEqual(['applied', 'applied']);
    expect(did(old)[2]).toBe('forged');
  });
});

/** An order whose two events were delivered elsewhere. */
async function paidBefore(w: World): Promise<string> {
  await w.shop.api('/notification/endpoint', { body: { url: 'http://127.0.0.1:9/', events: EVENTS } });
  return textAt(await w.shop.pay(), 'order_id');
}

type Signed = {
  readonly id: string;
  readonly body: string;
  readonly secret?: string;
  readonly timestamp?: string;
  /** Another body, id or signature than what was signed. */
  readonly sent?: string;
  readonly claimed?: string;
  readonly signature?: string;
};

async function signed(program: Program, given: Signed): Promise<number> {
  const { id, body, secret = SECRET, timestamp = String(Math.floor(Date.now() / 1000)) } = given;
  const reply = await send(`${program.url}/notifications`, {
    body: given.sent ?? body,
    headers: {
      'webhook-id': given.claimed ?? id,
      'webhook-timestamp': timestamp,
      'webhook-signature': given.signature ?? webhookSignature([secret], { id, timestamp, body }),
    },
  });
  return reply.status;
}
