// Wire: refunds that wait for a second person.
export type RefundRequest = {
  readonly id: string;
  readonly order_id: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly reason: string;
  readonly requested_by: string;
  readonly created_at: string;
  /** It is the viewer's own: somebody else approves it. */
  readonly own: boolean;
};
export type RefundRequests = { readonly requests: readonly RefundRequest[] };
