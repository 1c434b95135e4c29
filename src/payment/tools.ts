// What the money zone works with: made once in main.ts and passed first. This is the whole of dependency injection.
import type { Origins } from '../core/origin/origins.ts';
import type { CapsTable, Limit } from '../core/retries/caps.ts';
import type { Day } from '../core/retries/day.ts';
import type { HealthState } from '../core/routing/health.ts';
import type { LeftOut } from '../core/routing/route.ts';
import type { Chance, Clock, DeploymentClock } from '../kit/clock.ts';
import type { KillPoint } from '../core/kill-points.ts';
import type { Crash } from '../kit/crash.ts';
import type { Egress } from '../kit/egress.ts';
import type { Certificates } from '../kit/proof/certificate.ts';
import type { TargetRules } from '../kit/outside/target.ts';
import type { Database, Runner } from '../kit/database.ts';
import type { Counts } from '../kit/http/counts.ts';
import type { Addresses } from '../kit/http/host.ts';
import type { Log } from '../kit/log.ts';
import type { Mailer } from '../kit/mail/smtp.ts';
import type { Provider } from '../provider/contract.ts';
import type { Authenticator } from '../provider/three-ds/contract.ts';
import type { Direct } from '../provider/send/direct.ts';
import type { LogEntry } from './log-entry.ts';
import type { VaultLink } from './vault-link.ts';

/** What card schemes limit, as it holds in this process. */
export type Caps = {
  table(): CapsTable;
  /** Of a try on this day. */
  limitsOn(day: Day, scheme: string): readonly Limit[];
  /** Follows what was loaded since. */
  look(db: Runner): Promise<void>;
};

/** Steers the simulated provider of a sandbox, over its own port. Undefined: it did not answer. */
export type SandboxControl = (ask: {
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly body?: object;
}) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> } | undefined>;

/** What one call shows of its provider. */
export type CallSeen = {
  readonly answered: boolean;
  /** Answered, and the answer is that the provider itself, or the acquirer behind it, is in trouble. */
  readonly trouble: boolean;
  readonly ms: number;
};

/** What the first try of an order came to at a contract. */
export type Decided = {
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly provider: string;
  readonly scheme: string;
  /** Tells cards apart; kept nowhere. */
  readonly card: string;
  /** Declined, and not for the payer's own doing. */
  readonly bad: boolean;
};

/** A contract that a payment may go to. */
export type Candidate = {
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly provider: string;
  readonly scheme: string;
};

/** Which providers and contracts are left alone, or get a part of the payments only (routing/breaker.ts). */
export type Breaker = {
  /** No call should be made. As old as the last look of this process's worker. */
  isOpen(provider: string): boolean;
  /** No new payment should be sent under it. */
  refuses(contract: Pick<Candidate, 'provider'> & { readonly contract_id: string | null }): boolean;
  /** What a person of its account says of a contract. */
  holdOf(contract_id: string): 'open' | 'closed' | undefined;
  stateOf(provider: string): HealthState;
  /** It takes new payments, and fewer than its rules would give it. */
  isPart(candidate: Candidate): boolean;
  /**
   * Why a new payment should go to another one, if there is one; undefined: it is well, or this is its share. Asked
   * once for a payment.
   */
  leftOut(provider: string): LeftOut | undefined;
  /** The same of one contract, for what it declines. */
  suspects(candidate: Candidate): LeftOut | undefined;
  /** Told after every call. */
  saw(provider: string, seen: CallSeen): void;
  /** Called with every first try that was approved, or declined by the contract's side. */
  decided(decided: Decided): void;
  /** Looks at the health of all, and probes what is down; `probe` tells whether it answers. */
  look(probe: (provider: string) => Promise<boolean>): Promise<void>;
};

/** `next_in_ms`: on the deployment's clock, 0 or less: now; undefined: nothing waits. */
export type ClockState = { readonly now: Date; readonly shift_ms: number; readonly next_in_ms: number | undefined };

export type TestClock = {
  look(): Promise<ClockState>;
  /**
   * Waits until the clock stands there and all work due until then has run; false: that goes on after `patience_ms`.
   */
  reach(shift_ms: number, patience_ms: number): Promise<boolean>;
};

/** Of a process that moves no clock. The one that does puts its own in its place once the parts are together. */
export function noTestClock(): TestClock {
  const none = () => Promise.reject(new Error('this process moves no clock'));
  return { look: none, reach: none };
}

