// What Adyen's messages mean, item by item.
import { describe, expect, test } from 'vitest';
import { isSignedWith, keyOf } from '../../src/kit/proof/hmac.ts';
import { adyen } from '../../src/provider/adyen/adyen.ts';
import { open } from '../../src/provider/adyen/messages.ts';

const order_id = 'b'.repeat(24);
const operation_id = 'a'.repeat(24);
const ITEM = {
  pspReference: 'QFQTPCQ8HXSKGK82',
  originalReference: '9913140798220028',
  merchantAccountCode: 'FlorinTest',
  merchantReference: `${order_id}-${operation_id}`,
  amount: { currency: 'EUR', value: 1000 },
  eventCode: 'CAPTURE',
  eventDate: '2026-01-01T01:00:00+01:00',
  success: 'true',
  reason: '044925:1111:03/2030',
  additionalData: { hmacSignature: 'c2ln', chargebackReasonCode: ' 4853' },
};

const raw = (...items: object[]) =>
  Buffer.from(
    JSON.stringify({ live: 'false', notificationItems: items.map((item) => ({ NotificationRequestItem: item })) }),
  );
const opened = (given: object = {}) => {
  const [notice] = open(raw({ ...ITEM, ...given }));
  if (notice === undefined) throw new Error('nothing was opened');
  return notice;
};
const newsOf = (eventCode: string, given: object = {}) => opened({ eventCode, ...given }).news;

describe('what an event means', () => {
  const done = {
    kind: 'approved',
    reference: 'QFQTPCQ8HXSKGK82',
    amount_minor: 1000n,
    currency: 'EUR',
    captured: false,
  };
  const reference = 'QFQTPCQ8HXSKGK82';

  test.each([
    ['AUTHORISATION', 'true', { ...done, our_reference: operation_id }],
    ['AUTHORISATION', 'false', { kind: 'declined', result: 'authorization_declined' }],
    ['CAPTURE', 'true', { ...done, our_reference: null }],
    ['CAPTURE', 'false', { kind: 'declined', result: 'capture_declined' }],
    ['REFUND', 'true', { ...done, our_reference: null }],
    ['REFUND', 'false', { kind: 'declined', result: 'refund_declined' }],
    ['CANCELLATION', 'true', { ...done, our_reference: null }],
    ['CANCELLATION', 'false', { kind: 'declined', result: 'cancel_declined' }],
    ['CAPTURE_FAILED', 'true', { kind: 'corrected', result: 'capture_declined', reference }],
    ['REFUND_FAILED', 'true', { kind: 'corrected', result: 'refund_declined', reference }],
    ['REFUNDED_REVERSED', 'true', { kind: 'corrected', result: 'refund_declined', reference }],
    ['TECHNICAL_CANCEL', 'true', { kind: 'reversed', reference, our_reference: operation_id }],
    ['TECHNICAL_CANCEL', 'false', { kind: 'not_found' }],
    ['EXPIRE', 'true', { kind: 'lapsed' }],
    [
      'CHARGEBACK',
      'true',
      { kind: 'dispute', state: 'opened', amount_minor: 1000n, reason_code: '4853', at: '2026-01-01T00:00:00.000Z' },
    ],
    ['CHARGEBACK_REVERSED', 'true', { kind: 'dispute', state: 'won', evidence: 'given' }],
    ['SECOND_CHARGEBACK', 'true', { kind: 'dispute', state: 'lost', evidence: 'given' }],
    ['INFORMATION_SUPPLIED', 'true', { kind: 'dispute', state: 'opened', opens_none: true, evidence: 'given' }],
    ['DISPUTE_DEFENSE_PERIOD_ENDED', 'true', { kind: 'dispute', state: 'lost', opens_none: true, evidence: 'none' }],
    ['NOTIFICATION_OF_CHARGEBACK', 'true', { kind: 'nothing' }],
    ['REPORT_AVAILABLE', 'true', { kind: 'nothing' }],
  ])('%s with success %s', (eventCode, success, news) => {
    expect(newsOf(eventCode, { success })).toMatchObject(news);
  });

  test.each([
    ['an event that nobody knows', 'OFFER_CLOSED', {}],
    ['a change that was not ours', 'CANCEL_OR_REFUND', {}],
    ['a failure that is not true', 'CAPTURE_FAILED', { success: 'false' }],
    ['neither true nor false', 'CAPTURE', { success: true }],
    ['no success', 'CAPTURE', { success: '' }],
    ['no amount', 'CAPTURE', { amount: { currency: 'EUR', value: 10.5 } }],
    ['no reference', 'CAPTURE', { pspReference: '' }],
    ['a dispute without a time', 'CHARGEBACK', { eventDate: 'yesterday' }],
  ])('%s is kept and shown', (_, eventCode, given) => {
    expect(newsOf(eventCode, given)).toEqual({ kind: 'not_understood' });
  });

  test('the reason of what was done holds digits of the card, and goes no further', () => {
    expect(
      JSON.stringify(newsOf('AUTHORISATION'), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      ),
    ).not.toContain('1111');
  });
});

