// The tools that the money zone works with. They are made once where a process starts, and are the first argument of
// every verb; there is no other dependency injection.
import type { KeyObject } from 'node:crypto';
import type { Origins } from '../core/origin/origins.ts';
import type { CapsTable, Limit } from '../core/retries/caps.ts';
import type { Day } from '../core/retries/day.ts';
import type { HealthState } from '../core/routing/health.ts';
import type { LeftOut } from '../core/routing/route.ts';
import type { Chance, Clock, ClockWatch, DeploymentClock } from '../kit/clock.ts';
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

/** The limits of card schemes, as this process knows them. */
export type Caps = {
  table(): CapsTable;
  /** The limits for a try on this day. */
  limitsOn(day: Day, scheme: string): readonly Limit[];
  /** Reads limits that were loaded since the last look. */
  look(db: Runner): Promise<void>;
};

/** Controls the simulated provider of a sandbox, over its own port. Undefined: it did not answer. */
export type SandboxControl = (ask: {
  readonly method: 'GET' | 'POST';
  /** The path with its query. */
  readonly path: string;
  readonly body?: object;
}) => Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> } | undefined>;

/** What one call shows about the health of its provider. */
export type CallSeen = {
  readonly answered: boolean;
  /** The provider answered that it, or the acquirer behind it, is in trouble. */
  readonly trouble: boolean;
  readonly ms: number;
};

/** The result of an order's first try, for the health of its contract. */
export type Decided = {
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly provider: string;
  readonly scheme: string;
  /** Tells cards apart; it is stored nowhere. */
  readonly card: string;
  /** Declined, and not because of the payer. */
  readonly bad: boolean;
};

/** A contract that a payment may go to. */
export type Candidate = {
  readonly merchant_account_id: string;
  readonly contract_id: string;
  readonly provider: string;
  readonly scheme: string;
};

/** Which providers and contracts get no payments for a while, or only a part of them (routing/breaker.ts). */
export type Breaker = {
  /** True: no call should be made. As recent as the last look of this process's worker. */
  isOpen(provider: string): boolean;
  /** True: no new payment should be sent under this contract. */
  refuses(contract: Pick<Candidate, 'provider'> & { readonly contract_id: string | null }): boolean;
  /** What a person of the account has decided about a contract. */
  holdOf(contract_id: string): 'open' | 'closed' | undefined;
  stateOf(provider: string): HealthState;
  /** True: the contract gets new payments, but fewer than the rules would give it. */
  isPart(candidate: Candidate): boolean;
  /**
   * Why a new payment should go to another provider, if there is one. Undefined: the provider is well, or this payment
   * is in its share. Asked once for each payment.
   */
  leftOut(provider: string): LeftOut | undefined;
  /** The same question about one contract, because of its declines. */
  suspects(candidate: Candidate): LeftOut | undefined;
  /** Reports a call to the health of its provider. */
  saw(provider: string, seen: CallSeen): void;
  /** Called with every first try that was approved, or declined by the contract's side. */
  decided(decided: Decided): void;
  /** Looks at the health of all providers, and probes those that are down; `probe` tells whether a provider answers. */
  look(probe: (provider: string) => Promise<boolean>): Promise<void>;
};

/**
 * `next_in_ms`: time until the next work is due, on the deployment's clock; 0 or less: now; undefined: nothing waits.
 */
export type ClockState = { readonly now: Date; readonly shift_ms: number; readonly next_in_ms: number | undefined };

export type TestClock = {
  look(): Promise<ClockState>;
  /**
   * Waits until the clock has reached this moment and all work due until then has run. False: that goes on after
   * `patience_ms`.
   */
  reach(shift_ms: number, patience_ms: number): Promise<boolean>;
};

/**
 * The test clock of a process that moves no clock. The process that moves the clock replaces it once its parts are
 * together.
 */
export function noTestClock(): TestClock {
  const none = () => Promise.reject(new Error('this process moves no clock'));
  return { look: none, reach: none };
}

