// Messages of PayPal: what each means, and whom it is believed. Signed by an authority of the tests' own, checked by
// the kit's own recipe.
import { type KeyObject, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { crc32 as zlibCrc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/kit/clock.ts';
import { openCertificates } from '../../src/kit/proof/certificate.ts';
import { makeCertificate } from '../../src/kit/tls/certificate.ts';
import { isProved } from '../../src/payment/settlement/proof.ts';
import type { Notice } from '../../src/provider/notices.ts';
import { crc32 } from '../../src/provider/paypal/crc32.ts';
import { paypal } from '../../src/provider/paypal/paypal.ts';
import { openCertificateEgress, pinnedHost } from '../../src/provider/send/certificate-host.ts';
import type { Destinations } from '../../src/provider/send/destinations.ts';
import { loadTable } from '../../src/provider/send/tables.ts';
import { CHALLENGE, type Played, playPaypal } from './played.ts';
import { NOON_MS } from '../providers/asked.ts';
import { after, factsOf, run } from '../providers/driver.ts';

let simulated: Played;
let destinations: Destinations;
let egress: ReturnType<typeof openCertificateEgress>;
beforeAll(async () => {
  simulated = await playPaypal();
  const { base_url: origin, ca } = simulated.hosts['certificates'] ?? { base_url: '', ca: '' };
  const tls = { ca, certificates: [], min: 'TLSv1.2' } as const;
  const hosts = { api: { origin: simulated.url, prefix: '', tls: null }, certificates: { origin, prefix: '', tls } };
  const table = await loadTable('paypal');
  destinations = new Map([
    ['paypal', { table, hosts, reach: 'loopback', allow: new Map(), deadline_ms: 5000, max_body: 1, max_answer: 1 }],
  ]);
  egress = openCertificateEgress(destinations);
});
afterAll(async () => {
  await egress.close();
  await simulated.close();
});

const WEBHOOK = '1FL0R1NSANDB0X001';
const TEXT = JSON.stringify({ id: 'WH-1', event_type: 'PAYMENT.CAPTURE.COMPLETED', resource: { id: 'C1' } });

const open = (text: string, headers: Readonly<Record<string, string>> = {}): Notice => {
  const [notice] = paypal.notices?.open(Buffer.from(text), headers) ?? [];
  if (!notice) throw new Error('it is no message');
  return notice;
};

async function signed(text: string, webhook_id = WEBHOOK): Promise<Record<string, string>> {
  return (await simulated.ask('POST sign', { text, webhook_id })) as Record<string, string>;
}

type Holding = {
  readonly webhooks?: readonly string[];
  readonly fetch?: Parameters<typeof openCertificates>[0]['egress'];
};

function holds(
  text: string,
  headers: Readonly<Record<string, string>>,
  { webhooks = [WEBHOOK], fetch = egress }: Holding = {},
) {
  const clock = { ...systemClock(), now: () => new Date(NOON_MS), shift_ms: () => 0 };
  const certificates = openCertificates({ clock, egress: fetch, pinned: (name) => pinnedHost(destinations, name) });
  return isProved(
    { certificates, clock },
    { by: 'paypal', proof: open(text, headers).proof },
    { webhook_id: webhooks },
  );
}

describe('who says it', () => {
  test('a message that PayPal signed for this webhook is believed, also while one webhook takes the place of another', async () => {
    const headers = await signed(TEXT);
    expect(await holds(TEXT, headers)).toBe(true);
    expect(await holds(TEXT, headers, { webhooks: ['ANOTHER', WEBHOOK] })).toBe(true);
  });

  test('the sum that is signed is that of the bytes as they came', () => {
    for (const text of ['', 'a', TEXT, '🙂'.repeat(100)])
      expect(crc32(Buffer.from(text))).toBe(zlibCrc32(Buffer.from(text)));
    expect(crc32(Buffer.from('123456789'))).toBe(0xcbf43926);
  });

  test.each<readonly [string, (headers: Record<string, string>) => Record<string, string>]>([
    ['another time', (h) => ({ ...h, 'paypal-transmission-time': '2026-03-01T12:00:01.000Z' })],
    ['another number', (h) => ({ ...h, 'paypal-transmission-id': 'b2b0a5c0-0000-4000-8000-000000000000' })],
    ['another algorithm', (h) => ({ ...h, 'paypal-auth-algo': 'SHA1withRSA' })],
    ['no signature', ({ 'paypal-transmission-sig': _, ...h }) => h],
    ['no address of a certificate', ({ 'paypal-cert-url': _, ...h }) => h],
    ['a certificate at another host', (h) => ({ ...h, 'paypal-cert-url': 'https://api.paypal.example/v1/certs/1' })],
    [
      'another port of the host',
      (h) => ({ ...h, 'paypal-cert-url': (h['paypal-cert-url'] ?? '').replace(/:\d+/, ':1') }),
    ],
    [
      'a host that only looks like it',
      (h) => ({ ...h, 'paypal-cert-url': (h['paypal-cert-url'] ?? '').replace('localhost', 'localhost.evil.example') }),
    ],
    ['the API in the place of the certificates', (h) => ({ ...h, 'paypal-cert-url': `${simulated.url}/v1/certs/1` })],
  ])('%s proves nothing', async (_, change) => {
    expect(await holds(TEXT, change(await signed(TEXT)))).toBe(false);
  });

  test('one byte more, a message for another webhook, and a contract without one prove nothing', async () => {
    const headers = await signed(TEXT);
    expect(await holds(`${TEXT} `, headers)).toBe(false);
    expect(await holds(TEXT, await signed(TEXT, 'SOMEBODYELSES'))).toBe(false);
    expect(await holds(TEXT, headers, { webhooks: [] })).toBe(false);
  });

  test('a certificate that is not there now leaves it open: it comes again', async () => {
    const headers = await signed(TEXT);
    const gone = { ...headers, 'paypal-cert-url': `${headers['paypal-cert-url']}-gone` };
    expect(await holds(TEXT, gone)).toBeUndefined();
    expect(await holds(TEXT, headers, { fetch: { exchange: async () => ({ kind: 'not_sent' }) } })).toBeUndefined();
  });

  test('a good signature under the certificate of another authority proves nothing', async () => {
    const [authority, signer] = [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ];
    const leaf = certificateOf(signer.publicKey, authority.privateKey);
    const headers = await signed(TEXT);
    const over = [
      headers['paypal-transmission-id'],
      headers['paypal-transmission-time'],
      WEBHOOK,
      crc32(Buffer.from(TEXT)),
    ];
    const given = sign('sha256', Buffer.from(over.join('|')), signer.privateKey).toString('base64');
    const forged = { ...headers, 'paypal-transmission-sig': given };
    const at_the_host = { exchange: async () => ({ kind: 'answered', status: 200, body: Buffer.from(leaf) }) as const };
    expect(await holds(TEXT, forged, { fetch: at_the_host })).toBe(false);
    // and it is the chain alone that is wrong with it
    expect(await holds(TEXT, headers, { fetch: egress })).toBe(true);
  });

  test('the way to certificates trusts what is pinned, and goes nowhere else', async () => {
    const asked = {
      method: 'GET',
      path: '/',
      headers: {},
      body: null,
      deadline_ms: 2000,
      max_answer_bytes: 1000,
    } as const;
    expect(await egress.exchange({ ...asked, origin: simulated.url })).toEqual({ kind: 'not_sent' });
    const found = destinations.get('paypal');
    if (!found) throw new Error('the destination is there');
    const { base_url: origin = '' } = simulated.hosts['certificates'] ?? {};
    const tls = { ca: stranger(), certificates: [], min: 'TLSv1.2' } as const;
    const hosts = { certificates: { origin, prefix: '', tls } };
    const other = openCertificateEgress(new Map([['paypal', { ...found, hosts }]]));
    expect(await other.exchange({ ...asked, origin })).toMatchObject({ kind: 'not_sent' });
    await other.close();
  });
});

function certificateOf(own: KeyObject, by: KeyObject, kind: 'signer' | 'authority' = 'signer'): string {
  return makeCertificate({
    subject: 'Simulated PayPal authority',
    issuer: 'Simulated PayPal authority',
    public_key: own,
    authority_key: by,
    serial: randomBytes(16),
    not_before: new Date(NOON_MS - 1000),
    not_after: new Date(NOON_MS + 86_400_000 * 3650),
    for: kind,
  });
}

function stranger(): string {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return certificateOf(keys.publicKey, keys.privateKey, 'authority');
}

describe('what it means', () => {
  const ours = { order_id: 'a'.repeat(24), operation_id: 'b'.repeat(24) };
  const custom_id = `${ours.order_id}-${ours.operation_id}`;
  const capture_id = 'c'.repeat(24);
  const said = (event_type: string, resource: object, create_time = '2026-03-01T12:00:00Z') =>
    open(JSON.stringify({ id: 'WH-1', event_type, create_time, resource }));

  test('news of money make us look, and are not believed', () => {
    for (const [type, resource, kind, operation_id] of [
      ['CHECKOUT.ORDER.APPROVED', { id: 'O1', purchase_units: [{ custom_id }] }, 'authorize', ours.operation_id],
      ['PAYMENT.AUTHORIZATION.CREATED', { id: 'A1', custom_id }, 'authorize', ours.operation_id],
      ['PAYMENT.CAPTURE.COMPLETED', { id: 'C1', custom_id, invoice_id: capture_id }, 'capture', capture_id],
      // a sale
      ['PAYMENT.CAPTURE.DENIED', { id: 'C1', custom_id }, 'authorize', ours.operation_id],
      ['PAYMENT.CAPTURE.REFUNDED', { id: 'R1', custom_id }, 'refund', ours.operation_id],
    ] as const) {
      const { match, news } = said(type, resource);
      expect([type, news.kind, match?.kind, match?.ours]).toEqual([type, 'look', kind, { ...ours, operation_id }]);
    }
  });

  test('a hold that is voided is looked at, whether its time was over or not', () => {
    const resource = { id: 'A1', custom_id, expiration_time: '2026-03-30T12:00:00Z' };
    const of = (voided: object, at?: string) => said('PAYMENT.AUTHORIZATION.VOIDED', voided, at).news;
    expect(of(resource, '2026-03-30T12:00:00Z')).toEqual({ kind: 'look', says: 'lapsed' });
    expect(of(resource)).toEqual({ kind: 'look', says: 'undone' });
    expect(of({ id: 'A1' })).toEqual({ kind: 'look', says: 'undone' });
  });

  test.each([
    [undefined, 'opened'],
    ['RESOLVED_SELLER_FAVOUR', 'won'],
    ['RESOLVED_BUYER_FAVOUR', 'lost'],
  ])('a dispute with the end %s is %s', (outcome_code, state) => {
    const { match, news } = said(`CUSTOMER.DISPUTE.${outcome_code === undefined ? 'CREATED' : 'RESOLVED'}`, {
      disputed_transactions: [{ seller_transaction_id: 'C1' }],
      dispute_amount: { currency_code: 'HUF', value: '5' },
      reason: 'UNAUTHORISED',
      ...(outcome_code !== undefined && { dispute_outcome: { outcome_code } }),
    });
    expect(match).toMatchObject({ kind: 'capture', reference: 'C1' });
    expect(news).toMatchObject({ kind: 'dispute', state, amount_minor: 500n, currency: 'HUF' });
  });

  test('a dispute that changed opens none, and brings the bank’s own code where there is one', () => {
    const changed = {
      disputed_transactions: [{ seller_transaction_id: 'C1' }],
      dispute_amount: { currency_code: 'EUR', value: '1' },
      reason: 'UNAUTHORISED',
      external_reason_code: '10.4',
    };
    const { news } = said('CUSTOMER.DISPUTE.UPDATED', changed);
    expect(news).toMatchObject({ kind: 'dispute', state: 'opened', opens_none: true, reason_code: '10.4' });
    expect(said('CUSTOMER.DISPUTE.CREATED', changed).news).not.toHaveProperty('opens_none');
    expect(said('CUSTOMER.DISPUTE.UPDATED', {}).news.kind).toBe('not_understood');
  });

  test('what PayPal takes back by itself, a dispute that ends otherwise, and what is not known are for a person', () => {
    expect(said('PAYMENT.CAPTURE.REVERSED', { id: 'C1', custom_id }).news.kind).toBe('not_understood');
    expect(said('TREASURY.FOUND', {}).news.kind).toBe('not_understood');
    const odd = {
      disputed_transactions: [{ seller_transaction_id: 'C1' }],
      dispute_amount: { currency_code: 'EUR', value: '1' },
    };
    expect(said('CUSTOMER.DISPUTE.RESOLVED', { ...odd, dispute_outcome: { outcome_code: 'NEW' } }).news.kind).toBe(
      'not_understood',
    );
  });

  test('a name that is none of ours names no operation, and what is no message is none', () => {
    expect(said('PAYMENT.AUTHORIZATION.CREATED', { id: 'A1', custom_id: 'cart-1' }).match?.ours).toBeNull();
    const unnamed = '{"event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"C1"}}';
    for (const text of ['', '[]', '{}', '{"id":"WH-1"}', '{"id":"WH-1","event_type":"X","resource":[]}', unnamed])
      expect(paypal.notices?.open(Buffer.from(text), {})).toEqual([]);
  });

  test('everything that the simulator tells is understood, and names the operation that it is of', async () => {
    const told: string[] = [];
    await simulated.ask('POST endpoints', { url: 'http://127.0.0.1:1/', secrets: [WEBHOOK] });
    const hold = await run(simulated.wire(), factsOf('authorize'));
    await run(simulated.wire(), after(hold, 'capture'));
    const sale = await run(simulated.wire(), factsOf('authorize', { with_capture: true }));
    await run(simulated.wire(), after(sale, 'refund', { capture_reference: sale.reference }));
    await run(simulated.wire(CHALLENGE), factsOf('authorize'));
    const { events } = (await simulated.ask('GET books')) as { events: { type: string }[] };
    for (const { type } of events) told.push(type);
    expect(new Set(told)).toEqual(
      new Set(['PAYMENT.AUTHORIZATION.CREATED', 'PAYMENT.CAPTURE.COMPLETED', 'PAYMENT.CAPTURE.REFUNDED']),
    );
  });
});
