// Versions of published rules as the web app gets them, and the audit records of publishing and rolling back: the same
// for risk rules and for routing rules.
import { int } from '../core/fields.ts';
import { required } from '../core/shape.ts';
import type { VersionRow } from '../payment/versions-store.ts';
import type { Publishing } from '../payment/versions.ts';
import type { BackofficeRequest } from './context.ts';
import { REASON } from './reason.ts';
import type { RollBackForm, RuleVersion, VersionForm } from './wire/rules/versions.ts';

const VERSION = required(int(0, 1_000_000));
export const PUBLISH_BODY = { base_version: VERSION, reason: REASON };
// a page of the version before does not say what it saw
export const ROLL_BACK_BODY = { version: VERSION, base_version: int(0, 1_000_000), reason: REASON };

export const NO_VERSION: RuleVersion = {
  version: 0,
  published_at: null,
  published_by: null,
  note: null,
  rolled_back_to: null,
};

export function versionView({ version, at, by_name, note, rolled_back_to }: VersionRow<unknown>): RuleVersion {
  return { version, published_at: at.toISOString(), published_by: by_name, note, rolled_back_to };
}

type Kind = 'risk' | 'routing';
type Detail = { readonly rules: number; readonly warnings?: number };

/** Who publishes a draft and why, with the audit record. */
export function publishing(
  { principal, record }: BackofficeRequest,
  { base_version, reason }: VersionForm,
  { kind, ...detail }: Detail & { readonly kind: Kind },
): Publishing {
  return {
    by: principal.person.email,
    note: reason,
    based_on: base_version,
    also: (tx, version) =>
      record(tx, {
        action: `${kind} rules published`,
        object: `version ${version}`,
        reason,
        detail: { version, ...detail },
      }),
  };
}

export type RollBackSent = Omit<RollBackForm, 'base_version'> & Partial<RollBackForm>;

/** Who goes back to a version and why, with the audit record. */
export function rollingBack(
  { principal, record }: BackofficeRequest,
  { version: to, base_version, reason }: RollBackSent,
  kind: Kind,
): Publishing & { readonly to: number } {
  return {
    to,
    by: principal.person.email,
    note: reason,
    based_on: base_version,
    also: (tx, version) =>
      record(tx, { action: `${kind} rules rolled back`, object: `version ${to}`, reason, detail: { version, to } }),
  };
}
