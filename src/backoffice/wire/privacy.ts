// Wire: a person's data.
/** `customer_id` as the merchant sends it. Owners only, who prove once more who they are. */
export type EraseForm = { readonly customer_id: string; readonly reason: string };
/** Of a guest, whose orders name no customer. */
export type EraseGuestForm = { readonly customer_email: string; readonly reason: string };

export type Erasures = {
  /** The data of an erased person that stays, and why. */
  readonly stays: readonly { readonly what: string; readonly why: string }[];
  /** The newest first; without the person whom each was about, which is not kept. */
  readonly erasures: readonly {
    readonly id: string;
    readonly state: 'waiting' | 'done';
    readonly orders: number;
    readonly checkouts: number;
    readonly cards: number;
    readonly requested_by: string;
    readonly created_at: string;
    readonly ended_at: string | null;
  }[];
};
