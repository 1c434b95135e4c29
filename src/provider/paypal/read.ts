// Reads PayPal's answers. An order tells the state of its parts; a refusal tells why.
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { PROVIDER_ERROR, UNREADABLE, at, objectOf, textAt } from '../answer.ts';
import { type Answer, type Facts, type Outcome, type Reading, VALUE } from '../contract.ts';
import { authenticationIn, demandOf, visitSays } from './authentication.ts';
import { moneyAt } from './money.ts';
import { type Asked, type Own, askedOf, heldOf, orderOf, ourReferenceIn } from './names.ts';
import { partsOf, unitOf } from './order-parts.ts';
import { type Around, authorizationSays, captureSays, refundSays, voidSays } from './parts.ts';
import { isRefusal, readRefusal } from './refusals.ts';
import type { StepName } from './steps.ts';

/** Statuses that prove nothing: a request that is still worked on, too many requests, a failure. */
const NOTHING_PROVED = (status: number): boolean => status >= 500 || status === 409 || status === 429;
const DONE = new Set([200, 201]);
const NO_CONTENT = 204;

export function read(step: StepName, { status, body }: Answer, own: Own): Reading {
  if (NOTHING_PROVED(status)) return PROVIDER_ERROR;
  if (step === 'void' && status === NO_CONTENT) return voided(own.facts);
  const said = objectOf(body);
  if (said === undefined) return UNREADABLE;
  if (isRefusal(status)) return readRefusal({ step, status }, said, own);
  return DONE.has(status) ? readDone(step, said, own) : UNREADABLE;
}

function readDone(step: StepName, said: JsonObject, own: Own): Reading {
  const { facts } = own;
  const asked = askedOf(facts);
  switch (step) {
    case 'shell':
      return readShell(said, facts);
    case 'card':
    case 'back':
      return isOrder(said, own) ? visitSays(step, said, own) : UNREADABLE;
    case 'authorize':
    case 'sell':
    case 'look':
      return isOrder(said, own) ? orderSays(said, asked, own) : UNREADABLE;
    case 'authorization':
      return textAt(said, 'id') === facts.authorization_reference ? voidSays(said, asked) : UNREADABLE;
    case 'capture':
    case 'capture_by_id':
      return ofOurs(captureSays(said, 'capture'), textAt(said, 'invoice_id'), asked);
    case 'refund':
    case 'refund_by_id':
    case 'undo':
      return ofOurs(refundSays(said, asked), textAt(said, 'custom_id'), asked);
    case 'void':
      return textAt(said, 'id') === heldOf(own) ? voidSays(said, asked) : UNREADABLE;
    case 'find':
      return isOrder(said, own) ? whatToUndo(said) : UNREADABLE;
  }
}

/**
 * That another capture or refund waits or failed says nothing of ours. An approval is shown as it is: the core refuses
 * it.
 */
function ofOurs(outcome: Outcome, named: string, { operation_id, nameless }: Asked): Outcome {
  if (nameless === true) return outcome.kind === 'approved' ? { ...outcome, our_reference: null } : outcome;
  const ours = ourReferenceIn(named);
  return outcome.kind === 'approved' || ours === null || ours === operation_id ? outcome : UNREADABLE;
}

/** Nothing was said: what was asked is done. */
function voided({ kind, authorization_reference }: Facts): Outcome {
  const reference = authorization_reference ?? '';
  if (kind === 'reversal') return { kind: 'reversed', reference, our_reference: null };
  const nothing_said = { our_reference: null, amount_minor: null, currency: null, authorization_code: '' } as const;
  return { kind: 'approved', reference, ...nothing_said, captured: false, provider_code: 'VOIDED', provider_text: '' };
}

