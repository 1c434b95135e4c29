// Contracts with providers: what they are used for, in which order; whether a provider answers.
import { date, datetime, int, oneOf, text, textOfForm, withoutCard } from '../../core/fields.ts';
import { dayOf } from '../../core/retries/day.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { required } from '../../core/shape.ts';
import { withTransaction } from '../../kit/database.ts';
import {
  type ContractChange,
  type ContractDetails,
  insertContract,
  listContracts,
  updateContract,
} from '../../payment/merchant/contract-store.ts';
import {
  type CredentialChange,
  changeCredentials,
  findCredentials,
} from '../../payment/merchant/credentials/credentials.ts';
import { subscribeSimulator } from '../../payment/merchant/credentials/simulated.ts';
import { lockAccount } from '../../payment/merchant/store.ts';
import { probe } from '../../payment/order/engine/inquire.ts';
import { feesToday, stateFees } from '../../payment/routing/fees.ts';
import { findFees } from '../../payment/routing/fees-store.ts';
import { holdContract } from '../../payment/routing/hold-store.ts';
import { findHealth, findHealthChanges } from '../../payment/routing/health-store.ts';
import {
  type BackofficeRequest,
  type BackofficeContext,
  type BackofficeRoute,
  backofficeRoute,
  unknown,
} from '../context.ts';
import { REASON } from '../reason.ts';
import { CHANGE, CREDENTIALS } from './contract-fields.ts';
import type { Contract, ContractForm, FeesForm, HoldForm, Providers, TestCall } from '../wire/account.ts';
import { type Beside, shownCapabilities, viewChange, viewContract } from './provider-view.ts';

export function providerRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'providers' } as const;
  return [
    backofficeRoute(context, {
      route: 'GET /providers',
      right: 'read',
      handle: (asked) => readProviders(context, asked),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /providers',
      body: {
        name: required(withoutCard(textOfForm(/^[A-Za-z0-9_.-]{1,60}$/, '1 to 60 letters, digits, dots, - and _'))),
        provider: required(text(60)),
        reason: REASON,
      },
      handle: (asked) => create(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'PUT /providers/:id',
      body: CHANGE,
      handle: (asked) => change(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /providers/:id/credentials',
      body: { values: required(CREDENTIALS), reason: REASON },
      handle: (asked) => setCredentials(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      right: 'hold',
      route: 'POST /providers/:id/hold',
      body: { held: required(oneOf('open', 'closed', 'free')), until: datetime, reason: REASON },
      handle: (asked) => hold(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /providers/:id/fees',
      body: { from: date, base_version: int(0, 1_000_000), reason: REASON },
      own: ['fees', 'acquirer_country'],
      handle: (asked) => setFees(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /providers/:id/test',
      handle: (asked) => testCall(context, asked),
    }),
  ];
}

async function readProviders({ tools }: BackofficeContext, { db }: BackofficeRequest): Promise<Providers> {
  const [contracts, rows, beside] = await Promise.all([
    listContracts(db),
    findHealth(tools.db),
    besideContracts(tools, db),
  ]);
  const { changes } = beside;
  const at = tools.clock.now().toISOString();
  const stateOf = (name: string) => {
    const row = rows.find((one) => one.name === name);
    return row?.held ?? row?.health ?? 'closed';
  };
  return {
    contracts: contracts.map((contract) => viewContract(tools, contract, beside)),
    providers: [...tools.providers.values()].map(({ name, display_name, can }) => ({
      name,
      display_name,
      can: shownCapabilities(can),
      health: stateOf(name) === 'open' ? 'down' : 'well',
      state: stateOf(name),
      changes: changes.filter((one) => one.provider === name && one.contract_id === null).map(viewChange),
      at,
    })),
  };
}

const STRIP_HOURS = 24;

async function besideContracts(tools: BackofficeContext['tools'], db: BackofficeRequest['db']): Promise<Beside> {
  const [changes, stated, today] = await Promise.all([
    findHealthChanges(tools.db, STRIP_HOURS),
    findFees(db),
    feesToday(tools, db.merchant_account_id),
  ]);
  return { changes, stated, today, day: dayOf(tools.clock.now()) };
}

async function get({ db, params }: BackofficeRequest): Promise<ContractDetails> {
  const contract = (await listContracts(db)).find(({ id }) => id === params['id']);
  if (!contract) throw unknown('contract');
  return contract;
}

/** The contract as it is after a change. */
async function shown({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<Contract> {
  const [contract, beside] = await Promise.all([get(asked), besideContracts(tools, asked.db)]);
  return viewContract(tools, contract, beside);
}

async function create(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { name, provider, reason }: { readonly name: string; readonly provider: string; readonly reason: string },
): Promise<Contract> {
  const { tools } = context;
  if (!tools.providers.has(provider)) throw refuseField('provider', 'parameter_invalid', 'is none of this deployment');
  const contracts = await listContracts(asked.db);
  const id = tools.chance.id();
  const priority = 1 + Math.max(0, ...contracts.map((other) => other.priority));
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    if (!(await insertContract(tx, { id, name, provider, priority })))
      throw new Refusal('change_conflict', { detail: 'there is a contract of this name' });
    await asked.record(tx, { action: 'contract created', object: id, reason, detail: { name, provider, priority } });
  });
  await subscribeSimulator(tools, asked.account_id);
  return shown(context, { ...asked, params: { id } });
}

async function change(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { reason, before, was, ...wanted }: Partial<ContractChange> & Pick<ContractForm, 'before' | 'was' | 'reason'>,
): Promise<Contract> {
  const { tools } = context;
  const { id } = await get(asked);
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    if (was !== undefined) await requireSeen(tx, id, { was, wanted });
    if (before !== undefined) await changePlaces(tx, id, before);
    await updateContract(tx, id, wanted);
    const detail = { ...wanted, ...(before !== undefined && { before }) };
    await asked.record(tx, { action: 'contract changed', object: id, reason, detail });
  });
  return shown(context, asked);
}

type Seen = { readonly was: NonNullable<ContractForm['was']>; readonly wanted: Partial<ContractChange> };

/**
 * Whoever comes second to the same list has not seen what the first one made of it. What is as they want it by now they
 * may have asked for before, without hearing the answer.
 */
async function requireSeen(tx: BackofficeRequest['db'], id: string, { was, wanted }: Seen): Promise<void> {
  await lockAccount(tx);
  const now = (await listContracts(tx)).find((one) => one.id === id);
  const names = ['priority', 'methods', 'currencies', 'channels', 'countries'] as const;
  const other = names.find(
    (name) => was[name] !== undefined && ![String(was[name]), String(wanted[name])].includes(String(now?.[name])),
  );
  if (other !== undefined)
    throw new Refusal('change_conflict', {
      detail: `somebody has changed ${other} of this contract meanwhile: look at it again before you save`,
    });
}

/** Both in one commit, and only where the person saw the order as it is. */
async function changePlaces(tx: BackofficeRequest['db'], id: string, before: string): Promise<void> {
  await lockAccount(tx);
  const order = await listContracts(tx);
  const at = order.findIndex((one) => one.id === id);
  if (order[at - 1]?.id !== before)
    throw new Refusal('change_conflict', { detail: 'the order of contracts has changed meanwhile: look at it again' });
  const swapped = order.map((one, i) => (i === at ? before : i === at - 1 ? id : one.id));
  // numbers that two share have no order of their own
  for (const [i, one] of swapped.entries())
    if (order.find((was) => was.id === one)?.priority !== i + 1) await updateContract(tx, one, { priority: i + 1 });
}

const SAYS = {
  answered: 'the provider answered',
  refused: 'the provider answered, and does not take the credentials of this contract',
  silent: 'nothing came back that could be read',
} as const;

/**
 * Names of the provider's credentials and their values, null for one that is removed. What is left out stays as it is.
 */
async function setCredentials(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { values, reason }: { readonly values: CredentialChange; readonly reason: string },
): Promise<Contract> {
  const { tools } = context;
  const { id: contract_id, provider } = await get(asked);
  const known = tools.providers.get(provider)?.credentials.map(({ name }) => name) ?? [];
  const names = Object.keys(values);
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined) throw refuseField(`values.${other}`, 'parameter_invalid', `is no credential of ${provider}`);
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    // the record comes last, as everywhere: it holds the account's audit, and with it every sign-in, until the commit
    await changeCredentials(tools, tx, { contract_id, provider, values });
    for (const [action, named] of [
      ['credentials set', names.filter((name) => values[name] !== null)],
      ['credentials removed', names.filter((name) => values[name] === null)],
    ] as const)
      if (named.length > 0)
        await asked.record(tx, { action, object: contract_id, reason, detail: { provider, names: named } });
  });
  await subscribeSimulator(tools, asked.account_id);
  return shown(context, asked);
}

