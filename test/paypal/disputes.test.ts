// Answers to disputes at PayPal: the form that is sent, as the simulated PayPal reads it, and what each answer says,
// before and after what counts was sent.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disputing } from '../../src/provider/paypal/disputing.ts';
import type { DisputeAsk } from '../../src/provider/disputing.ts';
import { type Played, playPaypal } from './played.ts';

const PDF = Buffer.from('%PDF-1.4 é %%EOF', 'latin1');
const ask = (given: Partial<DisputeAsk> = {}): DisputeAsk => ({
  kind: 'submit',
  merchant_account_id: 'a'.repeat(24),
  reference: 'PP-D-1',
  texts: { uncategorized_text: 'Zoë signed for it', shipping_carrier: 'DHL', shipping_tracking_number: 'JD0146' },
  files: [
    { field: 'receipt', name: '../a.exe', type: 'application/pdf', content: PDF },
    { field: 'shipping_documentation', name: 'b', type: 'image/png', content: Buffer.from([0x89, 0, 255]) },
  ],
  ...given,
});
const textOf = (step: string, asked: DisputeAsk): string => {
  const body = disputing.write(step, asked, {})?.body ?? [];
  return body.filter((part) => typeof part === 'string').join('');
};
const answer = (said: unknown, status = 200) => ({ status, body: Buffer.from(JSON.stringify(said)) });
const dispute = (given: object = {}) =>
  answer({ dispute_id: 'PP-D-1', status: 'WAITING_FOR_SELLER_RESPONSE', ...given });
const offering = (...actions: readonly string[]) => ({
  links: actions.map((action) => ({ href: `https://api.paypal.example/v1/customer/disputes/PP-D-1/${action}` })),
});

describe('the simulated PayPal', () => {
  let played: Played;
  let token = '';
  beforeAll(async () => {
    played = await playPaypal();
    token = String(played.wire().values?.['secret.access_token']);
  });
  afterAll(() => played.close());

  /** Of a capture that is sold for this. */
  async function disputed(): Promise<string> {
    const call = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const said = await fetch(`${played.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await said.json()) as { readonly id: string };
    };
    const amount = { currency_code: 'EUR', value: '10.00' };
    const { id } = await call('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount }] });
    const card = { number: '4032037064388131', expiry: '2034-12' };
    await call(`/v2/checkout/orders/${id}/confirm-payment-source`, { payment_source: { card } });
    await call(`/v2/checkout/orders/${id}/capture`, {});
    const { captures } = (await played.ask('GET books')) as { readonly captures: readonly { readonly id: string }[] };
    const told = (await played.ask('POST disputes', { capture: captures.at(-1)?.id })) as {
      readonly dispute_id: string;
    };
    return told.dispute_id;
  }
  const post = (path: string, body: string, type: string) =>
    fetch(`${played.url}/v1/customer/disputes/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
      body: Buffer.from(body, 'latin1'),
    });
  const form = (text: string) => `multipart/form-data; boundary=${/^--(\S+)/.exec(text)?.[1]}`;

  test('reads words, a tracking number and files of one form, takes it once, and refuses a second', async () => {
    const reference = await disputed();
    const text = textOf('dispute_evidence', ask({ reference }));
    expect((await post(`${reference}/provide-evidence`, text, form(text))).status).toBe(200);
    expect((await post(`${reference}/provide-evidence`, text, form(text))).status).toBe(422);
    const { disputes } = (await played.ask('GET books')) as { readonly disputes: readonly object[] };
    expect(disputes.at(-1)).toMatchObject({
      status: 'UNDER_REVIEW',
      evidences: [
        { evidence_type: 'PROOF_OF_FULFILLMENT', evidence_info: { tracking_info: [{ tracking_number: 'JD0146' }] } },
        {
          evidence_type: 'OTHER',
          notes: expect.stringContaining('Zoë signed for it'),
          documents: [{ name: 'receipt.pdf' }, { name: 'shipping_documentation.png' }],
        },
      ],
    });
  });

  test('refuses notes that are too long, files it cannot read, and names of files that are not there', async () => {
    const reference = await disputed();
    const long = textOf('dispute_evidence', ask({ reference, texts: { uncategorized_text: 'x'.repeat(2_001) } }));
    const good = textOf('dispute_evidence', ask({ reference }));
    for (const text of [
      long,
      good.replace('content-type: image/png', 'content-type: text/html'),
      good.replace('filename="receipt.pdf"', 'filename="other.pdf"'),
      '{}',
    ])
      expect((await post(`${reference}/provide-evidence`, text, form(good))).status).toBe(400);
  });

  test('ends a claim that is accepted', async () => {
    const reference = await disputed();
    const text = textOf('dispute_accept', ask({ kind: 'accept', reference, files: [] }));
    expect((await post(`${reference}/accept-claim`, text, 'application/json')).status).toBe(200);
    const { disputes } = (await played.ask('GET books')) as { readonly disputes: readonly object[] };
    expect(disputes.at(-1)).toMatchObject({ dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } });
  });
});

describe('what an answer says', () => {
  const fresh = { ask: ask(), kept: {}, sent: false };
  const doubted = { ask: ask(), kept: { submitted: '1' }, sent: true };
  const given = { source: 'SUBMITTED_BY_SELLER' };

  test.each([
    ['what it offers may be done', dispute(offering('provide-evidence')), { kind: 'next', keep: { submitted: '0' } }],
    ['what it does not offer is refused', dispute({ status: 'UNDER_REVIEW' }), { kind: 'refused' }],
    ['of another dispute it says nothing', dispute({ dispute_id: 'PP-D-2' }), { kind: 'unknown' }],
  ])('before: %s', (_, said, reading) => {
    expect(disputing.read('dispute', said, fresh)).toMatchObject(reading);
  });

  test.each([
    ['evidence beyond what was there was taken', dispute({ evidences: [given, given] }), 'taken'],
    [
      'no more than before, and still offered, was not',
      dispute({ evidences: [given], ...offering('provide-evidence') }),
      'next',
    ],
    ['no more than before, and not offered, says nothing', dispute({ evidences: [given] }), 'unknown'],
    [
      'evidence of the payer is none of ours',
      dispute({ evidences: [given, { source: 'SUBMITTED_BY_BUYER' }] }),
      'unknown',
    ],
    ['a refusal to look says nothing', answer({ message: 'no' }, 403), 'unknown'],
  ])('after: %s', (_, said, kind) => {
    expect(disputing.read('dispute', said, doubted).kind).toBe(kind);
  });

  test.each([
    ['RESOLVED_BUYER_FAVOUR', 'taken'],
    ['ACCEPTED', 'taken'],
    ['RESOLVED_SELLER_FAVOUR', 'unknown'],
  ])('who accepted, and finds the dispute %s: %s', (outcome_code, kind) => {
    const about = { ...doubted, ask: ask({ kind: 'accept', files: [] }) };
    expect(disputing.read('dispute', dispute({ dispute_outcome: { outcome_code } }), about).kind).toBe(kind);
  });

  test('a refusal is quoted, trouble is none', () => {
    const details = [{ issue: 'ACTION_NOT_ALLOWED', description: 'Not in this state.' }];
    expect(disputing.read('dispute_evidence', answer({ details }, 422), fresh)).toEqual({
      kind: 'refused',
      text: 'Not in this state.',
    });
    for (const status of [409, 429, 500])
      expect(disputing.read('dispute_evidence', answer({}, status), fresh)).toEqual({ kind: 'unknown' });
  });
});