describe('which operation is meant', () => {
  test.each([
    ['CAPTURE', { kind: 'capture', reference: ITEM.pspReference, authorization_reference: ITEM.originalReference }],
    ['AUTHORISATION', { kind: 'authorize', reference: ITEM.pspReference }],
    [
      'TECHNICAL_CANCEL',
      { kind: 'reversal', reference: ITEM.pspReference, authorization_reference: ITEM.originalReference },
    ],
    ['CHARGEBACK', { kind: 'capture', reference: null, authorization_reference: ITEM.originalReference }],
  ])('%s', (eventCode, match) => {
    expect(opened({ eventCode }).match).toMatchObject({
      ...match,
      ours: { order_id, operation_id },
      amount_minor: 1000n,
      currency: 'EUR',
    });
  });

  test('a payment that ended by itself is named by its own reference alone', () => {
    const { match } = opened({ eventCode: 'EXPIRE', originalReference: undefined });
    expect(match).toMatchObject({ kind: 'authorize', authorization_reference: ITEM.pspReference });
  });

  test.each(['YOUR_REFERENCE', 'a-b', `${order_id}-${operation_id}-x`, '', order_id])(
    '%j is none of ours',
    (merchantReference) => {
      expect(opened({ merchantReference }).match?.ours).toBeNull();
    },
  );
});

test('the item that Adyen publishes is proved by its key in hex and its signature', async () => {
  const secret = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';
  const [notice] = open(
    raw({
      pspReference: '7914073381342284',
      merchantAccountCode: 'TestMerchant',
      merchantReference: 'TestPayment-1407325143704',
      amount: { currency: 'EUR', value: 1130 },
      eventCode: 'AUTHORISATION',
      success: 'true',
      additionalData: { hmacSignature: 'coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=' },
    }),
  );
  if (notice?.proof.kind !== 'hmac') throw new Error('it is proved by a key');
  const { proof } = notice;
  const holds = (key: string) => isSignedWith([keyOf(key, proof.secret_form) ?? Buffer.alloc(0)], proof);
  expect([proof.secret, holds(secret), holds(secret.replace('4', '5'))]).toEqual(['hmac_key', true, false]);
});

describe('a request', () => {
  test('with several items is several notices, each with its proof, its account and its name', () => {
    const notices = open(
      raw(ITEM, { ...ITEM, success: 'false' }, { ...ITEM, eventCode: 'REFUND', merchantAccountCode: 'Other' }),
    );
    expect(notices.map(({ event_ref }) => event_ref)).toEqual([
      'CAPTURE.QFQTPCQ8HXSKGK82.true',
      'CAPTURE.QFQTPCQ8HXSKGK82.false',
      'REFUND.QFQTPCQ8HXSKGK82.true',
    ]);
    expect(notices.map(({ of }) => of)).toEqual([
      { merchant_account: 'FlorinTest' },
      { merchant_account: 'FlorinTest' },
      { merchant_account: 'Other' },
    ]);
    expect(
      new Set(notices.map(({ proof }) => Buffer.from(proof.kind === 'hmac' ? proof.over : '').toString('utf8'))).size,
    ).toBe(3);
  });

  test('delivered again is the same event, whatever its time', () => {
    expect(opened({ eventDate: '2026-02-01T01:00:00+01:00' }).event_ref).toBe(opened().event_ref);
  });

  test('with one item that is none loses no other', () => {
    const [first, second] = open(
      Buffer.from(`{"notificationItems":[null,{"NotificationRequestItem":${JSON.stringify(ITEM)}}]}`),
    );
    expect(first).toMatchObject({ match: null, news: { kind: 'not_understood' }, of: { merchant_account: '' } });
    expect(second?.news.kind).toBe('approved');
  });

  test.each(['', '{', '[]', '{}', '{"notificationItems":{}}', '<html>'])('that is none is none: %s', (text) => {
    expect(open(Buffer.from(text))).toEqual([]);
  });

  test('is acknowledged as Adyen wants it', () => {
    expect(adyen.notices?.accepted).toEqual({ status: 200, body: '[accepted]' });
  });
});
