// Contracts with providers: what they are used for, in which order; whether a provider answers.
import { bool, int, text, textOfForm } from '../../core/fields.ts';
import type { JsonValue } from '../../core/json.ts';
import { CURRENCIES } from '../../core/money.ts';
import { Refusal, refuseField } from '../../core/refusals.ts';
import { type Field, required } from '../../core/shape.ts';
import { together } from '../../kit/database.ts';
import {
  type ContractChange,
  type ContractDetails,
  insertContract,
  listContracts,
  updateContract,
} from '../../payment/merchant/store.ts';
import { probe } from '../../payment/order/recover.ts';
import { findOpenProviders } from '../../payment/routing/store.ts';
import { type Asked, type Desk, type DeskRoute, deskRoute, unknown } from '../desk.ts';
import { REASON } from '../reason.ts';
import type { Contract, Providers, TestCall } from '../wire/account.ts';

const MOST_WORDS = 200;

/** A list of words, each of which the rule takes; an empty list means anything. */
function words(says: string, takes: (word: string) => boolean): Field<readonly string[], false> {
  return {
    schema: { type: 'array', items: { type: 'string' }, maxItems: MOST_WORDS },
    required: false,
    read: (value, name, reading) => {
      const list: readonly JsonValue[] = Array.isArray(value) ? value : [null];
      const read = list.filter((word): word is string => typeof word === 'string' && takes(word));
      const right = read.length === list.length && list.length <= MOST_WORDS;
      return right ? [...new Set(read)] : reading.refuse(name, `must be a list of ${says}`);
    },
  };
}

const CHANGE = {
  priority: int(1, 1000),
  enabled: bool,
  methods: words('payment methods such as visa', (word) => /^[a-z_]{2,40}$/.test(word)),
  currencies: words('currency codes', (word) => CURRENCIES.has(word)),
  channels: words('channels such as e_commerce', (word) => /^[a-z_-]{2,40}$/.test(word)),
  countries: words('country codes', (word) => /^[A-Z]{2}$/.test(word)),
  reason: REASON,
};

export function providerRoutes(desk: Desk): readonly DeskRoute[] {
  const of = { right: 'providers' } as const;
  return [
    deskRoute(desk, {
      ...{ method: 'GET', path: '/api/providers', right: 'read' },
      handle: (asked) => readProviders(desk, asked),
    }),
    deskRoute(desk, {
      ...{ ...of, method: 'POST', path: '/api/providers' },
      body: {
        name: required(textOfForm(/^[A-Za-z0-9_.-]{1,60}$/, '1 to 60 letters, digits, dots, - and _')),
        provider: required(text(60)),
        reason: REASON,
      },
      handle: (asked) => create(desk, asked, asked.body),
    }),
    deskRoute(desk, {
      ...{ ...of, method: 'PUT', path: '/api/providers/:id' },
      body: CHANGE,
      handle: (asked) => change(desk, asked, asked.body),
    }),
    deskRoute(desk, {
      ...{ ...of, method: 'POST', path: '/api/providers/:id/test' },
      handle: (asked) => testCall(desk, asked),
    }),
  ];
}

async function readProviders({ tools }: Desk, { db }: Asked): Promise<Providers> {
  const [contracts, down] = await Promise.all([listContracts(db), findOpenProviders(tools.db)]);
  return {
    contracts: contracts.map(viewContract),
    providers: [...tools.providers.values()].map(({ name, display_name, can }) => ({
      ...{ name, display_name, can },
      health: down.includes(name) ? 'down' : 'well',
    })),
  };
}

function viewContract({ operations: _, token_types: __, ...contract }: ContractDetails): Contract {
  return { ...contract, credentials: [] };
}

async function get({ db, params }: Asked): Promise<ContractDetails> {
  const contract = (await listContracts(db)).find(({ id }) => id === params['id']);
  if (!contract) throw unknown('contract');
  return contract;
}

async function create(
  { tools }: Desk,
  asked: Asked,
  { name, provider, reason }: { readonly name: string; readonly provider: string; readonly reason: string },
): Promise<Contract> {
  if (!tools.providers.has(provider)) throw refuseField('provider', 'parameter_invalid', 'is none of this deployment');
  const contracts = await listContracts(asked.db);
  if (contracts.some((other) => other.name === name))
    throw new Refusal('change_conflict', { detail: 'there is a contract of this name' });
  const id = tools.chance.id();
  const priority = 1 + Math.max(0, ...contracts.map((other) => other.priority));
  await together(tools.db, asked.account_id, async (tx) => {
    await insertContract(tx, { id, name, provider, priority });
    await asked.record(tx, { action: 'contract created', object: id, reason, detail: { name, provider, priority } });
  });
  return viewContract(await get({ ...asked, params: { id } }));
}

async function change(
  { tools }: Desk,
  asked: Asked,
  { reason, ...wanted }: Partial<ContractChange> & { readonly reason: string },
): Promise<Contract> {
  const was = await get(asked);
  await together(tools.db, asked.account_id, async (tx) => {
    const { priority, enabled, methods, currencies, channels, countries } = was;
    await updateContract(tx, was.id, { priority, enabled, methods, currencies, channels, countries, ...wanted });
    await asked.record(tx, { action: 'contract changed', object: was.id, reason, detail: wanted });
  });
  return viewContract(await get(asked));
}

/** Asks the provider about an operation that nobody made: nothing is meant by it. */
async function testCall({ tools }: Desk, asked: Asked): Promise<TestCall> {
  const contract = await get(asked);
  const since = tools.clock.ticks();
  const answered = await probe(tools, contract.provider);
  const duration_ms = Math.round(tools.clock.ticks() - since);
  await together(tools.db, asked.account_id, (tx) =>
    asked.record(tx, { action: 'test call', object: contract.id, result: answered ? 'done' : 'failed' }),
  );
  const detail = answered ? 'the provider answered' : 'nothing came back that could be read';
  return { answered, duration_ms, detail };
}
