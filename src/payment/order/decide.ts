// What an observation means for an operation, as a pure function (engine.md 3.3): no I/O, no clock, no chance. Whoever learns
// something (the answer of a call, an inquiry, the vault's record) asks here, and commits exactly what comes out.
import { type LedgerAccount, type Transfer, bookAuthorization, bookSale } from '../../core/ledger-accounts.ts';
import { type ResultName, result } from '../../core/results.ts';
import { ORDER_STATUSES, type OperationState, type OrderStatus } from '../../core/states.ts';
import type { Outcome } from '../../provider/contract.ts';

export type OpenAuthorization = {
  readonly id: string;
  readonly transaction_id: string;
  readonly amount_minor: bigint;
  readonly currency: string;
  readonly with_capture: boolean;
};

/** What was seen, with where it was seen. `not_sent` is proof that no byte reached the provider. */
export type Observation = {
  readonly source: 'answer' | 'inquiry' | 'vault';
  readonly outcome: Outcome | { readonly kind: 'not_sent'; readonly result: ResultName };
};

export type FollowUp = {
  readonly state: OperationState;
  readonly waits_for: 'call' | 'provider';
  readonly amount_minor: bigint;
};

export type Settlement = {
  readonly kind: 'settle';
  readonly state: OperationState;
  readonly status: OrderStatus;
  readonly live: boolean;
  readonly attempt_dead: boolean;
  readonly wins: boolean;
  readonly code: string;
  readonly d_authorized: bigint;
  readonly d_capturing: bigint;
  readonly d_captured: bigint;
  readonly events: readonly { readonly type: OrderStatus; readonly code: string }[];
  /** The capture of a direct capture, written in the same commit. */
  readonly capture: FollowUp | undefined;
  readonly postings: readonly { readonly source: 'operation' | 'capture'; readonly transfers: readonly Transfer[] }[];
};

/** Nothing final was learnt: evidence is kept and the operation stays open. */
export type Note = {
  readonly kind: 'note';
  readonly state: 'requested' | 'in_doubt';
  readonly waits_for: 'call' | 'provider';
};

/** Decides about an authorization that is still open (requested or in doubt). */
export function decideAuthorization(operation: OpenAuthorization, { outcome }: Observation): Settlement | Note {
  switch (outcome.kind) {
    case 'approved':
      return isOurs(operation, outcome) ? approved(operation, outcome.captured) : IN_DOUBT;
    case 'declined':
      return ended('declined', outcome.result);
    case 'not_sent':
      return ended('not_sent', outcome.result);
    case 'reversed':
      return ended('declined', 'provider_unreachable');
    case 'pending':
      return { kind: 'note', state: 'requested', waits_for: 'provider' };
    // not found is no proof: the provider may commit after saying so (engine.md rule 5)
    case 'not_found':
    case 'unknown':
      return IN_DOUBT;
  }
}

const IN_DOUBT: Note = { kind: 'note', state: 'in_doubt', waits_for: 'call' };

/** An approval of another amount, currency or reference is never applied (providers.md 2.2, rule 5). */
function isOurs(operation: OpenAuthorization, outcome: Extract<Outcome, { kind: 'approved' }>): boolean {
  const same_money = outcome.amount_minor === operation.amount_minor && outcome.currency === operation.currency;
  return same_money && outcome.our_reference === operation.id && (operation.with_capture || !outcome.captured);
}

function approved({ amount_minor, with_capture }: OpenAuthorization, captured: boolean): Settlement {
  const authorized = { type: 'authorization_successful', code: result('authorization_successful').code } as const;
  const base = {
    kind: 'settle',
    state: 'successful',
    live: true,
    attempt_dead: false,
    wins: true,
    d_authorized: amount_minor,
  } as const;
  const hold = { source: 'operation', transfers: bookAuthorization(amount_minor) } as const;
  if (!with_capture) {
    return {
      ...base,
      status: authorized.type,
      code: authorized.code,
      d_capturing: 0n,
      d_captured: 0n,
      events: [authorized],
      capture: undefined,
      postings: [hold],
    };
  }
  if (!captured) {
    const requested = { type: 'capture_requested', code: result('capture_pending').code } as const;
    const capture = { state: 'requested', waits_for: 'provider', amount_minor } as const;
    return {
      ...base,
      status: requested.type,
      code: authorized.code,
      d_capturing: amount_minor,
      d_captured: 0n,
      events: [authorized, requested],
      capture,
      postings: [hold],
    };
  }
  const done = { type: 'capture_successful', code: result('capture_successful').code } as const;
  const capture = { state: 'successful', waits_for: 'call', amount_minor } as const;
  const sold = { source: 'capture', transfers: bookSale(amount_minor) } as const;
  return {
    ...base,
    status: done.type,
    code: authorized.code,
    d_capturing: 0n,
    d_captured: amount_minor,
    events: [authorized, done],
    capture,
    postings: [sold],
  };
}

function ended(state: 'declined' | 'not_sent', name: ResultName): Settlement {
  const { code } = result(name);
  const status = 'authorization_declined';
  return {
    kind: 'settle',
    state,
    status,
    live: ORDER_STATUSES[status].live,
    attempt_dead: true,
    wins: false,
    code,
    d_authorized: 0n,
    d_capturing: 0n,
    d_captured: 0n,
    events: [{ type: status, code }],
    capture: undefined,
    postings: [],
  };
}

export type PostingLine = {
  readonly source: string;
  readonly line: number;
  readonly debit: LedgerAccount;
  readonly credit: LedgerAccount;
  readonly amount_minor: bigint;
};

/** The ledger rows of a settlement, once the ids of its operations are known. */
export function postingLines(
  settlement: Settlement,
  ids: { operation: string; capture: string | null },
): readonly PostingLine[] {
  return settlement.postings.flatMap(({ source, transfers }) =>
    transfers.map((transfer, index) => ({
      source: (source === 'capture' ? ids.capture : ids.operation) ?? ids.operation,
      line: index + 1,
      ...transfer,
    })),
  );
}
