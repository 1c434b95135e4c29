// Commits what was learnt about an authentication: decide, then one statement. Safe to call twice: the second call
// finds nothing to do. The browser is never a source: what comes here was said server to server, by our own clock or by
// the merchant.
import { type ResultName, findResult, result } from '../../../core/results.ts';
import { ORDER_STATUSES } from '../../../core/states.ts';
import { violated } from '../../../kit/database.ts';
import type { Authenticated, Enrolment, Proof, Version } from '../../../provider/three-ds/contract.ts';
import { shiftsLiability } from '../../../provider/three-ds/answers.ts';
import type { Account, Contract } from '../../merchant/account.ts';
import type { Tools } from '../../tools.ts';
import { getOrder } from '../show/order-answer.ts';
import { type OrderFacts, lastTransaction, transactionOf } from '../facts/order-facts.ts';
import { type RoutedAgain, routeAgain } from './route-again.ts';
import { type Verdict, decideAuthentication } from './verdict.ts';
import { type AuthenticationFacts, isOpen, payerWaitedForSince } from '../facts/authentication-facts.ts';
import { type AuthenticationMove, type Learnt, moveAuthentication } from './authentication-store.ts';

export type Applied = {
  readonly order: OrderFacts;
  /** Set for the one who moved it: the authorization is to be sent, with this evidence. */
  readonly goes_on: GoesOn | undefined;
};

/** fallbacks: where rules were asked again, what follows their choice. */
type GoesOn = { readonly proof: Proof | undefined; readonly fallbacks?: readonly Contract[] };

export type Applying = {
  readonly account: Pick<Account, 'settings' | 'contracts'>;
  readonly authentication: Pick<AuthenticationFacts, 'id'>;
  readonly seen: Authenticated;
  readonly server_id?: string;
  readonly version?: Version;
};

/** Each time another process was quicker the order has moved; an order does not move for ever. */
const MAX_ROUNDS = 20;

export async function applyAuthentication(tools: Tools, order: OrderFacts, applying: Applying): Promise<Applied> {
  return moving(tools, order, { ...applying, planned: (seen, found) => planned(tools, seen, { ...applying, found }) });
}

type EnrolledRequest = Omit<Applying, 'seen'> & {
  readonly enrolment: Extract<Enrolment, { kind: 'enrolled' }> & { readonly method_url: string };
};

/** The bank wants to see the payer's browser before it is asked: the payer must come (EMV 3DS Method). */
export async function demandMethod(tools: Tools, order: OrderFacts, asked: EnrolledRequest): Promise<Applied> {
  const { server_id, version, method_url } = asked.enrolment;
  return moving(tools, order, {
    ...asked,
    planned: (seen, found) => ({
      move: {
        ...toPayer(seen, { found, minutes: asked.account.settings.challenge_minutes }),
        state: 'method',
        learnt: { ...NOTHING, server_id, protocol: version, method_url },
      },
      goes_on: undefined,
    }),
  });
}

type Planned = {
  readonly move: Omit<AuthenticationMove, 'order_id' | 'transaction_id' | 'version' | 'live'>;
  readonly goes_on: Applied['goes_on'];
};

type Moving = Pick<Applying, 'account' | 'authentication'> & {
  planned(order: OrderFacts, found: AuthenticationFacts): Planned | Promise<Planned>;
};

async function moving(
  tools: Tools,
  first: OrderFacts,
  { account, authentication, planned: plan }: Moving,
): Promise<Applied> {
  const { merchant_account_id, id: order_id } = first;
  const db = tools.db.tenant(merchant_account_id);
  let order = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const found = order.authentications.find(({ id }) => id === authentication.id);
    if (!found || !isOpen(found)) return { order, goes_on: undefined };
    const { move, goes_on } = await plan(order, found);
    const { transaction_id } = found;
    const whole = { ...move, order_id, transaction_id, version: order.version, live: ORDER_STATUSES[move.status].live };
    const done = await moveAuthentication(db, whole).catch((error: unknown) => {
      if (OVERTAKEN.has(violated(error) ?? '')) return 'overtaken' as const;
      throw error;
    });
    if (done === 'overtaken') return applyAuthentication(tools, order, { seen: LEFT, account, authentication });
    order = await getOrder(tools, merchant_account_id, order_id);
    if (done) return { order, goes_on };
  }
  throw new Error(`order ${order_id} moved ${MAX_ROUNDS} times while an authentication was written`);
}

/**
 * The payer has begun again with another order of the same order_merchant_id, which is at a provider, or paid, by now
 * (contract 7.3).
 */
const LEFT = { kind: 'left' } as const;
const OVERTAKEN = new Set(['one_at_provider', 'one_paid']);

const NOTHING: Learnt = {
  protocol: null,
  server_id: null,
  acs_transaction_id: null,
  acs_url: null,
  method_url: null,
  trans_status: null,
  eci: null,
  ds_transaction_id: null,
  liability_shifted: false,
};

const codeOf = (name: ResultName): string => result(name).code;
const PENDING = codeOf('authorization_pending');

