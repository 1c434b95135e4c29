// Pages of the simulated Adyen: its books, and the page of the payer's bank.
import { escapeHtml } from '../../kit/http/page.ts';
import { page, table } from '../plain-page.ts';
import type { Amount, Books, Payment } from './books.ts';
import { KNOWN_CARDS } from './cards.ts';

const MOST_ROWS = 200;
const money = ({ currency, value }: Amount) => `${value} ${currency}`;

export function booksPage(books: Books): string {
  const payments = [...books.payments.values()].toReversed().slice(0, MOST_ROWS);
  const changes = [...books.modifications.values()].toReversed().slice(0, MOST_ROWS);
  return page(
    'Simulated Adyen',
    `<p>Amounts are in minor units. It is ${new Date(books.now()).toISOString()} here.</p>` +
      table(
        'Payments',
        ['reference', 'merchant reference', 'amount', 'card', 'state', 'captured', 'refunded'],
        payments.map((one) => [
          one.psp,
          one.reference,
          money(one.amount),
          `${one.brand} ${one.summary}`,
          one.state,
          String(one.captured),
          String(one.refunded),
        ]),
      ) +
      table(
        'Modifications',
        ['reference', 'of', 'kind', 'amount', 'state', 'reason'],
        changes.map((one) => [
          one.psp,
          one.payment ?? one.payment_reference,
          one.kind,
          one.amount ? money(one.amount) : '',
          one.state,
          one.reason,
        ]),
      ) +
      table(
        'Messages that wait',
        ['event', 'account'],
        books.queue.slice(0, MOST_ROWS).map(({ item, account }) => [String(item['eventCode']), account]),
      ) +
      table('Cards', ['number', 'what it does'], KNOWN_CARDS),
  );
}

/** The page on which the payer authenticates. The button that the payer presses decides the result. */
export function bankPage({ amount, summary }: Payment, action: string): string {
  const choices = [
    ['passed', 'Authenticate'],
    ['failed', 'Fail'],
    ['left', 'Leave'],
  ] as const;
  const buttons = choices.map(([value, text]) => `<button name="said" value="${value}">${text}</button>`).join('');
  return page(
    'Your bank',
    `<p>A payment of ${escapeHtml(money(amount))} with the card ending in ${escapeHtml(summary)}.</p>` +
      `<form method="post" action="${escapeHtml(action)}">${buttons}</form>`,
  );
}
