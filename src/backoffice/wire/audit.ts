// Wire: the audit of an account.
import type { Page } from '../wire.ts';

export type AuditRecord = {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  readonly result: 'done' | 'failed' | 'refused';
  readonly source: string;
  readonly reason: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hash: string;
};
export type AuditFilters = {
  readonly action?: string;
  readonly actor?: string;
  readonly object?: string;
  readonly cursor?: string;
};
export type AuditPage = Page & { readonly records: readonly AuditRecord[]; readonly actions: readonly string[] };
export type AuditVerdict =
  | { readonly whole: true; readonly records: number; readonly head: string }
  | { readonly whole: false; readonly at: number; readonly why: string };
