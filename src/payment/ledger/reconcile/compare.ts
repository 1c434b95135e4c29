// Our operations against a provider's lines. Pure. What a difference tells of an operation is named, and the caller
// that applies it asks the same decision as for an answer.
import type { BookLine } from './line.ts';
import { cameBack } from './reversal.ts';
import type { OwnOperation, OwnOrder } from './store.ts';

export const DIFFERENCES = ['missing here', 'missing there', 'amount', 'currency', 'state', 'double effect'] as const;

export type Difference = {
  readonly kind: (typeof DIFFERENCES)[number];
  readonly provider: string;
  readonly merchant_account_id: string;
  readonly order_id: string;
  readonly what: BookLine['kind'];
  /** The reference as the provider knows it. */
  readonly reference: string;
  /** Ours; null where there is none. */
  readonly operation_id: string | null;
  readonly ours: string;
  readonly theirs: string;
  /** The difference between the books, in `currency`. */
  readonly apart_minor: bigint;
  readonly currency: string;
  /** What the line proves about our operation, if anything. */
  readonly tells: 'approved' | 'declined' | 'reversed' | 'not_found' | 'corrected' | undefined;
  readonly line: BookLine | undefined;
};

/** The result of a comparison: the line agrees, is too young to tell, or differs. */
export type Compared = 'agrees' | 'young' | readonly Difference[];

/** The in-flight time of each provider: a call that has had no effect after this many seconds will never have one. */
export type InFlight = ReadonlyMap<string, number>;

const isOpen = ({ state }: OwnOperation): boolean => ['requested', 'in_doubt', 'review', 'reversing'].includes(state);
const isYoung = ({ provider, quiet_s }: OwnOperation, in_flight: InFlight): boolean =>
  quiet_s < (in_flight.get(provider) ?? 0);

type Books = {
  readonly in_flight: InFlight;
  /** The line says how it is now. */
  readonly is_live?: boolean | undefined;
  /** They have lines of authorizations, too. */
  readonly lists_authorizations?: boolean;
  /** Another line says that what this one did came back. */
  readonly came_back?: boolean | undefined;
};

/** `order` undefined: there is no such order of this account. */
export function compareLine(
  line: BookLine,
  order: OwnOrder | undefined,
  { in_flight, is_live = false, lists_authorizations = false, came_back = false }: Books,
): Compared {
  const named = order && operationOf(line, order);
  if (order === undefined || named === undefined) return [missingHere(line)];
  const operation = named === 'spoken for' ? cameBack(line, order) : named;
  if (operation === undefined) return 'agrees';
  // a sale that is not done here has no capture yet
  const is_of_sale = line.kind === 'capture' && operation.kind === 'authorize';
  if (is_of_sale && lists_authorizations) return 'agrees';
  if (isYoung(operation, in_flight)) return 'young';
  const found: Difference[] = [];
  const differs = (kind: Difference['kind'], ours: string, theirs: string, tells?: Difference['tells']) =>
    found.push({
      ...aboutLine(line),
      kind,
      operation_id: operation.id,
      ours,
      theirs,
      tells,
      apart_minor: apartOf(kind, line, operation),
    });
  if (line.effects > 1 && line.kind !== 'reversal') differs('double effect', 'once', `${line.effects} times`);
  const both = line.state !== 'declined' && !['declined', 'not_sent'].includes(operation.state);
  if (both && line.currency !== operation.currency) differs('currency', operation.currency, line.currency);
  if (both && line.kind !== 'reversal' && line.amount_minor !== BigInt(operation.amount_minor))
    differs('amount', operation.amount_minor, String(line.amount_minor));
  // a list of what was done is not wrong because the provider took it back later, and proves no more that it is done
  const is_before = line.state === 'done' && (came_back || (!is_live && operation.taken_back));
  const apart = is_before ? undefined : is_of_sale ? saleApart(line, operation) : statesApart(line, order, operation);
  if (apart) differs('state', apart.ours, line.state, apart.tells);
  return found.length > 0 ? found : 'agrees';
}

type Unseen = {
  readonly order: OwnOrder;
  /** The operations of the order that are compared. */
  readonly operations: readonly OwnOperation[];
  readonly merchant_account_id: string;
};

type Asking = {
  seen(key: string): boolean;
  readonly in_flight: InFlight;
  /** Would the books have it, if it had been done? Absent: nobody says so. */
  proves?(operation: OwnOperation): boolean;
};

