// What the worker decides by itself and a person must be able to look up: its records in the audit.
import { hostname } from 'node:os';
import { writeAudit } from '../backoffice/audit/audit.ts';
import type { Noting } from '../payment/routing/learn/learn.ts';

export function noting(): Noting {
  const who = { actor: 'florin', source: hostname() };
  return {
    stopped: (tx, { rule, stopped }) =>
      writeAudit(tx, who, { action: 'best_of rule stopped', object: rule, reason: stopped }),
    compared: (tx, { number, verdict, ended }) =>
      writeAudit(tx, who, {
        action: ended === null ? 'experiment decided' : 'experiment ended',
        object: `experiment ${number}`,
        reason: ended,
        detail: { verdict },
      }),
  };
}
