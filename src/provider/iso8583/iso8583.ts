// An acquirer that speaks ISO 8583:1987. Each operation is one message; nothing can be asked afterwards, so what was
// not answered is undone by a reversal, which is repeated until it is acknowledged.
import { CURRENCY_NUMBERS } from '../../core/three-ds/currency-numbers.ts';
import { STILL_SENT_S } from '../capabilities.ts';
import type { Facts, Kept, Provider, Slot, Template, Written } from '../contract.ts';
import { DIALECT } from '../send/iso8583/dialect.ts';
import { read } from './read.ts';
import { type Stamp, stampOf } from './stamp.ts';
import { STEPS, type StepName, isStepName } from './steps.ts';

const OWNER = { required: true, use: 'send', owner: true } as const;
const GOES_ON = 'What began under an earlier one goes on under it.';

export const iso8583: Provider = {
  name: 'iso8583',
  table: 'iso8583',
  display_name: 'ISO 8583 acquirer',
  disputes_at: 'dispute portal of your acquirer',
  steps: STEPS,
  can: {
    captures: 'many',
    rest_after_last_capture: 'released',
    ends: { capture: 'answer', refund: 'answer', cancel: 'answer', reversal: 'answer' },
    inquiry: [],
    reversal: 'by_own_reference',
    sale: 'one_call',
    key_kept_h: 24,
    three_ds: ['data'],
    scheme_choice: true,
    exemptions: true,
    psp_token: false,
    network_token: true,
    traces: true,
    answer_deadline_s: 15,
    in_flight_s: STILL_SENT_S + 15,
    notice_wait_s: 0,
  },
  credentials: [
    { ...OWNER, name: 'terminal_id', help: `Terminal (field 41): up to 8 characters. ${GOES_ON}` },
    { ...OWNER, name: 'merchant_id', help: `Merchant (field 42): up to 15 characters. ${GOES_ON}` },
    { ...OWNER, name: 'acquirer_id', help: `Acquirer (field 32): up to 11 digits. ${GOES_ON}` },
  ],
  first,
  write,
  read: (step, answer, facts, kept) => read({ step, answer, facts, kept }),
};

function first({ kind, with_capture, about, authorization_kept, psp_token = false }: Facts): string | undefined {
  switch (kind) {
    case 'authorize':
      return psp_token ? undefined : with_capture ? 'sale' : 'authorize';
    case 'capture':
    case 'cancel':
      return stampOf(authorization_kept) && kind;
    case 'refund':
      return kind;
    case 'reversal':
      return about?.kind === 'authorize' && stampOf(about.kept) ? kind : undefined;
    case 'inquiry':
      return undefined;
  }
}

type Filling = string | { readonly slot: Slot };
type Fields = Readonly<Record<string, Filling | Readonly<Record<string, Filling>>>>;

/** The texts that fit into a private tag. */
const TAG_TEXT = /^[ -~]{1,99}$/;

/** Field 4 has twelve digits. */
const MOST_MINOR = 999_999_999_999n;

function write(step: string, facts: Facts, kept: Kept): Written | undefined {
  const stamp = stampOf(kept);
  const currency = CURRENCY_NUMBERS.get(facts.currency);
  if (!isStepName(step) || !stamp || currency === undefined || facts.amount_minor > MOST_MINOR) return undefined;
  const message = DIALECT.messages[step];
  const more = moreOf(step, facts, stamp);
  if (!more) return undefined;
  const fields: Fields = {
    // who repeats a message says so: `repeat` is kept by the core from the second sending on
    0: 'repeat' in kept ? (message.repeat ?? message.type) : message.type,
    3: message.processing,
    4: String(facts.amount_minor).padStart(12, '0'),
    7: stamp.sent_at,
    11: stamp.trace,
    12: stamp.sent_at.slice(4),
    13: stamp.sent_at.slice(0, 4),
    25: facts.unseen_payer === 'moto' ? BY_TELEPHONE : ELECTRONIC_COMMERCE,
    32: { slot: 'secret.acquirer_id' },
    41: { slot: 'secret.terminal_id' },
    42: { slot: 'secret.merchant_id' },
    49: currency,
    ...more,
  };
  return { values: {}, body: templateOf(fields) };
}