/** Our operations that the provider's books do not know, and should. `seen` knows the keys of all lines. */
export function compareUnseen(
  { order, operations, merchant_account_id }: Unseen,
  { seen, in_flight, proves = () => false }: Asking,
): readonly (Difference | 'young')[] {
  return operations.flatMap((operation): (Difference | 'young')[] => {
    const { id, kind, provider, state, amount_minor, currency } = operation;
    const reference = referenceOf(order, operation);
    const isSeen = (under: string) =>
      seen(keyOf({ kind, reference: under, provider, merchant_account_id, order_id: order.id }));
    // a sale that the provider does in two is captured under a reference of its own, an only capture may be under that
    // of its hold
    const hold = heldBefore(order, operation);
    if (!isShown(order, operation) || isSeen(reference) || isSeen(id) || (hold && isSeen(hold))) return [];
    if (isYoung(operation, in_flight)) return ['young'];
    return [
      {
        kind: 'missing there',
        provider,
        merchant_account_id,
        order_id: order.id,
        what: kind,
        reference,
        operation_id: id,
        ours: `${state} ${amount_minor} ${currency}`,
        theirs: 'nothing',
        apart_minor: BigInt(amount_minor),
        currency,
        // one that is being undone is undone for good by its reversal; what is repeated until it is known must not be
        // repeated under another key because a list lacks it
        tells:
          kind === 'authorize' && isOpen(operation) && state !== 'reversing' && proves(operation)
            ? 'not_found'
            : undefined,
        line: undefined,
      },
    ];
  });
}

/**
 * The operation that a line is about, as a short text. It contains the merchant account, so that a stranger's line
 * never stands for one of ours.
 */
export function keyOf(
  of: Pick<BookLine, 'kind' | 'reference' | 'provider' | 'merchant_account_id' | 'order_id'>,
): string {
  const { kind, reference, provider, merchant_account_id, order_id } = of;
  const ids = Buffer.from(reference + order_id + merchant_account_id, 'hex').toString('latin1');
  return `${kind[0]}${kind[2]}${ids}${provider}`;
}

/** Must the provider's books have a line of it? */
function isShown(order: OwnOrder, { kind, state, origin, target_id, transaction_id }: OwnOperation): boolean {
  if (state === 'declined' || state === 'not_sent' || kind === 'reversal') return false;
  // made at the provider's own site: its books have no name of ours for it
  if (origin === 'provider') return false;
  // released by a last capture, by time, or with an authorization that never came to be: there was no call
  if (kind === 'cancel') return target_id === null && origin !== 'schedule' && transaction_id === order.winner_id;
  return true;
}

function referenceOf(order: OwnOrder, { id, kind, target_id }: OwnOperation): string {
  if (kind === 'reversal') return target_id ?? id;
  const sale = kind === 'capture' && order.operations.find((o) => o.id === target_id);
  return sale && sale.with_capture ? sale.id : id;
}

/** The authorization of a hold that this is the only capture of: a provider that captures once may name no other. */
function heldBefore({ operations }: OwnOrder, { id, kind, transaction_id }: OwnOperation): string | undefined {
  if (kind !== 'capture') return undefined;
  const own = operations.filter(
    (o) => o.transaction_id === transaction_id && !['declined', 'not_sent'].includes(o.state),
  );
  const captures = own.filter((o) => o.kind === 'capture');
  const hold = own.find((o) => o.kind === 'authorize' && !o.with_capture);
  return captures.length === 1 && captures[0]?.id === id ? hold?.id : undefined;
}

/**
 * The operation a line is about: of a capture of a sale that is not done here, the sale. 'spoken for': another line of
 * the same reference says it all.
 */
export function operationOf(line: BookLine, order: OwnOrder): OwnOperation | 'spoken for' | undefined {
  const { kind, reference, provider } = line;
  const own = order.operations.filter((o) => o.provider === provider);
  const made = own.find((o) => o.origin === 'provider' && o.kind === kind && isUnder(o, line));
  if (made) return made;
  const named = own.find(({ id }) => id === reference);
  if (kind === 'reversal') {
    if (named?.kind !== 'authorize') return undefined;
    return own.find((o) => o.kind === 'reversal' && o.target_id === reference && isOpen(o)) ?? 'spoken for';
  }
  if (named?.kind === kind) return named;
  // what was captured is undone by giving it back
  if (kind === 'refund' && named?.kind === 'reversal') return isOpen(named) ? named : 'spoken for';
  if (kind !== 'capture' || named?.kind !== 'authorize') return undefined;
  if (!named.with_capture) return own.find((o) => heldBefore(order, o) === reference);
  const capture = own.find((o) => o.kind === 'capture' && o.target_id === reference);
  if (capture || named.state === 'successful') return capture;
  const is_undone = named.state === 'reversing' || own.some((o) => o.kind === 'reversal' && o.target_id === reference);
  return is_undone ? 'spoken for' : named;
}

