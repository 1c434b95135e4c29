// Wire: payment links (contract 5.3).
//
//   GET  /api/links?cursor                    LinkPage
//   POST /api/links                           LinkForm → PaymentLink
//   GET  /api/links/{link_id}                 PaymentLink
//   POST /api/links/{link_id}                 LinkChange → PaymentLink
//   GET  /api/links/{link_id}/orders?cursor   LinkOrderPage
import type { Page } from '../wire.ts';

export type PaymentLink = {
  readonly id: string;
  readonly status: 'active' | 'paused' | 'paid' | 'expired' | 'ended';
  readonly url: string;
  readonly many: boolean;
  readonly currency: string;
  /** Null: the payer says it, within the bounds. */
  readonly amount_minor: number | null;
  readonly least_minor: number | null;
  readonly most_minor: number | null;
  readonly reference: string;
  readonly description: string;
  readonly operation_type: string;
  readonly merchant_data: readonly { readonly key: string; readonly value: string }[];
  readonly return_urls: ReturnUrls;
  /** How many payers began to pay. */
  readonly opened: number;
  readonly expires_at: string | null;
  readonly created_at: string;
};
export type LinkPage = Page & { readonly links: readonly PaymentLink[] };
/** The addresses to which payers go afterwards; absent: a page of ours shows the result. */
export type ReturnUrls = {
  readonly accept_url?: string;
  readonly decline_url?: string;
  readonly cancel_url?: string;
  readonly pending_url?: string;
  readonly exception_url?: string;
};
export type LinkForm = ReturnUrls & {
  readonly usage: 'once' | 'many';
  readonly amount?: string;
  readonly amount_least?: string;
  readonly amount_most?: string;
  readonly currency: string;
  readonly order_merchant_id: string;
  readonly order_description?: string;
  readonly operation_type?: 'authorize' | 'direct_capture';
  readonly expiration_date?: string;
  readonly merchant_data?: readonly { readonly key: string; readonly value?: string }[];
};
export type LinkChange = { readonly status: 'active' | 'paused' | 'ended' };
export type LinkOrder = {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  readonly amount_minor: number;
  readonly currency: string;
  readonly in_doubt: boolean;
  readonly created_at: string;
};
export type LinkOrderPage = Page & { readonly orders: readonly LinkOrder[] };
