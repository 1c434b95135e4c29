// The simulated 3-D Secure server of a sandbox, as an authenticator: preauth, AReq, result. The other end is
// src/sandbox/three-ds; nothing is shared with it but the wire.
import { isId } from '../../core/ids.ts';
import { smallObjectOf } from '../answer.ts';
import { SIGNATURE_HEADER, TIMESTAMP_HEADER, proofOf } from '../simulator/proof.ts';
import { objectAt, readAuthentication, readEnrolment, readResult } from './answers.ts';
import type { AuthenticationFacts, AuthenticationMessage, Authenticator, Question } from './contract.ts';
import { requestBody } from './request.ts';
import type { STEPS } from './steps.ts';

/** Of the time there is, the first call may use so much. */
const ENROL_PART = 0.4;

export function simulatedServer(deadline_s: number): Authenticator {
  const question = (step: keyof typeof STEPS, rest: Partial<Question>): Question => ({
    step,
    values: {},
    body: [],
    deadline_ms: 1000 * deadline_s * (step === 'preauth' ? ENROL_PART : 1 - ENROL_PART),
    ...rest,
  });
  return {
    name: 'simulator',
    destination: 'three_ds',
    display_name: 'Simulator',
    answer_deadline_s: deadline_s,
    proof_headers: [TIMESTAMP_HEADER, SIGNATURE_HEADER],
    proofOf,
    enrol: (facts) => question('preauth', { body: enrolBody(facts) }),
    readEnrolment,
    authenticate: (facts, about) => question('authenticate', { body: requestBody(facts, about) }),
    readAuthentication,
    inquire: (server_id) => question('result', { values: { server_id } }),
    readInquiry: ({ status, body }, server_id) => {
      const rreq = status === 200 ? objectAt(smallObjectOf(body) ?? new Map(), 'rreq') : undefined;
      return readResult(rreq, server_id);
    },
    readMessage,
    challengeRequest: ({ server_id, acs_transaction_id, version }) =>
      base64url({
        messageType: 'CReq',
        messageVersion: version,
        threeDSServerTransID: server_id,
        acsTransID: acs_transaction_id,
        challengeWindowSize: '05',
      }),
    methodRequest: ({ server_id, notification_url }) =>
      base64url({ threeDSServerTransID: server_id, threeDSMethodNotificationURL: notification_url }),
  };
}

function enrolBody(facts: AuthenticationFacts): Question['body'] {
  const { authentication_id: operation_id, merchant_account_id, order_id, order_merchant_id, currency } = facts;
  const head = JSON.stringify({ merchant_account_id, order_id, operation_id, order_merchant_id, currency }).slice(
    0,
    -1,
  );
  return [`${head},"amount":${facts.amount_minor},"card":{"number":`, { slot: 'card.number' }, '}}'];
}

/** `{"event_ref","merchant_account_id","order_id","type":"three_ds.result","operation_id","rreq":{…}}`. */
function readMessage(body: Uint8Array): AuthenticationMessage | undefined {
  const said = smallObjectOf(body);
  const rreq = said && said.get('type') === 'three_ds.result' ? objectAt(said, 'rreq') : undefined;
  if (!said || !rreq) return undefined;
  const [merchant_account_id, order_id, authentication_id] = ['merchant_account_id', 'order_id', 'operation_id'].map(
    (name) => idAt(said.get(name)),
  );
  const [event_ref, server_id] = [said.get('event_ref'), rreq.get('threeDSServerTransID')];
  if (!merchant_account_id || !order_id || !authentication_id) return undefined;
  if (typeof event_ref !== 'string' || event_ref.length > 255 || typeof server_id !== 'string') return undefined;
  const result = readResult(rreq, server_id);
  return result && { event_ref, merchant_account_id, order_id, authentication_id, server_id, result };
}

function idAt(value: unknown): string | undefined {
  return typeof value === 'string' && isId(value) ? value : undefined;
}

/** Without padding, as CReq and threeDSMethodData are written. */
function base64url(message: Readonly<Record<string, string>>): string {
  return btoa(JSON.stringify(message)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
