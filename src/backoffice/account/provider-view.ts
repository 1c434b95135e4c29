// Contracts and providers as people are shown them.
import type { ContractDetails } from '../../payment/merchant/store.ts';
import type { HealthChange } from '../../payment/routing/health-store.ts';
import type { Tools } from '../../payment/tools.ts';
import type { Contract, HealthStep } from '../wire/account.ts';

/** Without the name of the operator's person who holds it: merchants do not see it. */
export function viewChange({
  at,
  from_state,
  to_state,
  reason,
  by_name,
  scheme,
  contract_id,
}: HealthChange): HealthStep {
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

export function viewContract(
  tools: Tools,
  { operations: _, token_types: __, credentials_set: sent, checks_set: checks, ...contract }: ContractDetails,
  all: readonly HealthChange[],
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
  return { ...contract, held_until, changes, credentials, messages_to };
}
