// Reads what an acquirer answered. Only its words decide: what is not exactly an answer to this message is unknown.
import { CURRENCY_NUMBERS } from '../../core/three-ds/currency-numbers.ts';
import type { JsonObject } from '../../core/json.ts';
import { schemeWords } from '../../core/retries/follow.ts';
import { PROVIDER_ERROR, UNREADABLE, objectOf, textAt } from '../answer.ts';
import type { Answer, Facts, Kept, Outcome } from '../contract.ts';
import { DIALECT, answerTypeOf } from '../send/iso8583/dialect.ts';
import {
  CODES,
  COUNT_EXCEEDED,
  type CodeRow,
  NO_ORIGINAL,
  PLAIN_DECLINE,
  TROUBLE,
  UNHEARD,
  WANTS_AUTHENTICATION,
  followUpDecline,
} from './results.ts';
import { type Stamp, stampOf } from './stamp.ts';
import { type StepName, isStepName } from './steps.ts';

type Said = {
  readonly step: StepName;
  readonly said: JsonObject;
  readonly code: string;
  readonly stamp: Stamp;
  readonly reference: string;
  readonly our_reference: string | null;
};

type Heard = { readonly step: string; readonly answer: Answer; readonly facts: Facts; readonly kept: Kept };

export function read({ step, answer, facts, kept }: Heard): Outcome {
  const said = objectOf(answer.body);
  const stamp = stampOf(kept);
  if (!said || !stamp || answer.status !== 200 || !isStepName(step)) return UNREADABLE;
  const is_ours = textAt(said, '11') === stamp.trace && textAt(said, '7') === stamp.sent_at;
  if (!is_ours || textAt(said, '0') !== answerTypeOf(DIALECT.messages[step].type)) return UNREADABLE;
  const code = textAt(said, '39');
  if (code === '') return UNREADABLE;
  const reference = referenceOf(step, said, stamp);
  const our_reference = textAt(said, '48', 'reference') || null;
  const heard = { step, said, code, stamp, reference, our_reference };
  if (step === 'reversal') return reversed(heard);
  const row = CODES[code];
  if (row?.unknown) return PROVIDER_ERROR;
  if (row?.result === 'authorization_successful') return approved(heard, row);
  if (step !== 'authorize' && step !== 'sale') return refused(step, heard);
  return row?.result === 'authorization_pending' ? { kind: 'pending', reference } : declined(heard, facts);
}

/** A follow-up repeats the reference of what it follows; its trace number makes one of its own of it. */
function referenceOf(step: StepName, said: JsonObject, stamp: Stamp): string {
  const theirs = textAt(said, '37').trim() || stamp.reference;
  return step === 'authorize' || step === 'sale' ? theirs : `${theirs}-${stamp.trace}`;
}

const AMOUNT = /^(?:\d{12})?$/;
const VISIBLE = /^[!-~]{1,50}$/;
const BY_NUMBER = new Map([...CURRENCY_NUMBERS].map(([currency, number]) => [number, currency]));

function approved({ step, said, code, reference, our_reference }: Said, row: CodeRow): Outcome {
  const [digits, number] = [textAt(said, '4'), textAt(said, '49')];
  const currency = number === '' ? null : BY_NUMBER.get(number);
  // no amount, or in no currency we know; or a part of it, and not which part
  if (!AMOUNT.test(digits) || currency === undefined || (row.partial && digits === '')) return UNREADABLE;
  const network_reference = textAt(said, '48', 'network_reference').trim();
  return {
    kind: 'approved',
    reference,
    our_reference,
    amount_minor: digits === '' ? null : BigInt(digits),
    currency,
    authorization_code: textAt(said, '38').trim(),
    captured: step === 'sale' || step === 'capture',
    provider_code: code,
    provider_text: textAt(said, '44').trim(),
    ...(VISIBLE.test(network_reference) && { network_reference }),
  };
}

function declined({ said, code, reference }: Said, { scheme, evidence }: Facts): Outcome {
  const authenticated = evidence?.three_ds !== undefined || evidence?.three_ds_data !== undefined;
  // who was authenticated already is not told to be: then it is the count
  const wants = code === COUNT_EXCEEDED && scheme === 'mastercard' && !authenticated;
  const { result, retry } = wants ? WANTS_AUTHENTICATION : (CODES[code] ?? PLAIN_DECLINE);
  return {
    kind: 'declined',
    result,
    ...(retry && { retry }),
    reference,
    provider_code: code,
    provider_text: textAt(said, '44').trim(),
    ...schemeWords('mastercard', textAt(said, '48', 'advice'), code),
    ...(UNHEARD.has(code) && { unheard: true }),
  };
}

function refused(step: 'capture' | 'refund' | 'cancel', { said, code, reference }: Said): Outcome {
  if (TROUBLE.has(code)) return PROVIDER_ERROR;
  return {
    kind: 'declined',
    result: followUpDecline(step, code),
    reference,
    provider_code: code,
    provider_text: textAt(said, '44').trim(),
    ...(UNHEARD.has(code) && { unheard: true }),
  };
}

/** Repeated until it is acknowledged: every other word is none. */
function reversed({ code, reference, our_reference }: Said): Outcome {
  if (code === '00') return { kind: 'reversed', reference, our_reference };
  return code === NO_ORIGINAL ? { kind: 'not_found' } : PROVIDER_ERROR;
}