/** Sends requests to addresses that merchants gave; says who we are there. */
export type Outside = Pick<Egress, 'exchange' | 'destroy'> & {
  readonly rules: Pick<TargetRules, 'private_targets' | 'ports'>;
  /** The brand in the names of the headers. */
  readonly brand: string;
  /**
   * The real clock, also in a sandbox whose clock was moved: receivers compare our timestamps with their own clocks.
   */
  readonly clock: Pick<Clock, 'now'>;
  /** How long one try may take, from the connection to the answer. */
  readonly deadline_ms: number;
};

/**
 * The log of requests for developers (request-log). Noting an entry makes no caller wait; an entry without room is
 * dropped.
 */
export type RequestLog = {
  /** `make` is called a moment later, after the answer was sent. */
  note(make: () => LogEntry): void;
  /** Makes the partitions of the next days, and drops those of old days. */
  keep(): Promise<void>;
  /** Writes the entries that are left; from then on nothing is noted. */
  close(): Promise<void>;
};

/**
 * Mails to people of the back office are sent; or kept to be looked at (a sandbox without a mail server); or there are
 * none.
 */
export type Mail = { readonly way: 'sent'; readonly mailer: Pick<Mailer, 'send'> } | { readonly way: 'kept' | 'none' };

/** For how many days things are kept; the same for the whole deployment. */
export type Retention = {
  /** Counted from when the report was made. */
  readonly report_days: number;
  /** Counted from when the mail was written. */
  readonly mail_days: number;
  /** Counted from the end of the dispute. */
  readonly dispute_evidence_days: number;
};

/** The request log of a process that answers no requests and sends nothing. */
export const noRequestLog: RequestLog = {
  note: () => undefined,
  keep: async () => undefined,
  close: async () => undefined,
};

export type Tools = {
  readonly db: Database;
  /** The same database, but its commits do not wait for the disk. */
  readonly relaxed_db: Database;
  readonly vault: VaultLink;
  /** Sends a provider call that carries no card. */
  readonly direct: Direct;
  readonly providers: ReadonlyMap<string, Provider>;
  /** The 3-D Secure server; undefined: none is connected, and no payer can be authenticated. */
  readonly authenticator: Authenticator | undefined;
  /**
   * The secret with which the 3-D Secure server signs its messages: one for the deployment, because it belongs to no
   * merchant.
   */
  readonly authenticator_secret: string | undefined;
  /** Certificates of providers that sign their messages with one. */
  readonly certificates: Certificates;
  readonly breaker: Breaker;
  /** Only a sandbox has one. */
  readonly sandbox: SandboxControl | undefined;
  readonly outside: Outside;
  readonly clock: DeploymentClock;
  /** How the money zone's database counts time, as this process sees it. */
  readonly database_clock: ClockWatch;
  readonly chance: Chance;
  /** The money zone's own key: seals the tokens of saved cards. */
  readonly secret_key: KeyObject;
  readonly log: Log;
  readonly request_log: RequestLog;
  readonly retention: Retention;
  readonly mail: Mail;
  /** Limits that hold for all processes. */
  readonly counts: Counts;
  readonly environment: 'sandbox' | 'production';
  readonly key_letters: string;
  readonly addresses: Addresses;
  /** The limits of card schemes. */
  readonly caps: Caps;
  /** Tells the country of an address, and the issuer and country of a card (contract 9.4). */
  readonly origins: Origins;
  /** Calls to providers that go on after the caller was answered; awaited at shutdown. */
  readonly running: CallsInFlight;
  /**
   * A hint to the worker of this process, if it has one, that there is work; the worker would also find it without the
   * hint.
   */
  readonly wake_up: { wake(): void };
  /** Moves a sandbox's clock (contract 15.4), and knows what waits for it. */
  readonly test_clock: TestClock;
  readonly crash: Crash<KillPoint>;
};

/**
 * Work under way, by order and by operation: a second request for the same order waits for it, and recovery does not
 * touch it.
 */
export class CallsInFlight {
  /** The service is stopping: a request waits only for calls that are under way. */
  ending = false;
  private readonly orders = new Map<string, Set<Promise<unknown>>>();
  private readonly operations = new Set<string>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /**
   * Follows the work on an operation. If the work fails, recovery takes the operation over, and the result is
   * `otherwise`.
   */
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

  /** Settles when the work that is now under way on this order has ended. */
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
