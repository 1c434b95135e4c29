// The accounts of the ledger and what each event books. A posting is a list of transfers: each names the
// account it debits and the one it credits, so every transfer, and with it every posting, sums to zero by its shape.

export const LEDGER_ACCOUNTS = [
  'authorized_hold',
  'authorized_contra',
  'provider_receivable',
  'merchant_payable',
  'refunds',
  'chargebacks',
  'fees',
  'payouts',
] as const;

export type LedgerAccount = (typeof LEDGER_ACCOUNTS)[number];

/** One line: `amount_minor` (more than zero) moves to `debit` from `credit`. */
export type Transfer = { readonly debit: LedgerAccount; readonly credit: LedgerAccount; readonly amount_minor: bigint };

/** authorize successful: the payer's bank holds the amount. */
export function bookAuthorization(amount_minor: bigint): readonly Transfer[] {
  return [{ debit: 'authorized_hold', credit: 'authorized_contra', amount_minor }];
}

/** A sale: authorized and captured in one step, so nothing was ever on hold. */
export function bookSale(amount_minor: bigint): readonly Transfer[] {
  return [{ debit: 'provider_receivable', credit: 'merchant_payable', amount_minor }];
}

/** A capture of what was on hold. */
export function bookCapture(amount_minor: bigint): readonly Transfer[] {
  return [...bookRelease(amount_minor), ...bookSale(amount_minor)];
}

/** Cancel, lapse, or the rest after a last capture: the payer's bank holds it no longer. */
export function bookRelease(amount_minor: bigint): readonly Transfer[] {
  return [{ debit: 'authorized_contra', credit: 'authorized_hold', amount_minor }];
}

/** A refund: the provider owes us less. */
export function bookRefund(amount_minor: bigint): readonly Transfer[] {
  return [{ debit: 'refunds', credit: 'provider_receivable', amount_minor }];
}

/** A chargeback: the payer's bank took it back from the provider, and the provider from us. */
export function bookChargeback(amount_minor: bigint): readonly Transfer[] {
  return [{ debit: 'chargebacks', credit: 'provider_receivable', amount_minor }];
}

/** The same lines the other way: what a provider corrects. */
export function unbook(transfers: readonly Transfer[]): readonly Transfer[] {
  return transfers.map(({ debit, credit, amount_minor }) => ({ debit: credit, credit: debit, amount_minor }));
}
