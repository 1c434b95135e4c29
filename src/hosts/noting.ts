// What the worker tells people: its own decisions, as records in the audit, and alarms by mail.
import { hostname } from 'node:os';
import { tellAlarms } from '../backoffice/alarm/alarms.ts';
import { writeAudit } from '../backoffice/audit/audit.ts';
import type { Noting } from '../payment/routing/learn/learn.ts';
import type { Tools } from '../payment/tools.ts';
import type { Job } from '../worker/jobs.ts';

const ALARMS_MS = 60_000;

/** They go by the clock of people: a sandbox's is not moved to them. */
export function alarms(tools: Tools): Job {
  return {
    name: 'alarms by mail',
    every_ms: ALARMS_MS,
    run: () => tellAlarms(tools).then(() => false),
    due: [],
  };
}

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
