// Stops callers who try number after number at POST /token, to find the one of which they know six and four digits
// (docs/decisions/0052). Tries are counted for each account, whatever the key, address or Idempotency-Key, in the
// memory of this process: as keyed hashes under a key of its own, with no digits except those that may be shown.
import { type KeyObject, createSecretKey } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../core/durations.ts';
import type { Refusal } from '../../core/refusals.ts';
import type { Chance, Clock } from '../../kit/clock.ts';
import { seldom } from '../../kit/cache.ts';
import { hmacParts } from '../../kit/crypto.ts';
import type { Database } from '../../kit/database.ts';
import { tooMany } from '../../kit/http/key-gate.ts';
import type { AuditEvent, Auditor } from '../audit/audit.ts';
import { sawSweep } from '../metrics/metrics.ts';

type Tools = {
  readonly db: Database;
  readonly audit: Auditor;
  readonly chance: Chance;
  /** The machine's clock: moving a sandbox's clock does not end a stop. */
  readonly clock: Clock;
  /** Different numbers with the same first six and last four digits, of one account in a day. */
  readonly alike_cards_per_day: number;
};

/** Groups that are kept; the oldest go first. */
const MAX = { middle: 50_000, end: 5_000, key: 5_000 } as const;
/** Reported, and not refused: more different ends of one number than this many times the limit. */
const ENDS = 10;
/** An account has one record an hour of each kind. */
const TOLD = { every_ms: HOUR_MS, max: 10_000 };

type Group = { readonly until: number; readonly seen: Set<string> };

export class Sweeps {
  private readonly tools: Tools;
  private readonly key: KeyObject;
  private readonly groups = {
    middle: new Map<string, Group>(),
    end: new Map<string, Group>(),
    key: new Map<string, Group>(),
  };
  private readonly tell: (name: string, event: AuditEvent) => void;

  constructor(tools: Tools) {
    this.tools = tools;
    this.key = createSecretKey(tools.chance.bytes(32));
    const { db, audit, clock } = tools;
    this.tell = seldom({ ...TOLD, clock }, (_name, event: AuditEvent) => audit.note(db, event));
  }

  /** Counts a number before anything is answered of it. Throws 429 when it is one too many that look the same. */
  look(merchant_account_id: string, number: Buffer): void {
    const { alike_cards_per_day: most } = this.tools;
    const first6 = number.toString('latin1', 0, 6);
    const last4 = number.toString('latin1', number.length - 4);
    const start = hmacParts(this.key, [merchant_account_id, number.subarray(0, -4)]).toString('base64', 0, 12);
    // what is unknown in a group tells its numbers apart: the digits before the last four, or the last four
    const middle = this.groupOf('middle', `${merchant_account_id} ${first6} ${last4}`);
    if (!middle.seen.has(start) && middle.seen.size >= most) {
      this.note(merchant_account_id, 'refused', { kind: 'middle', first6, last4, numbers: most });
      throw this.refusal('middle', middle);
    }
    middle.seen.add(start);
    const end = this.groupOf('end', start);
    if (end.seen.has(last4) || end.seen.size > most * ENDS) return;
    end.seen.add(last4);
    if (end.seen.size <= most * ENDS) return;
    sawSweep('end', { held: false });
    this.note(merchant_account_id, 'done', { kind: 'end', first6, numbers: end.seen.size });
  }

  /**
   * Counts a request that was refused because its Idempotency-Key stands for another card: that, too, tells that a
   * number is not the right one. Throws 429 when it is one too many.
   */
  lookAtKey(merchant_account_id: string, key: string): void {
    const { alike_cards_per_day: most } = this.tools;
    const group = this.groupOf('key', `${merchant_account_id} ${key}`);
    group.seen.add(String(group.seen.size));
    if (group.seen.size < most) return;
    group.seen.delete(String(most - 1));
    this.note(merchant_account_id, 'refused', { kind: 'key', numbers: most });
    throw this.refusal('key', group);
  }

  private refusal(kind: 'middle' | 'key', { until }: Group): Refusal {
    sawSweep(kind, { held: true });
    const retry_s = Math.ceil((until - this.tools.clock.ticks()) / 1000);
    return tooMany('alike-cards', { quota: this.tools.alike_cards_per_day, window_s: DAY_MS / 1000, retry_s });
  }

  private groupOf(kind: keyof typeof MAX, name: string): Group {
    const groups = this.groups[kind];
    const now = this.tools.clock.ticks();
    const known = groups.get(name);
    if (known && known.until > now) return known;
    const group = { until: now + DAY_MS, seen: new Set<string>() };
    // in the order of their beginning
    groups.delete(name);
    if (groups.size >= MAX[kind]) for (const oldest of groups.keys()) if (groups.delete(oldest)) break;
    groups.set(name, group);
    return group;
  }

  private note(merchant_account_id: string, result: 'refused' | 'done', detail: AuditEvent['detail'] & object): void {
    const event = { action: 'card sweep', object: merchant_account_id, result, detail } as const;
    this.tell(`${merchant_account_id} ${result}`, event);
  }
}