/** Field 25. */
const ELECTRONIC_COMMERCE = '59';
const BY_TELEPHONE = '08';

/** Field 22: how the number was come by; a terminal is not there. */
const TYPED_IN = '810';
const TYPED_IN_FOR_PAYER = '010';
const STORED = '100';

/** The fields of this kind of message beside those that all have. */
function moreOf(step: StepName, facts: Facts, stamp: Stamp): Fields | undefined {
  const { operation_id, authorization_kept, authorization_reference, authorization_code, about } = facts;
  const followed = {
    37: (authorization_reference ?? '').padEnd(12),
    ...(authorization_code && { 38: authorization_code.padEnd(6) }),
  };
  switch (step) {
    case 'authorize':
    case 'sale': {
      const tags = tagsOf(facts);
      if (!tags) return undefined;
      return {
        2: { slot: 'card.number' },
        14: { month: { slot: 'card.expiry_month' }, year: { slot: 'card.expiry_year' } },
        22: entryOf(facts),
        37: stamp.reference,
        48: tags,
      };
    }
    case 'capture': {
      const original = originalOf('authorize', authorization_kept);
      const last = facts.final ? { last_capture: 'Y' } : {};
      if (!original || authorization_reference === null) return undefined;
      return { ...followed, 48: { reference: operation_id, ...last }, 90: original };
    }
    case 'refund':
      if (authorization_reference === null) return undefined;
      return { ...followed, 48: { reference: operation_id } };
    case 'cancel': {
      const original = originalOf('authorize', authorization_kept);
      if (!original || authorization_reference === null) return undefined;
      return { ...followed, 48: { reference: operation_id }, 90: original };
    }
    case 'reversal': {
      const original = about && originalOf(about.with_capture ? 'sale' : 'authorize', about.kept);
      const reference = about && stampOf(about.kept)?.reference;
      // without the acquirer's reference: the message to undo was perhaps never answered
      return original && reference !== undefined
        ? { 37: reference, 48: { reference: about.operation_id }, 90: original }
        : undefined;
    }
  }
}

function entryOf({ evidence, unseen_payer }: Facts): string {
  if (evidence?.stored_card) return STORED;
  return unseen_payer === 'moto' ? TYPED_IN_FOR_PAYER : TYPED_IN;
}

/** Field 90: the message that is followed, by its numbers. */
function originalOf(step: 'authorize' | 'sale', kept: Kept): Readonly<Record<string, Filling>> | undefined {
  const stamp = stampOf(kept);
  return (
    stamp && {
      type: DIALECT.messages[step].type,
      trace: stamp.trace,
      sent_at: stamp.sent_at,
      acquirer: { slot: 'secret.acquirer_id' },
      forwarder: '0',
    }
  );
}

/** Undefined: the merchant gave something that no tag can hold. */
function tagsOf({ operation_id, evidence, scheme }: Facts): Readonly<Record<string, Filling>> | undefined {
  const { three_ds, three_ds_data: outside, sca_exemption, previous_reference } = evidence ?? {};
  const texts: Readonly<Record<string, string | null | undefined>> = {
    eci: three_ds?.eci ?? outside?.['eci'],
    authentication_value: three_ds?.authentication_value ?? outside?.['cavv'] ?? outside?.['ucaf_aav'],
    ds_transaction: three_ds?.ds_transaction_id ?? outside?.['x_id'],
    authentication_version: three_ds?.version ?? outside?.['version'],
    exemption: sca_exemption,
    scheme,
    previous_reference,
  };
  const given = Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  if (!given.every(([, text]) => TAG_TEXT.test(text))) return undefined;
  return {
    reference: operation_id,
    security_code: { slot: 'card.cvc?' },
    token_cryptogram: { slot: 'card.cryptogram?' },
    token_eci: { slot: 'card.eci?' },
    ...Object.fromEntries(given),
  };
}

/** JSON with holes. */
function templateOf(value: Filling | Fields): Template {
  if (typeof value === 'string') return [JSON.stringify(value)];
  if (isSlot(value)) return [value];
  const members = Object.entries(value).flatMap(([name, one], at) => [
    `${at === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    ...templateOf(one),
  ]);
  return [...members, '}'];
}

function isSlot(value: object): value is { readonly slot: Slot } {
  return 'slot' in value && Object.keys(value).length === 1;
}