/**
 * New payments of this account alone: what the provider is to others is the operator's to say. Every process follows
 * within seconds.
 */
async function hold(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { held, until, reason }: { readonly held: HoldForm['held']; readonly until?: string; readonly reason: string },
): Promise<Contract> {
  const { tools } = context;
  const ends = until === undefined || held === 'free' ? null : new Date(until);
  if (ends && ends.getTime() <= tools.clock.now().getTime())
    throw refuseField('until', 'parameter_invalid', 'is over already');
  const { id } = await get(asked);
  const said = held === 'free' ? null : held;
  await withTransaction(tools.db, asked.account_id, async (tx) => {
    await holdContract(tx, { id, held: said, until: ends, by: asked.principal.person.email, reason });
    const detail = { held, until: ends?.toISOString() ?? null };
    await asked.record(tx, { action: 'contract held', object: id, reason, detail });
  });
  return shown(context, asked);
}

/** States fees from a day on; earlier statements stay beside it. */
async function setFees(
  context: BackofficeContext,
  asked: BackofficeRequest,
  { from, base_version, reason }: Pick<FeesForm, 'from' | 'reason'> & Partial<FeesForm>,
): Promise<Contract> {
  const { id } = await get(asked);
  await stateFees(context.tools, asked.account_id, {
    contract: id,
    written: new Map(['fees', 'acquirer_country'].map((name) => [name, asked.object.get(name) ?? null])),
    from,
    based_on: base_version,
    by: asked.principal.person.email,
    note: reason,
    also: (tx, { contract_id: object, ...detail }) =>
      asked.record(tx, { action: 'contract fees stated', object, reason, detail }),
  });
  return shown(context, asked);
}

/** Asks the provider about an operation that was never made: nothing can happen by it. */
async function testCall({ tools }: BackofficeContext, asked: BackofficeRequest): Promise<TestCall> {
  const contract = await get(asked);
  const since = tools.clock.ticks();
  const provider = tools.providers.get(contract.provider);
  const whose = { merchant_account_id: asked.account_id, contract_id: contract.id };
  const credentials = provider ? await findCredentials(tools, { ...whose, provider }) : {};
  const outcome = await probe(tools, contract.provider, credentials);
  const duration_ms = Math.round(tools.clock.ticks() - since);
  await withTransaction(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: 'test call', object: contract.id, result: outcome === 'answered' ? 'done' : 'failed' }),
  );
  return { outcome, duration_ms, detail: SAYS[outcome] };
}