async function planned(
  tools: Tools,
  order: OrderFacts,
  about: Applying & { readonly found: AuthenticationFacts },
): Promise<Planned> {
  const { found, seen, server_id = null, version = null } = about;
  const asked_payer = order.status === 'authentication_requested';
  const verdict = decideAuthentication(seen, { demand: found.demand, asked_payer });
  const learnt = { ...NOTHING, server_id, protocol: version };
  switch (verdict.kind) {
    case 'waits': {
      const { acs_url, acs_transaction_id } = verdict;
      const minutes = about.account.settings.challenge_minutes;
      const move = {
        ...toPayer(order, { found, minutes }),
        state: 'challenge',
        learnt: { ...learnt, acs_url, acs_transaction_id },
      } as const;
      return { move, goes_on: undefined };
    }
    case 'goes_on': {
      const { proof } = verdict;
      const again = await routeAgain(tools, order, { account: about.account, found, proof });
      const move = toProvider(tools, order, { found, verdict, learnt, again });
      if (!move.authorize) return { move, goes_on: undefined };
      return { move, goes_on: { proof, ...(again && 'fallbacks' in again && { fallbacks: again.fallbacks }) } };
    }
    case 'ends':
      return { move: toEnd(order, { found, verdict, learnt }), goes_on: undefined };
  }
}

function toPayer(
  order: OrderFacts,
  { found, minutes }: { readonly found: AuthenticationFacts; readonly minutes: number },
) {
  const since = payerWaitedForSince(order);
  const waited_s = since === undefined ? 0 : (Date.parse(order.read_at) - since) / 1000;
  const event = { type: 'authentication_requested', code: askedCode(found) } as const;
  return {
    status: 'authentication_requested',
    events: since === undefined ? [event] : [],
    request_id: found.request_id,
    code: null,
    due_s: Math.max(0, minutes * 60 - waited_s),
    authorize: undefined,
  } as const;
}

type Going = { readonly found: AuthenticationFacts; readonly learnt: Learnt };

type Routing = { readonly verdict: Extract<Verdict, { kind: 'goes_on' }>; readonly again: RoutedAgain | undefined };

function toProvider(
  tools: Tools,
  order: OrderFacts,
  { found, verdict, learnt, again }: Going & Pick<Routing, 'verdict' | 'again'>,
): Planned['move'] {
  const { proof, result: why } = verdict;
  const { payment_method_name, ...before } = lastTransaction(order);
  const refused = again && 'refused' in again ? again.refused : undefined;
  const contract = again && 'contract' in again ? again.contract : undefined;
  const provider = contract?.provider ?? before.provider;
  const inside = order.status !== 'authentication_requested';
  const passed = { type: 'authentication_successful', code: PENDING, ...(inside && { silent: true }) } as const;
  const sent = refused
    ? ({ type: 'authorization_declined', code: codeOf(refused) } as const)
    : ({ type: 'authorization_requested', code: PENDING } as const);
  // after a soft decline on which the payer had nothing to do, the order is still where it was
  const events = order.status === sent.type ? [] : proof ? [passed, sent] : [sent];
  return {
    status: sent.type,
    events,
    request_id: found.request_id,
    state: proof ? 'successful' : 'declined',
    code: why ? codeOf(why) : null,
    due_s: 0,
    learnt: {
      ...learnt,
      trans_status: proof?.trans_status ?? null,
      eci: proof?.eci ?? null,
      ds_transaction_id: proof?.ds_transaction_id ?? null,
      liability_shifted: proof !== undefined && shiftsLiability(payment_method_name, proof.trans_status, proof.eci),
    },
    authorize: refused
      ? undefined
      : {
          with_capture: order.body['operation_type'] === 'direct_capture',
          lease_s: (tools.providers.get(provider)?.can.answer_deadline_s ?? 0) + 5,
        },
    reroute: again && {
      provider: contract?.provider ?? '',
      contract_id: contract?.id ?? null,
      note: JSON.stringify(again.route?.note ?? null),
    },
  };
}

function toEnd(
  order: OrderFacts,
  about: Going & { readonly verdict: Extract<Verdict, { kind: 'ends' }> },
): Planned['move'] {
  const { found, verdict, learnt } = about;
  const { status } = verdict;
  const soft = softCode(order, found);
  const code = status === 'authorization_declined' ? (soft ?? codeOf(verdict.result)) : codeOf(verdict.result);
  const ended = { type: status, code } as const;
  const asked = { type: 'authentication_requested', code: askedCode(found) } as const;
  // the way from a provider's decline to this end leads over the question
  const over = order.status === 'authorization_requested' && status === 'authentication_declined';
  return {
    status,
    events: over ? [asked, ended] : [ended],
    request_id: found.request_id,
    state: 'declined',
    code: codeOf(verdict.result),
    due_s: 0,
    learnt,
    authorize: undefined,
  };
}

/** Every soft decline has this one code (contract 10.1). */
function askedCode({ demand }: AuthenticationFacts): string {
  return demand === 'soft_decline' ? codeOf('issuer_soft_decline') : PENDING;
}

/** The code of the soft decline that this authentication answers. */
function softCode(order: OrderFacts, found: AuthenticationFacts): string | undefined {
  if (found.demand !== 'soft_decline') return undefined;
  const before = transactionOf(order, found)?.cascade_of;
  const code = order.operations.find(({ id }) => id === before)?.code ?? '';
  return findResult(code)?.code;
}
