// What directory and bank answer: ARes, RReq and Erro, read strictly. What is not as agreed is `broken`, never a
// success.
import type { JsonObject } from '../../core/json.ts';
import { smallObjectOf } from '../answer.ts';
import type { Answer } from '../contract.ts';
import type { Asking, Authenticated, Enrolment, Proof, Version } from './contract.ts';
import { VERSIONS } from './contract.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const VALUE = /^[A-Za-z0-9+/]{27}=$/;
const ADDRESS = /^https?:\/\/[^\s"'<>\\]{1,2040}$/;
const BROKEN = { kind: 'broken' } as const;
const UNREACHABLE = { kind: 'unreachable' } as const;
/** Erro codes that say that a party could not be reached in time or failed (EMV 3-D Secure, error codes). */
const FAILURES = new Set(['402', '403', '404', '405']);

export function readEnrolment({ status, body }: Answer): Enrolment {
  if (status >= 500) return UNREACHABLE;
  const said = status === 200 ? smallObjectOf(body) : undefined;
  if (!said) return BROKEN;
  if (said.get('enrolled') === false) return { kind: 'not_enrolled' };
  const [server_id, versions, method] = [
    said.get('threeDSServerTransID'),
    said.get('versions'),
    said.get('threeDSMethodURL'),
  ];
  const version = Array.isArray(versions) ? VERSIONS.find((known) => versions.includes(known)) : undefined;
  if (said.get('enrolled') !== true || typeof server_id !== 'string' || !UUID.test(server_id) || !version)
    return BROKEN;
  if (method !== null && !(typeof method === 'string' && ADDRESS.test(method))) return BROKEN;
  return { kind: 'enrolled', server_id, version, method_url: method };
}

export function readAuthentication(answer: Answer, about: Asking): Authenticated {
  if (answer.status >= 500) return UNREACHABLE;
  const said = answer.status === 200 ? smallObjectOf(answer.body) : undefined;
  if (!said) return BROKEN;
  if (said.get('declined') === true) return { kind: 'declined' };
  if (said.get('messageType') === 'Erro') return FAILURES.has(textAt(said, 'errorCode')) ? UNREACHABLE : BROKEN;
  const ours = said.get('messageType') === 'ARes' && said.get('threeDSServerTransID') === about.server_id;
  if (!ours || said.get('messageVersion') !== about.version) return BROKEN;
  const acs_transaction_id = textAt(said, 'acsTransID');
  if (!UUID.test(acs_transaction_id)) return BROKEN;
  const trans_status = said.get('transStatus');
  if (trans_status === 'D') return { kind: 'challenge', acs_url: null, acs_transaction_id };
  if (trans_status !== 'C') return ended(said, about.version);
  const acs_url = textAt(said, 'acsURL');
  return ADDRESS.test(acs_url) ? { kind: 'challenge', acs_url, acs_transaction_id } : BROKEN;
}

/**
 * How a challenge ended, by the message of the bank to us. Undefined: no such message, or of another authentication.
 */
export function readResult(said: JsonObject | undefined, server_id: string): Authenticated | undefined {
  if (said?.get('messageType') !== 'RReq' || said.get('threeDSServerTransID') !== server_id) return undefined;
  const version = VERSIONS.find((known) => known === said.get('messageVersion'));
  if (!version) return BROKEN;
  const cancel = textAt(said, 'challengeCancel');
  if (cancel === '01') return { kind: 'left' };
  if (cancel === '04' || cancel === '05') return { kind: 'timed_out' };
  return ended(said, version);
}

function ended(said: JsonObject, version: Version): Authenticated {
  const trans_status = textAt(said, 'transStatus');
  switch (trans_status) {
    case 'Y':
    case 'A': {
      const proof = proofOf(said, trans_status, version);
      return proof ? { kind: 'authenticated', proof } : BROKEN;
    }
    case 'N':
    case 'R':
      return { kind: 'rejected' };
    case 'I':
      return { kind: 'information' };
    case 'U':
      return UNREACHABLE;
    default:
      return BROKEN;
  }
}

/** Undefined: a success without its evidence is none. */
function proofOf(said: JsonObject, trans_status: 'Y' | 'A', version: Version): Proof | undefined {
  const [eci, authentication_value] = [textAt(said, 'eci'), textAt(said, 'authenticationValue')];
  const ds_transaction_id = textAt(said, 'dsTransID');
  const good = /^\d{2}$/.test(eci) && VALUE.test(authentication_value) && UUID.test(ds_transaction_id);
  return good ? { trans_status, version, eci, authentication_value, ds_transaction_id } : undefined;
}

/** Does the scheme's indicator shift the liability? `06` is an attempt at Visa and an exemption at Mastercard. */
export function shiftsLiability(scheme: string, trans_status: string, eci: string): boolean {
  const mastercard = scheme === 'mastercard' || scheme === 'maestro';
  if (trans_status === 'Y') return eci === (mastercard ? '02' : '05');
  return trans_status === 'A' && eci === (mastercard ? '01' : '06');
}

function textAt(said: JsonObject, name: string): string {
  const value = said.get(name);
  return typeof value === 'string' && value.length <= 4096 ? value : '';
}

/** A member that is an object. */
export function objectAt(said: JsonObject, name: string): JsonObject | undefined {
  const value = said.get(name);
  return value instanceof Map ? value : undefined;
}
