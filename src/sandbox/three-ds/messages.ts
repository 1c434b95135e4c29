// The messages that the simulated directory and bank write: ARes, Erro, RReq, CRes (EMV 3-D Secure 2.2.0 and 2.3.1,
// browser).
import type { Authentication, Ending, Status } from './authentication.ts';
import type { Version } from './versions.ts';

export type Message = Readonly<Record<string, unknown>>;

const DIRECTORY = 'FLORIN_SANDBOX_DS_0001';
const BANK = 'FLORIN_SANDBOX_ACS_0001';

export function aresOf(authentication: Authentication, acs_url: string): Message {
  const { ended } = authentication;
  const head = { ...headOf(authentication, 'ARes'), acsReferenceNumber: BANK, dsReferenceNumber: DIRECTORY };
  const ids = { acsTransID: authentication.acs_trans_id, dsTransID: authentication.ds_trans_id };
  if (ended !== null) return { ...head, ...ids, ...endingOf(ended) };
  const challenge = { transStatus: 'C', acsURL: acs_url, acsChallengeMandated: 'Y' };
  return { ...head, ...ids, ...challenge, ...byCode(authentication) };
}

/** The result of a challenge, from server to server; without a challenge, the status of the ARes. */
export function rreqOf(authentication: Authentication): Message {
  const { ended, tries, acs_trans_id, ds_trans_id } = authentication;
  const counter = String(Math.min(tries + 1, 99)).padStart(2, '0');
  return {
    ...headOf(authentication, 'RReq'),
    acsTransID: acs_trans_id,
    dsTransID: ds_trans_id,
    messageCategory: '01',
    interactionCounter: counter,
    ...(ended && endingOf(ended)),
    ...(ended && ['Y', 'N'].includes(ended.status) && byCode(authentication)),
    ...(ended?.cancelled && { challengeCancel: '01' }),
  };
}

/** The message that the browser brings back: only that the challenge is over, and whether it succeeded. */
export function cresOf(authentication: Authentication): Message {
  const status = authentication.ended?.status;
  const transStatus = status === 'Y' || status === 'A' ? 'Y' : 'N';
  return { ...headOf(authentication, 'CRes'), acsTransID: authentication.acs_trans_id, transStatus };
}

/** Says that the payer types a code made for this payment, in the form of the version. */
function byCode({ asked }: Authentication): Message {
  return asked?.version === '2.3.1' ? { authenticationMethod: ['02'] } : { authenticationType: '02' };
}

function headOf({ id, asked }: Authentication, messageType: string): Message {
  return { messageType, messageVersion: asked?.version ?? '2.2.0', threeDSServerTransID: id };
}

function endingOf({ status, reason, eci, authentication_value }: Ending): Message {
  return {
    transStatus: status,
    ...(reason !== null && { transStatusReason: reason }),
    ...(eci !== null && { eci }),
    ...(authentication_value !== null && { authenticationValue: authentication_value }),
  };
}

/** The standard's error codes that the directory uses. */
const ERRORS = {
  '101': 'the message is not one that is expected here',
  '102': 'the message version is not supported',
  '201': 'a required element is missing',
  '203': 'the format of an element is not valid',
  '301': 'the transaction id is not recognised',
  '304': 'a code of a list is not valid',
  '305': 'the transaction data are not valid',
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** Used without a transaction: the standard requires an id in every answer. */
const NO_ID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `detail` names the element, never its value. */
export function erroOf(asked: Message, code: ErrorCode, detail: string): Message {
  const { messageVersion, threeDSServerTransID: id } = asked;
  const version: Version = messageVersion === '2.3.1' ? '2.3.1' : '2.2.0';
  return {
    messageType: 'Erro',
    messageVersion: version,
    threeDSServerTransID: typeof id === 'string' && UUID.test(id) ? id : NO_ID,
    errorCode: code,
    errorComponent: 'D',
    errorDescription: ERRORS[code],
    errorDetail: detail,
    errorMessageType: 'AReq',
  };
}

/** Mastercard and Maestro: 02 and 01; other schemes: 05 and 06. */
export function eciOf(status: Status, is_mastercard: boolean): string | null {
  if (status === 'Y') return is_mastercard ? '02' : '05';
  return status === 'A' ? (is_mastercard ? '01' : '06') : null;
}

/** The reason of a status that is not a success. */
export function reasonOf(status: Status): string | null {
  switch (status) {
    case 'N':
      return '01';
    case 'R':
      return '11';
    case 'U':
      return '22';
    case 'Y':
    case 'A':
      return null;
  }
}
