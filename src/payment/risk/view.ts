// The risk members of an order's answers and reads (contract 7.2, 7.5): our own rules, or the provider's opinion behind
// them.
import { longDate } from '../../core/dates.ts';
import { result } from '../../core/results.ts';
import { sha256 } from '../../kit/crypto.ts';
import { DEFAULT_SETTINGS } from '../merchant/settings.ts';
import type { RiskNote } from './note.ts';

/** The risk of a transaction, and the moment at which its authorization was decided. */
export type RiskFacts = {
  readonly id: string;
  readonly provider: string;
  readonly created_at: string;
  readonly risk_score: number | null;
  readonly risk: RiskNote | null;
  readonly decided_at: string | null;
};

/** The name of our own rules as the assessor in an answer. */
const OWN = 'risk_rules';

/** An assessment of an attempt. */
export type Assessment = {
  readonly partner: string;
  readonly at: string | null;
  readonly result: 'accepted' | 'refused';
  readonly code: string;
  readonly says: string;
};

/** The assessments in the order of time: by our rules, then by a provider that gave a score. */
export function assessmentsOf({ provider, created_at, risk_score, risk, decided_at }: RiskFacts) {
  const accepted = result('risk_accepted').code;
  const made: Assessment[] = [];
  if (risk?.assessed) {
    const { code, version, rule, says } = risk.assessed;
    const named = rule === null ? says : `${rule}: ${says}`;
    const words = [named, ...(risk.marked === undefined ? [] : [`suspicious, ${risk.marked}`])].join('; ');
    made.push({
      partner: OWN,
      at: created_at,
      result: code === accepted ? 'accepted' : 'refused',
      code,
      says: version === 0 ? words : `${words} (rules version ${version})`,
    });
  }
  if (risk_score !== null)
    made.push({
      partner: provider,
      at: decided_at,
      result: 'accepted',
      code: accepted,
      says: `risk score ${risk_score} of 100`,
    });
  return made;
}

/**
 * Is the order suspicious? Yes, if a rule of the account marked it, or its score is as high as the account had set when
 * the attempt was accepted.
 */
export function isSuspicious({ risk, risk_score }: RiskFacts): boolean {
  const from = risk?.suspicious_from ?? DEFAULT_SETTINGS.risk_score_suspicious;
  return risk?.marked !== undefined || (risk_score !== null && risk_score >= from);
}

/** The flat members of 7.2. */
export function riskMembers(facts: RiskFacts) {
  const last = assessmentsOf(facts).at(-1);
  const { reason, code } = reasonOf(facts, last);
  return {
    is_suspicious: isSuspicious(facts),
    risk_assessment_partner: last?.partner ?? '',
    risk_assessment_date: last?.at ? longDate(new Date(last.at)) : null,
    risk_assessment_result: last?.result ?? '',
    risk_assessment_reason: reason,
    risk_assessment_reason_code: code,
  };
}

/** The members of a transaction in a read (7.5): null where there is nothing. */
export function riskRead(facts: RiskFacts) {
  const last = assessmentsOf(facts).at(-1);
  const { reason, code } = reasonOf(facts, last);
  return {
    risk_assessment_date: last?.at ?? null,
    risk_assessment_partner: last?.partner ?? null,
    risk_assessment_partner_api_name: null,
    risk_assessment_partner_id: null,
    risk_assessment_result: last?.result ?? null,
    risk_assessment_reason: reason || null,
    risk_assessment_reason_code: code || null,
    risk_assessment_score: facts.risk_score,
  };
}

/** Why it was refused, or else what a rule marked it with. */
function reasonOf(
  { risk }: RiskFacts,
  last: Assessment | undefined,
): { readonly reason: string; readonly code: string } {
  return last?.result === 'refused' ? { reason: last.says, code: last.code } : { reason: risk?.marked ?? '', code: '' };
}

/** An assessment has no row of its own: its id is the moment of its attempt and a name. */
export function assessmentId(transaction_id: string, { partner }: Assessment): string {
  return transaction_id.slice(0, 12) + sha256(`${transaction_id} ${partner}`).slice(0, 12);
}