/** An order that differs from what was asked for is left as it is, and never paid. */
function readShell(said: JsonObject, facts: Facts): Reading {
  const [id, unit] = [textAt(said, 'id'), unitOf(said)];
  const money = moneyAt(at(unit, 'amount'));
  const as_asked =
    VALUE.test(id) &&
    textAt(said, 'status') === 'CREATED' &&
    textAt(said, 'intent') === (facts.with_capture ? 'CAPTURE' : 'AUTHORIZE') &&
    ourReferenceIn(textAt(unit, 'custom_id')) === facts.operation_id &&
    money?.amount_minor === facts.amount_minor &&
    money.currency === facts.currency;
  return as_asked ? { kind: 'next', step: 'card', keep: { order: id, ...demandOf(facts) }, reference: id } : UNREADABLE;
}

const isOrder = (said: JsonObject, own: Own): boolean => textAt(said, 'id') === orderOf(own);

/** The facts of the operation decide which part of the order is the answer. */
function orderSays(said: JsonObject, asked: Asked, { kept, facts }: Own): Outcome {
  const { kind, operation_id, by_inquiry, with_capture } = asked;
  if (unitOf(said) === undefined) return UNREADABLE;
  // as long as it is not there it may still be on its way
  const missing = by_inquiry ? ({ kind: 'not_found' } as const) : UNREADABLE;
  if (kind === 'capture') {
    const found = partsOf(said, 'captures').find((one) => textAt(one, 'invoice_id') === operation_id);
    return found === undefined ? missing : captureSays(found, 'capture');
  }
  if (kind === 'refund' || kind === 'reversal') {
    const own = partsOf(said, 'refunds').filter((one) => ourReferenceIn(textAt(one, 'custom_id')) === operation_id);
    const found = standing(own);
    if (found !== undefined) return refundSays(found, asked);
    return kind === 'refund' ? missing : undone(said);
  }
  if (kind !== 'authorize') return UNREADABLE;
  const authenticated = authenticationIn(said, { ...facts.about?.kept, ...kept });
  const around: Around = { ...authenticated, scheme: facts.scheme };
  const found = standing(partsOf(said, with_capture ? 'captures' : 'authorizations'));
  if (found === undefined) return missing;
  return with_capture ? captureSays(found, 'authorize', around) : authorizationSays(found, around);
}

/** Of a reversal that has made no refund: it is sent again as long as something stands, or may still come. */
function undone(said: JsonObject): Outcome {
  const left = whatToUndo(said);
  return left.kind === 'reversed' ? left : PROVIDER_ERROR;
}

const OVER = new Set(['DENIED', 'VOIDED', 'DECLINED', 'FAILED', 'CANCELLED']);

/** The part that holds, or has moved, money, if there is one; else the last part. */
const standing = (parts: readonly JsonValue[]): JsonValue | undefined =>
  parts.find((one) => !OVER.has(textAt(one, 'status'))) ?? parts.at(-1);

/**
 * PayPal cannot close an order: what stands in it is voided or given back, and nothing is the end only once nothing can
 * come.
 */
function whatToUndo(said: JsonObject): Reading {
  if (unitOf(said) === undefined) return UNREADABLE;
  // the merchant asks for refunds of captures; a sale whose result is in doubt is given back whole
  const captures = partsOf(said, 'captures').filter((one) => !OVER.has(textAt(one, 'status')));
  const taken = captures.find((one) => textAt(one, 'status') !== 'REFUNDED');
  if (taken !== undefined) return next('undo', 'capture', textAt(taken, 'id'));
  const held = partsOf(said, 'authorizations').find((one) => !OVER.has(textAt(one, 'status')));
  if (held !== undefined && captures.length === 0) return next('void', 'authorization', textAt(held, 'id'));
  const [gone] = [...captures, ...partsOf(said, 'authorizations'), ...partsOf(said, 'captures')];
  if (gone === undefined) return { kind: 'not_found' };
  return { kind: 'reversed', reference: textAt(gone, 'id') || null, our_reference: null };
}

const next = (step: 'undo' | 'void', name: 'capture' | 'authorization', id: string): Reading =>
  VALUE.test(id) ? { kind: 'next', step, keep: { [name]: id } } : UNREADABLE;
