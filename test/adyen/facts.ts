// Facts of operations, as the core would give them.
import type { Facts, OperationKind } from '../../src/provider/contract.ts';
import type { Payer } from '../../src/provider/payer.ts';

let count = 0;
export const newId = (): string => (++count).toString(16).padStart(24, '0');

export function factsOf(kind: OperationKind, given: Partial<Facts> = {}): Facts {
  return {
    operation_id: newId(),
    merchant_account_id: '6'.repeat(24),
    order_id: newId(),
    kind,
    amount_minor: 4250n,
    currency: 'EUR',
    with_capture: false,
    order_merchant_id: 'cart-1881',
    scheme: 'visa',
    authorization_reference: null,
    authorization_code: null,
    authorization_kept: {},
    capture_reference: null,
    ...given,
  };
}

export const PAYER: Payer = {
  return_url: 'https://pay.florin.example/return/abc',
  three_ds: 'ask',
  ip: '203.0.113.7',
  email: 'ada@example.com',
  browser: {
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    accept_header: 'text/html',
    language: 'en-GB',
    screen_width: 1920,
    screen_height: 1080,
    color_depth: 24,
    time_zone_offset: -120,
    java_enabled: false,
    javascript_enabled: true,
  },
};

/** One of each kind of step, for what is compared byte for byte. */
export function stepFacts(): readonly {
  readonly name: string;
  readonly step: string;
  readonly facts: Facts;
  readonly kept: Readonly<Record<string, string>>;
}[] {
  const fixed = { operation_id: 'a'.repeat(24), order_id: 'b'.repeat(24) };
  const authorize = (given: Partial<Facts> = {}) => factsOf('authorize', { ...fixed, ...given });
  const follow = (kind: OperationKind, given: Partial<Facts> = {}) =>
    factsOf(kind, { ...fixed, authorization_reference: '993617895204576J', ...given });
  const about = {
    kind: 'authorize',
    operation_id: 'c'.repeat(24),
    with_capture: false,
    reference: null,
    kept: {},
  } as const;
  const three_ds = {
    trans_status: 'Y',
    version: '2.2.0',
    eci: '05',
    authentication_value: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    ds_transaction_id: '1f2e3d4c-0000-4000-8000-aabbccddeeff',
  } as const;
  const data = {
    cavv: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    eci: '05',
    x_id: 'ds-1',
    directory_veres: 'Y',
    pares_status: 'Y',
    version: '2.1.0',
  };
  const first = {
    ...data,
    version: '1.0.2',
    cavv_algorithm: '2',
    x_id: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
    directory_veres: '?',
    network_score: '20',
  };
  const rows: readonly (readonly [string, string, Facts, Readonly<Record<string, string>>?])[] = [
    ['payments', 'payments', authorize({ payer: PAYER })],
    [
      'payments-merchant',
      'payments',
      authorize({ evidence: { stored_card: true, previous_reference: '123456789012345' } }),
    ],
    ['payments-saved', 'payments', authorize({ payer: PAYER, evidence: { stored_card: true } })],
    ['payments-outside', 'payments', authorize({ payer: PAYER, evidence: { stored_card: false, three_ds } })],
    [
      'payments-outside-data',
      'payments',
      authorize({ payer: PAYER, evidence: { stored_card: false, three_ds_data: data } }),
    ],
    [
      'payments-outside-first',
      'payments',
      authorize({ payer: PAYER, evidence: { stored_card: false, three_ds_data: first } }),
    ],
    [
      'payments-exemption',
      'payments',
      authorize({ payer: { ...PAYER, three_ds: 'no' }, evidence: { stored_card: false, sca_exemption: 'low_value' } }),
    ],
    [
      'payments-unusual',
      'payments',
      authorize({
        order_merchant_id: 'Größe "é" \\ & {"slot":"card.number"} 🙂\ud83d',
        scheme: 'cb',
        currency: 'ISK',
        amount_minor: 12n,
      }),
    ],
    ['payments_network_token', 'payments_network_token', authorize({ payer: PAYER, network_token: true })],
    ['payments_token', 'payments_token', authorize({ payer: PAYER, psp_token: true })],
    ['details', 'details', authorize({ payer: PAYER }), { 'back.redirectResult': 'X6XtfGC3!Y...' }],
    ['captures', 'captures', follow('capture', { amount_minor: 1000n })],
    [
      'refunds',
      'refunds',
      follow('refund', { refund_reason: 'requested_by_customer', capture_reference: '8412534564722331' }),
    ],
    ['refunds-plain', 'refunds', follow('refund', { currency: 'JPY' })],
    ['cancels', 'cancels', follow('cancel')],
    ['cancel_by_reference', 'cancel_by_reference', factsOf('reversal', { ...fixed, about })],
  ];
  return rows.map(([name, step, facts, kept = {}]) => ({ name, step, facts, kept }));
}
