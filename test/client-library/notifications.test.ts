// The receiver's side of a notification: whether it is believed, and where it stands among those of its order.
import fc from 'fast-check';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { Money } from '../../client/src/money.ts';
import {
  type DisputeEvent,
  type FlorinEvent,
  NotificationRefused,
  type RetriesEvent,
  type Seen,
  type Verification,
  inOrder,
  verify,
} from '../../client/src/notifications.ts';
import { makeSecret, signatureHeaders } from '../../src/payment/notification/sign.ts';

const SECRET = makeSecret(Uint8Array.from({ length: 32 }, (_, i) => i));
const OTHER = makeSecret(Uint8Array.from({ length: 32 }, (_, i) => i + 1));
const NOW = 1_723_799_766;
const body =
  '{"event":"authorization_successful","sequence":2,"order_id":"66bf18d25d1c9a0e47b2f317","status":"authorization_successful","amount":42.5}';
const id = '66bf18d55d1c9a0e47b2f322';
const signed = (secrets: readonly string[], { brand = 'florin', at = NOW, text = body } = {}) =>
  signatureHeaders(brand, secrets, { id, timestamp: String(at), body: text });
const only = (headers: Readonly<Record<string, string>>, prefix: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
const check = (given: Partial<Verification>) =>
  verify({ body, headers: signed([SECRET]), secrets: SECRET, now: NOW, ...given });
const reason = (given: Partial<Verification>) =>
  check(given).then(
    () => 'believed',
    (error: unknown) => (error instanceof NotificationRefused ? error.reason : error),
  );

describe('a notification is believed', () => {
  test('with both vectors of the contract', async () => {
    const text = '{"order_id":"0123456789abcdef01234567","status":"authorization_successful","amount":12.5}';
    const branded = {
      'florin-timestamp': '1700000000',
      'florin-signature': 'a680a5528e09a4e09430f35a47fe45a663bf658f9d5be90bab2e5750ce22ab9d',
    };
    // this one has no event, which every notification of ours has
    expect(await reason({ body: text, headers: branded, secrets: 'demo-secret', now: 1_700_000_000 })).toBe('not_json');
    const standard = {
      'webhook-id': id,
      'webhook-timestamp': '1723799766',
      'webhook-signature': 'v1,DGQX/he/KL7fusvx71ZcYZgD7+1pp9FSKG42qV+rt1I=',
    };
    expect(await check({ headers: standard })).toMatchObject({ event: 'authorization_successful', sequence: 2 });
  });

  test('by either signature alone, with headers as fetch or as Node has them, and a body of bytes', async () => {
    for (const prefix of ['webhook-', 'florin-']) {
      const headers = only(signed([SECRET]), prefix);
      expect(await reason({ headers })).toBe('believed');
      expect(await reason({ headers: new Headers(headers), body: new TextEncoder().encode(body) })).toBe('believed');
    }
    expect(await reason({ headers: only(signed([SECRET], { brand: 'kontor' }), 'kontor-'), brand: 'kontor' })).toBe(
      'believed',
    );
  });

  test('while a secret replaces another, by a receiver that knows either or both', async () => {
    const headers = signed([OTHER, SECRET]);
    for (const secrets of [SECRET, OTHER, [SECRET, OTHER], [OTHER, SECRET]])
      expect(await reason({ headers, secrets })).toBe('believed');
    // the brand's own has one signature, made with the older secret
    expect(await reason({ headers: only(headers, 'florin-'), secrets: [OTHER, SECRET] })).toBe('believed');
    expect(await reason({ headers: only(headers, 'florin-'), secrets: OTHER })).toBe('wrong_signature');
  });

  test('with a secret of the merchant’s own, which has no prefix', async () => {
    expect(await reason({ headers: signed(['demo-secret']), secrets: 'demo-secret' })).toBe('believed');
  });
});

describe('a notification is not believed', () => {
  test.each([
    ['that is too old', { now: NOW + 301 }, 'too_old_or_new'],
    ['that is of a time to come', { now: NOW - 301 }, 'too_old_or_new'],
    ['whose time is no number', { headers: { ...signed([SECRET]), 'webhook-timestamp': 'x' } }, 'too_old_or_new'],
    ['that another secret signed', { secrets: OTHER }, 'wrong_signature'],
    ['whose body was changed', { body: body.replace('42.5', '0.5') }, 'wrong_signature'],
    [
      'whose time was changed',
      { headers: { ...signed([SECRET]), 'webhook-timestamp': String(NOW + 1) } },
      'wrong_signature',
    ],
    ['whose id was changed', { headers: { ...signed([SECRET]), 'webhook-id': 'other' } }, 'wrong_signature'],
    [
      'with a signature that is none',
      { headers: { ...signed([SECRET]), 'webhook-signature': 'v1,%%% v2,abc' } },
      'wrong_signature',
    ],
    [
      'with a brand signature that is none',
      { headers: { 'florin-timestamp': String(NOW), 'florin-signature': 'zz' } },
      'wrong_signature',
    ],
    ['without any signature', { headers: { 'florin-timestamp': String(NOW), 'webhook-id': id } }, 'no_signature'],
    ['that is signed and no JSON', { body: 'x', headers: signed([SECRET], { text: 'x' }) }, 'not_json'],
    ['that is signed and no object', { body: '7', headers: signed([SECRET], { text: '7' }) }, 'not_json'],
  ] as const)('%s', async (_, given, wanted) => {
    expect(await reason(given)).toBe(wanted);
  });

  test('when its better signature is wrong, though the other one is right', async () => {
    const headers = { ...signed([SECRET]), 'webhook-signature': 'v1,AAAA' };
    expect(await reason({ headers })).toBe('wrong_signature');
  });

  test('for want of a secret: that is the receiver’s mistake', async () => {
    await expect(check({ secrets: [] })).rejects.toThrow('no secret');
    await expect(check({ secrets: '' })).rejects.toThrow('no secret');
  });
});

describe('events of an order', () => {
  const event = (
    sequence: number,
    order_version: number,
    previous_sequence: number | null = sequence === 1 ? null : sequence - 1,
  ) => ({ event: 'x', sequence, previous_sequence, order_version }) as const;

  test('that come as they happened are each the next', () => {
    let seen: Seen | undefined;
    for (const [sequence, version] of [
      [1, 2],
      [2, 4],
      [3, 4],
    ] as const) {
      const place = inOrder(event(sequence, version), seen);
      expect(place).toMatchObject({ kind: 'next', apply: true });
      seen = place.seen;
    }
    expect(seen).toEqual({ sequence: 3, order_version: 4 });
  });

  test('are applied once, and never an older one over a newer', () => {
    const seen = { sequence: 3, order_version: 5 };
    expect(inOrder(event(3, 5), seen)).toEqual({ kind: 'repeated', apply: false, seen });
    expect(inOrder(event(2, 4), seen)).toEqual({ kind: 'late', apply: false, seen });
  });

  test('that are older than a read of the order are late, and count', () => {
    expect(inOrder(event(2, 4), { sequence: 1, order_version: 6 })).toEqual({
      kind: 'late',
      apply: false,
      seen: { sequence: 2, order_version: 6 },
    });
  });

  test('of a list that is subscribed in part have no gap but where one was given up', () => {
    const seen = { sequence: 2, order_version: 3 };
    expect(inOrder(event(7, 6, 2), seen).kind).toBe('next');
    expect(inOrder(event(7, 6, 5), seen)).toMatchObject({ kind: 'after_gap', apply: true });
    expect(inOrder(event(4, 6, null)).kind).toBe('next');
    expect(inOrder(event(4, 6, 2)).kind).toBe('after_gap');
  });

  test('without an order (test, a customer) are applied', () => {
    expect(inOrder({ event: 'test' })).toMatchObject({ kind: 'next', apply: true });
  });

  test('in whatever order and however often they come, end with the newest status', () => {
    const all = [1, 2, 3, 4, 5, 6].map((sequence) => event(sequence, sequence + 1));
    fc.assert(
      fc.property(fc.shuffledSubarray([...all, ...all, ...all], { minLength: 1 }), (came) => {
        let seen: Seen | undefined;
        let status = 0;
        for (const one of came) {
          const place = inOrder(one, seen);
          if (place.apply) {
            expect(one.order_version).toBeGreaterThan(status);
            status = one.order_version;
          }
          seen = place.seen;
        }
        expect(status).toBe(Math.max(...came.map((one) => one.order_version)));
      }),
    );
  });
});

test('an event has every member of every kind with the type that the contract gives it', () => {
  expectTypeOf<FlorinEvent['chargeback_amount']>().toEqualTypeOf<Money | undefined>();
  expectTypeOf<FlorinEvent['chargeback_due_date']>().toEqualTypeOf<string | null | undefined>();
  expectTypeOf<FlorinEvent['retry']>().toEqualTypeOf<RetriesEvent['retry'] | undefined>();
  expectTypeOf<FlorinEvent['said']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<FlorinEvent['takes_payments']>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<FlorinEvent['previous_sequence']>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<FlorinEvent['link_id']>().toEqualTypeOf<string | undefined>();
  expectTypeOf<FlorinEvent['merchant_data']>().toEqualTypeOf<DisputeEvent['merchant_data']>();
  // a member of a later release
  expectTypeOf<FlorinEvent['of_a_later_release']>().toEqualTypeOf<unknown>();
  // nothing that the contract describes is left without a type
  type Unknown = { [Name in keyof FlorinEvent as unknown extends FlorinEvent[Name] ? Name : never]: true };
  expectTypeOf<keyof Unknown>().toEqualTypeOf<string | number>();
});