/** What was made at the provider's own site is known by the provider's own id alone. */
const isUnder = ({ provider_ref }: OwnOperation, line: BookLine): boolean =>
  provider_ref !== null && provider_ref === line.provider_ref;

type Apart = { readonly ours: string; readonly tells: Difference['tells'] };

/** Money was taken for a sale that is not done here. Of its authorization the line says nothing: a person looks. */
function saleApart(line: BookLine, { state }: OwnOperation): Apart | undefined {
  return line.state === 'done' || line.state === 'undone' ? { ours: state, tells: undefined } : undefined;
}

function statesApart(line: BookLine, order: OwnOrder, operation: OwnOperation): Apart | undefined {
  const { state } = operation;
  const apart = (tells?: Difference['tells']): Apart => ({ ours: state, tells });
  if (operation.kind === 'authorize') return authorizationsApart(line, order, operation);
  // a correction is believed only under the reference by which the provider said it was done
  const same = line.provider_ref !== null && line.provider_ref === operation.provider_ref;
  if (operation.kind === 'reversal') {
    if (line.state === 'done') return apart('reversed');
    return line.state === 'undone' && state === 'successful' ? apart(same ? 'corrected' : undefined) : undefined;
  }
  // the payer's bank has sent it back
  if (operation.kind === 'refund' && line.state === 'undone')
    return state === 'declined' || state === 'not_sent'
      ? undefined
      : apart(same || isOpen(operation) ? 'corrected' : undefined);
  const took_effect = line.state === 'done' || line.state === 'undone';
  if (state === 'successful') {
    if (took_effect) return undefined;
    return apart(
      line.state !== 'declined' ? undefined : same && operation.kind !== 'cancel' ? 'corrected' : 'declined',
    );
  }
  if (isOpen(operation)) return line.state === 'pending' ? undefined : apart(took_effect ? 'approved' : 'declined');
  return line.state === 'declined' ? undefined : apart(took_effect ? 'approved' : undefined);
}

function authorizationsApart(line: BookLine, order: OwnOrder, { state }: OwnOperation): Apart | undefined {
  const apart = (ours: string, tells?: Difference['tells']): Apart => ({ ours, tells });
  if (state === 'successful') {
    const released = order.released_minor === order.authorized_minor;
    if (line.state === 'done') return released ? apart('released') : undefined;
    // an open cancel has a line of its own, which tells
    const open = order.operations.some((o) => o.kind === 'cancel' && isOpen(o));
    if (line.state === 'undone')
      return released || open ? undefined : apart(order.captured_minor > 0n ? 'captured' : 'held');
    return apart(state, line.state === 'declined' ? 'declined' : undefined);
  }
  if (state === 'declined' || state === 'not_sent')
    return line.state === 'done' ? apart(state, 'approved') : line.state === 'pending' ? apart(state) : undefined;
  switch (line.state) {
    case 'done':
      return apart(state, state === 'reversing' ? undefined : 'approved');
    case 'undone':
      return apart(state, 'reversed');
    case 'declined':
      return apart(state, 'declined');
    case 'pending':
      return undefined;
  }
}

function aboutLine(line: BookLine) {
  const { provider, merchant_account_id, order_id, kind: what, reference, currency, amount_minor } = line;
  return { provider, merchant_account_id, order_id, what, reference, currency, apart_minor: amount_minor, line };
}

/** The amount in question: if state or currency differ, the whole amount. */
function apartOf(kind: Difference['kind'], line: BookLine, { amount_minor }: OwnOperation): bigint {
  if (kind === 'double effect') return line.amount_minor * BigInt(line.effects - 1);
  if (kind !== 'amount') return line.amount_minor;
  const apart = line.amount_minor - BigInt(amount_minor);
  return apart < 0n ? -apart : apart;
}

function missingHere(line: BookLine): Difference {
  const theirs = `${line.state} ${line.amount_minor} ${line.currency}`;
  return { ...aboutLine(line), kind: 'missing here', operation_id: null, ours: 'nothing', theirs, tells: undefined };
}

/** The difference of a line that is there twice. `theirs`: the lines, where they have names. */
export function twice(line: BookLine, theirs = 'two lines'): Difference {
  return {
    ...aboutLine(line),
    kind: 'double effect',
    operation_id: null,
    ours: 'once',
    theirs,
    tells: undefined,
  };
}
