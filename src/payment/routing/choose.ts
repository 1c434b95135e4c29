// Which contract with a provider takes a payment: the first that fits, unless the merchant names one that fits too.
import type { ResultName } from '../../core/results.ts';
import type { Capabilities } from '../../provider/capabilities.ts';
import type { Account, Contract } from '../merchant/account.ts';

export type RoutingRequest = {
  readonly operation_type: string;
  readonly token_type: string;
  readonly payment_channel: string;
  readonly currency: string;
  readonly country: string | undefined;
  readonly payment_method_name: string | undefined;
};

/** The demands of an order on a contract, from its fields (the order's laid over its checkout's). */
export function wantedOf(
  body: Readonly<Record<string, unknown>>,
  paid: { readonly currency: string; readonly payment_method_name: string },
): RoutingRequest {
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : undefined);
  return {
    operation_type: text('operation_type') ?? 'authorize',
    token_type: text('token_type') ?? 'oneshot',
    payment_channel: text('payment_channel') ?? 'e-commerce',
    country: text('customer_country'),
    ...paid,
  };
}

/** True when a contract may be used for this; an empty list in the contract means anything. */
export function fits(contract: Contract, wanted: RoutingRequest): boolean {
  const takes = (list: readonly string[], value: string | undefined) =>
    list.length === 0 || value === undefined || list.includes(value);
  return (
    takes(contract.operations, wanted.operation_type) &&
    takes(contract.token_types, wanted.token_type) &&
    takes(contract.channels, wanted.payment_channel) &&
    takes(contract.currencies, wanted.currency) &&
    takes(contract.countries, wanted.country) &&
    takes(contract.methods, wanted.payment_method_name)
  );
}

/** The means of payment, as far as providers differ in accepting it. */
export type PaidWith = {
  /** The partner whose token it is; such a token is good nowhere else (contract 6.4). Null: a card. */
  readonly partner: string | null;
  readonly network_token: boolean;
  /** An authentication made elsewhere comes with it. */
  readonly three_ds_data: boolean;
};

type Limited = Pick<Account, 'contracts'> & { readonly partner?: string };

/** The providers, as far as they differ in what they accept. */
export type Providers = ReadonlyMap<
  string,
  { readonly can: Pick<Capabilities, 'psp_token' | 'network_token' | 'three_ds'> }
>;

/** The contracts whose provider takes it. */
export function takingContracts(
  providers: Providers,
  { contracts }: Pick<Account, 'contracts'>,
  { partner, network_token, three_ds_data }: PaidWith,
): Limited {
  const takes = ({ provider }: Contract) => {
    const can = providers.get(provider)?.can;
    return (
      can !== undefined &&
      (partner === null || (provider === partner && can.psp_token)) &&
      (!network_token || can.network_token) &&
      (!three_ds_data || can.three_ds.includes('data'))
    );
  };
  return { contracts: contracts.filter(takes), ...(partner !== null && { partner }) };
}

/** The contract to use and, after it, those of other providers; or the reason why none fits (contract 7.2: 15104x). */
export function chooseContract(
  account: Limited,
  wanted: RoutingRequest,
  named: string | undefined,
): { readonly contract: Contract; readonly fallbacks: readonly Contract[] } | { readonly refused: ResultName } {
  const fitting = account.contracts.filter((contract) => fits(contract, wanted));
  const contract = fitting.find((candidate) => candidate.id === named || candidate.name === named) ?? fitting[0];
  if (contract) return { contract, fallbacks: fitting.filter((other) => other.provider !== contract.provider) };
  if (account.partner !== undefined && account.contracts.length === 0) return { refused: 'no_route_partner' };
  const without = (change: Partial<RoutingRequest>) =>
    account.contracts.some((candidate) => fits(candidate, { ...wanted, ...change }));
  if (without({ payment_method_name: undefined })) return { refused: 'no_route_payment_method' };
  if (
    account.contracts.some(
      (candidate) => candidate.currencies.length > 0 && !candidate.currencies.includes(wanted.currency),
    )
  )
    return { refused: 'no_route_currency' };
  return { refused: account.contracts.length === 0 ? 'no_route_payment_method' : 'no_route_channel' };
}
