// The answer of the simulated provider about one operation. Every kind of operation and every inquiry has the same
// members.
import { type ResultName, findResult, result } from '../../core/results.ts';
import { type Entry, idOf } from '../entry.ts';
import { PENDING } from '../follow-ups.ts';
import type { Done } from '../payments.ts';

export type Reply = {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** A page for a browser (three-ds/page/pages.ts), in place of the body. */
  readonly page?: Page;
};

export type Page = { readonly headers: Readonly<Record<string, string>>; readonly html: string };

export function told({ entry, ends }: Done): Reply {
  const { code, description } = result(ends);
  const status = statusOf(ends, code);
  const { reference, kind, amount, currency, state, risk_score } = entry;
  const captured = kind === 'authorize' && ends === 'capture_successful';
  const authorization_code = kind === 'authorize' && status === 'approved' ? authorizationCode(reference) : '';
  const network = authorization_code === '' ? {} : { network_reference: networkReference(reference) };
  const what = { id: idOf(entry), reference, kind, status, amount, currency, captured, state };
  const score = risk_score !== null && status === 'approved' ? { risk_score } : {};
  const capture = status === 'approved' && entry.sale && !captured ? captureTold(entry) : {};
  const by_scheme = status === 'declined' ? entry.scheme : {};
  return {
    status: 200,
    body: { ...what, authorization_code, ...network, code, text: description, ...score, ...capture, ...by_scheme },
  };
}

/** The state of the capture, for a sale that is held and not captured. */
function captureTold({ capture_ended }: Entry): object {
  if (capture_ended === null) return {};
  const { code, description } = result(capture_ended);
  return { capture: { status: statusOf(capture_ended, code), code, text: description } };
}

/** The answer to an inquiry: a result that is reported later is pending until then. */
export function toldToInquiry(entry: Entry): Reply {
  const waits = entry.later.some(({ does }) => does === 'tell');
  return told({ entry, ends: waits ? PENDING[entry.kind] : entry.ended });
}

function statusOf(ends: ResultName, code: string): 'approved' | 'pending' | 'declined' {
  if (findResult(code)?.phase === 'success') return 'approved';
  return ends.endsWith('_pending') ? 'pending' : 'declined';
}

/** Six characters, always the same for one reference. */
export function authorizationCode(reference: string): string {
  return hashOf(reference).toString(36).toUpperCase().padStart(6, '0').slice(-6);
}

/** The card scheme's id of a payment: fifteen letters, always the same for one reference. */
export function networkReference(reference: string): string {
  const digits = [1, 2, 3].map((n) => hashOf(`${reference} ${n}`).toString(26).padStart(5, '0').slice(-5)).join('');
  return [...digits].map((digit) => String.fromCharCode(65 + Number.parseInt(digit, 26))).join('');
}

/** The hash FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
