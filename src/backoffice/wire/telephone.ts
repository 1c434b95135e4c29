// Wire: a card that a payer says on the telephone (moto). Its digits go into the vault's own frame and nowhere else:
// what comes here is a token.
//
//   GET  /api/telephone   TelephoneDesk
//   POST /api/telephone   TelephoneForm → TelephonePaid

export type TelephoneDesk = {
  /** A public key that works from the back office's own address alone. */
  readonly key: string;
  readonly vault_url: string;
  /** A contract of the account takes the channel. */
  readonly possible: boolean;
};
export type TelephoneForm = {
  readonly token: string;
  readonly amount: string;
  readonly currency: string;
  readonly order_merchant_id: string;
  readonly operation_type: 'authorize' | 'direct_capture';
  readonly order_description?: string;
  readonly customer_email?: string;
  /** True: although the reference has a successful order already. Without it that is refused, and the order named. */
  readonly once_more?: boolean;
  readonly reason: string;
};
export type TelephonePaid = { readonly order_id: string };
