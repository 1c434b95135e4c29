// The receipt of a payment as a list of the page: what it says stands in payer/receipt.ts.
import { logoFiles } from '../../../core/card.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import type { OrderFacts } from '../../order/facts/order-facts.ts';
import { atLeastNothing } from '../../order-rules/amounts.ts';
import { type Paid, type ReceiptFact, type Refund, cardPaid, receiptFacts } from '../../payer/receipt.ts';
import { textsOf } from '../../payer/texts.ts';
import { textAt } from '../load.ts';
import { type Shown, type Subject, amountOf, amountText, merchantOf } from './shown.ts';

type Row = readonly [label: string, html: string];

export function receipt({ page, language }: Shown<Subject>): string {
  const paid = paidOf(page);
  return list(receiptFacts(paid, language).map((fact): Row => [fact.label, htmlOf(paid, fact)]));
}

function paidOf(page: Subject): Paid {
  const { checkout, order } = page;
  return {
    merchant: merchantOf(page),
    amount_minor: amountOf(page),
    refund: order && refundOf(order),
    currency: checkout.currency,
    card: order && cardPaid(order.transactions, order.winner_id),
    at: order && new Date(order.created_at),
    reference: textAt(checkout.body, 'order_merchant_id') ?? '',
    statement: order && textAt(order.body, 'dynamic_descriptor_authorization'),
  };
}

function refundOf({ captured_minor, refunded_minor }: OrderFacts): Refund | undefined {
  if (refunded_minor <= 0n) return undefined;
  return { refunded_minor, left_minor: atLeastNothing(captured_minor - refunded_minor) };
}

function htmlOf({ card, at }: Paid, { name, text }: ReceiptFact): string {
  const html = escapeHtml(text);
  if (name === 'amount' || name === 'refunded' || name === 'refund_left') return html;
  if (name === 'card' && card) {
    const picture = `<img src="/image/logo/${logoFiles(card.scheme).logo_colorbg}" alt="" width="38" height="24">`;
    return `<span class="with-mark">${picture}<span>${html}</span></span>`;
  }
  // by UTC; the page's script writes it by the payer's clock
  if (name === 'date' && at) return `<time datetime="${at.toISOString()}">${html}</time>`;
  return `<bdi>${html}</bdi>`;
}

/** Amount and reference: what there is to say of a payment that is none, or not yet. */
export function facts(shown: Shown<Subject>): string {
  const texts = textsOf(shown.language);
  const reference = textAt(shown.page.checkout.body, 'order_merchant_id') ?? '';
  return list([
    ...(shown.page.amount_open === true ? [] : [[texts.amount, escapeHtml(amountText(shown))] as const]),
    [texts.reference, `<bdi>${escapeHtml(reference)}</bdi>`],
  ]);
}

function list(rows: readonly Row[]): string {
  const parts = rows.map(([label, html]) => `<div><dt>${escapeHtml(label)}</dt><dd>${html}</dd></div>`);
  return `<dl class="receipt">${parts.join('\n')}</dl>`;
}
