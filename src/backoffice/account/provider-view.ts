// Contracts and providers as people are shown them.
import type { Day } from '../../core/retries/day.ts';
import type { ContractFees } from '../../core/routing/fees.ts';
import type { ContractDetails } from '../../payment/merchant/contract-store.ts';
import type { HealthChange } from '../../payment/routing/health-store.ts';
import type { Tools } from '../../payment/tools.ts';
import { gapsOf } from '../../payment/routing/fees.ts';
import type { FeesRow } from '../../payment/routing/fees-store.ts';
import type { Contract, HealthStep, StatedFees } from '../wire/account.ts';

/** Without what the operator's person who holds it is called and writes: merchants do not see it. */
export function viewChange({
  at,
  from_state,
  to_state,
  reason: kept,
  told,
  by_name,
  scheme,
  contract_id,
}: HealthChange): HealthStep {
  const reason = told ?? kept;
  const by = contract_id === null && by_name !== null ? 'held by the operator' : by_name;
  return { at: at.toISOString(), from: from_state, to: to_state, reason, by, scheme };
}

type Capabilities = NonNullable<ReturnType<Tools['providers']['get']>>['can'];

/** A line each: lists and groups as text. */
export function shownCapabilities(can: Capabilities): Readonly<Record<string, boolean | number | string>> {
  return Object.fromEntries(
    Object.entries(can).map(([name, value]) => [name, typeof value === 'object' ? textOfList(value) : value]),
  );
}

function textOfList(value: Capabilities['inquiry'] | Capabilities['three_ds'] | Capabilities['ends']): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return Object.entries(value)
    .map(([name, by]) => `${name} by ${by}`)
    .join(', ');
}

const FEES_SHOWN = 10;

type FeesBeside = Pick<Beside, 'today' | 'day'> & Parameters<typeof gapsOf>[1];

function viewFees(stated: readonly FeesRow[], { today, day, ...contract }: FeesBeside): readonly StatedFees[] {
  return stated.slice(0, FEES_SHOWN).map((row) => {
    const { contract_id, version, valid_from, by_name, at, note, fees, acquirer_country } = row;
    const holds = today.some((one) => one.contract_id === contract_id && one.version === version);
    return {
      version,
      valid_from,
      state: holds ? 'holds' : valid_from > day ? 'to_come' : 'past',
      stated_by: by_name,
      stated_at: at.toISOString(),
      reason: note,
      acquirer_country,
      rows: fees,
      gaps: gapsOf(row, contract),
    };
  });
}

/** The data that the views of all contracts of an account share. */
export type Beside = {
  readonly changes: readonly HealthChange[];
  readonly stated: readonly FeesRow[];
  /** Fees that hold on the day. */
  readonly today: readonly ContractFees[];
  readonly day: Day;
};

export function viewContract(
  tools: Tools,
  { operations: _, token_types: __, credentials_set: sent, checks_set: checks, ...contract }: ContractDetails,
  { changes: all, stated, today, day }: Beside,
): Contract {
  const wanted = tools.providers.get(contract.provider)?.credentials ?? [];
  const credentials = wanted.map((one) => {
    const [set_at = null, older_set_at = null] = one.use === 'check' ? (checks[one.name] ?? []) : [sent[one.name]];
    return { ...one, set_at, older_set_at };
  });
  const { base_url } = tools.addresses;
  const tells = tools.providers.get(contract.provider)?.notices !== undefined;
  const messages_to = tells ? `${base_url}/provider/${contract.provider}/${contract.id}/events` : null;
  const changes = all.filter(({ contract_id }) => contract_id === contract.id).map(viewChange);
  const held_until = contract.held === null ? null : (contract.held_until?.toISOString() ?? null);
  const own = stated.filter(({ contract_id }) => contract_id === contract.id);
  return {
    ...contract,
    held_until,
    changes,
    credentials,
    fees: viewFees(own, { ...contract, today, day }),
    messages_to,
  };
}