/** The way to addresses that merchants gave, and what a call there says of us. */
export type Outside = Pick<Egress, 'exchange' | 'destroy'> & {
  readonly rules: Pick<TargetRules, 'private_targets' | 'ports'>;
  /** Gives the headers their names. */
  readonly brand: string;
  /** Receivers compare our timestamps with their own clocks: a sandbox's clock that was moved is not meant. */
  readonly clock: Pick<Clock, 'now'>;
  /** For one try, from the connection to the answer. */
  readonly deadline_ms: number;
};

/** What developers look into (request-log): it costs who notes something no wait, and drops what it has no room for. */
export type RequestLog = {
  /** `make` is called a moment later, when the answer has been handed on. */
  note(make: () => LogEntry): void;
  /** Makes the days that are to come, and drops those that are over. */
  keep(): Promise<void>;
  /** Writes what is left. Nothing is noted any more. */
  close(): Promise<void>;
};

/** Mails to people of the back office: sent, in a sandbox without a mail server kept to be looked at, or none. */
export type Mail = { readonly way: 'sent'; readonly mailer: Pick<Mailer, 'send'> } | { readonly way: 'kept' | 'none' };

/** For how many days things are kept, in the whole deployment. */
export type Retention = {
  /** After it was made. */
  readonly report_days: number;
  /** After it was written. */
  readonly mail_days: number;
  /** After the end of its dispute. */
  readonly dispute_evidence_days: number;
};

/** Of a process that answers no requests and sends nothing. */
export const noRequestLog: RequestLog = {
  note: () => undefined,
  keep: async () => undefined,
  close: async () => undefined,
};

export type Tools = {
  readonly db: Database;
  /** The same, whose commits do not wait for the disk. */
  readonly relaxed_db: Database;
  readonly vault: VaultLink;
  /** Sends a provider call that carries no card. */
  readonly direct: Direct;
  readonly providers: ReadonlyMap<string, Provider>;
  /** The 3-D Secure server; undefined: none is connected, and no payer can be authenticated. */
  readonly authenticator: Authenticator | undefined;
  /** What it signs its messages with: one for the deployment, since it is no merchant's. */
  readonly authenticator_secret: string | undefined;
  /** Of providers that sign with the key of a certificate. */
  readonly certificates: Certificates;
  readonly breaker: Breaker;
  /** Only a sandbox has one. */
  readonly sandbox: SandboxControl | undefined;
  readonly outside: Outside;
  readonly clock: DeploymentClock;
  readonly chance: Chance;
  /** The money zone's own key: seals the tokens of saved cards. */
  readonly secret_key: Uint8Array;
  readonly log: Log;
  readonly request_log: RequestLog;
  readonly retention: Retention;
  readonly mail: Mail;
  /** Limits that hold for all processes. */
  readonly counts: Counts;
  readonly environment: 'sandbox' | 'production';
  readonly key_letters: string;
  readonly addresses: Addresses;
  /** What card schemes limit. */
  readonly caps: Caps;
  /** Countries of addresses, issuers and countries of cards (contract 9.4). */
  readonly origins: Origins;
  /** Calls that go on after their answer; awaited at shutdown. */
  readonly running: CallsInFlight;
  /** Tells the worker of this process, where there is one, that there is work: a hint, it would look anyway. */
  readonly wake_up: { wake(): void };
  /** Moves a sandbox's clock (contract 15.4); it knows what waits on it. */
  readonly test_clock: TestClock;
  readonly crash: Crash<KillPoint>;
};

/**
 * Work under way, by order and by operation: a second request for the same order joins it, recovery leaves it alone.
 */
export class CallsInFlight {
  /** The service stops: no request waits longer than for the calls that are under way. */
  ending = false;
  private readonly orders = new Map<string, Set<Promise<unknown>>>();
  private readonly operations = new Set<string>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** Follows the work on an operation; one that fails is left to recovery, and `otherwise` is what is known. */
  async start<T>(order_id: string, operation_id: string, work: Promise<T>, otherwise: T): Promise<T> {
    const of_order = this.orders.get(order_id) ?? new Set();
    this.orders.set(order_id, of_order.add(work));
    this.operations.add(operation_id);
    try {
      return await work;
    } catch (error) {
      this.log.error({ order_id, operation_id, error: String(error) }, 'an operation is left to recovery');
      return otherwise;
    } finally {
      of_order.delete(work);
      if (of_order.size === 0) this.orders.delete(order_id);
      this.operations.delete(operation_id);
    }
  }

  /** Comes when the work that is under way on this order now has ended. */
  find(order_id: string): Promise<unknown> | undefined {
    const work = this.orders.get(order_id);
    return work && Promise.allSettled(work);
  }

  has(operation_id: string): boolean {
    return this.operations.has(operation_id);
  }

  async drain(): Promise<void> {
    await Promise.allSettled([...this.orders.values()].flatMap((work) => [...work]));
  }
}
