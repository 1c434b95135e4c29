// Pages of the simulated PayPal: its books, and the page of the payer's bank.
import { escapeHtml } from '../../kit/http/page.ts';
import { authenticated } from './api/orders.ts';
import { type Reply, html } from '../line.ts';
import { page as plainPage, table } from '../plain-page.ts';
import { authorizationView } from './api/views.ts';
import { KNOWN_CARDS } from './cards.ts';
import { type Amount, textOf } from './money.ts';
import { catchUp } from '../agenda.ts';
import type { World } from './world.ts';

const page = (title: string, body: string, status = 200): Reply =>
  html(status, plainPage(title, body), { 'cache-control': 'no-store' });

const MOST_ROWS = 200;
const newest = <T>(shelf: ReadonlyMap<string, T>): T[] => [...shelf.values()].slice(-MOST_ROWS).toReversed();
const money = (amount: Amount): string => `${textOf(amount)} ${amount.currency}`;

export function booksPage(world: World): Reply {
  catchUp(world);
  const { orders, authorizations, captures, refunds, events } = world.books;
  const statusOf = (one: Parameters<typeof authorizationView>[1]): string =>
    (authorizationView(world, one) as { status: string }).status;
  return page(
    'Simulated PayPal',
    `<p>No money moves here. It is ${new Date(world.now_ms()).toISOString()}; the newest come first.</p>` +
      table(
        'Orders',
        ['order', 'intent', 'status', 'amount', 'card', 'custom id'],
        newest(orders).map((one) => [
          one.id,
          one.intent,
          one.status,
          money(one.amount),
          one.card === null ? '' : `${one.card.brand ?? ''} ${one.card.last4}`,
          one.custom_id ?? '',
        ]),
      ) +
      table(
        'Authorizations',
        ['authorization', 'order', 'status', 'amount'],
        newest(authorizations).map((one) => [one.id, one.order.id, statusOf(one), money(one.amount)]),
      ) +
      table(
        'Captures',
        ['capture', 'order', 'state', 'amount', 'invoice'],
        newest(captures).map((one) => [one.id, one.order.id, one.state, money(one.amount), one.invoice_id ?? '']),
      ) +
      table(
        'Refunds',
        ['refund', 'capture', 'state', 'amount'],
        newest(refunds).map((one) => [one.id, one.capture.id, one.state, money(one.amount)]),
      ) +
      table(
        'Messages',
        ['event', 'type', 'told'],
        newest(events).map(({ id, type, told }) => [id, type, told ? 'taken' : 'not taken']),
      ) +
      table('Cards and names', ['number or name', 'what it does'], KNOWN_CARDS),
  );
}

/** A page that is shown, or on which a button was pressed. */
type Visit = { readonly method: string; readonly id: string; readonly text: string };

export function bankPage(world: World, { method, id, text }: Visit): Reply {
  catchUp(world);
  const order = world.books.orders.get(id);
  if (order === undefined) return page('No such order', '<p>This address leads to no order.</p>', 404);
  const outcome = new URLSearchParams(text).get('outcome');
  if (method === 'GET' && order.status === 'PAYER_ACTION_REQUIRED')
    return page(
      'The payer’s bank',
      `<p>Is this payment of ${escapeHtml(money(order.amount))} yours?</p><form method="post">` +
        '<button name="outcome" value="complete">Yes</button><button name="outcome" value="fail">No</button>' +
        '<button name="outcome" value="leave">Leave</button></form><p>A simulated bank: no money moves.</p>',
    );
  if (outcome === 'complete' || outcome === 'fail') authenticated(world, order, outcome === 'complete');
  const back = outcome === 'leave' ? order.cancel_url : order.return_url;
  return back === null
    ? page('Done', '<p>You can close this page.</p>')
    : html(303, '', { location: returnTo(back, id) });
}

/** The return address with the parameter that PayPal adds. */
function returnTo(back: string, id: string): string {
  const url = new URL(back);
  url.searchParams.set('token', id);
  return url.href;
}
