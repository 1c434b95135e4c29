// Messages of the simulated Adyen: each item is signed by itself and waits until a control asks for its delivery.
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import type { AccountRow, Amount, Books, Item, Modification, Payment, Queued } from './books.ts';

type Event = {
  readonly code: string;
  readonly success: boolean;
  readonly psp: string;
  readonly original?: string;
  readonly reference: string;
  readonly amount: Amount;
  readonly method?: string;
  readonly reason?: string;
  readonly more?: Readonly<Record<string, string>>;
};

/** Adds the message to the end of the queue. */
export function tell(books: Books, account: string, event: Event): void {
  const { code, success, psp, original, reference, amount, method, reason = '', more } = event;
  const item = {
    amount,
    eventCode: code,
    eventDate: new Date(books.now()).toISOString().replace(/\.\d+Z$/, '+00:00'),
    merchantAccountCode: account,
    merchantReference: reference,
    ...(original !== undefined && { originalReference: original }),
    ...(method !== undefined && { paymentMethod: method }),
    pspReference: psp,
    reason,
    success: String(success),
  };
  const hmacSignature = signatureOf(item, books.accounts.get(account)?.hmac_key ?? '');
  books.tell(account, { ...item, additionalData: { ...more, hmacSignature } });
}

function signatureOf(item: Item & { readonly amount: Amount }, hmac_key: string): string {
  const text = (name: string) => {
    const value = item[name];
    return typeof value === 'string' ? value : '';
  };
  const signed = [
    text('pspReference'),
    text('originalReference'),
    text('merchantAccountCode'),
    text('merchantReference'),
    String(item.amount.value),
    item.amount.currency,
    text('eventCode'),
    text('success'),
  ].join(':');
  return createHmac('sha256', Buffer.from(hmac_key, 'hex')).update(signed).digest('base64');
}

/** The reason of an approval holds the authorization code and the card's last four digits and expiry date. */
export function tellAuthorisation(books: Books, payment: Payment): void {
  const { psp, account, reference, amount, brand, auth_code, summary, expiry, cause, state } = payment;
  const success = state === 'held';
  const reason = success ? `${auth_code}:${summary}:${expiry}` : cause.reason || 'Refused';
  tell(books, account, {
    code: 'AUTHORISATION',
    success,
    psp,
    reference,
    method: brand,
    reason,
    amount: success ? { ...amount, value: payment.held } : amount,
  });
}

const CODES = {
  capture: 'CAPTURE',
  refund: 'REFUND',
  cancel: 'CANCELLATION',
  technical: 'TECHNICAL_CANCEL',
  reversal: 'CANCEL_OR_REFUND',
} as const;

/**
 * The result of a modification. The message about a technical cancel has the payment's reference, not the request's.
 */
export function tellModification(books: Books, modification: Modification, more?: Event['more']): void {
  const { kind, psp, account, payment, payment_reference, reference, amount, state, reason } = modification;
  const of = payment === undefined ? undefined : books.payments.get(payment);
  tell(books, account, {
    code: CODES[kind],
    success: state === 'done',
    psp,
    reason,
    reference: kind === 'technical' ? payment_reference : reference,
    amount: amount ?? of?.amount ?? { currency: 'EUR', value: 0 },
    ...(payment !== undefined && { original: payment }),
    ...(of && { method: of.brand }),
    ...(more && { more }),
  });
}

export type Delivering = {
  readonly order?: 'reversed';
  /** How often each message is sent. */
  readonly times?: number;
  /** Sends all messages of an account in one request. */
  readonly together?: boolean;
  /** Sends only messages with these event codes. */
  readonly only?: readonly string[];
  /** Also sends messages that were accepted before. */
  readonly again?: boolean;
};

export type Delivered = { readonly body: string; readonly status: number | null };

/** A message that was not accepted stays in the queue. */
export async function deliver(books: Books, how: Delivering = {}): Promise<readonly Delivered[]> {
  const { order, times = 1, together = false, only, again = false } = how;
  const chosen = [...(again ? books.told : []), ...books.queue].filter(
    ({ item }) => only?.includes(String(item['eventCode'])) ?? true,
  );
  books.queue = books.queue.filter((one) => !chosen.includes(one));
  if (order === 'reversed') chosen.reverse();
  const groups = together ? [...Map.groupBy(chosen, ({ account }) => account).values()] : chosen.map((one) => [one]);
  const delivered: Delivered[] = [];
  for (const group of groups) {
    for (let sent = 0; sent < times; sent++) delivered.push(await send(books, group));
  }
  return delivered;
}

async function send(books: Books, group: readonly Queued[]): Promise<Delivered> {
  const body = JSON.stringify({
    live: 'false',
    notificationItems: group.map(({ item }) => ({ NotificationRequestItem: item })),
  });
  const account = books.accounts.get(group[0]?.account ?? '');
  const status = account?.webhook_url ? await post(account, account.webhook_url, body) : null;
  const is_taken = status === null || (status >= 200 && status < 300);
  if (is_taken) books.wasTold(group);
  else books.queue.push(...group.filter((one) => !books.queue.includes(one)));
  return { body, status };
}

const DEADLINE_MS = 10_000;

/** The status of the answer, or 0 without an answer. */
function post({ merchant_account }: AccountRow, url: string, body: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': `Adyen simulator ${merchant_account}`,
  };
  const sent = (url.startsWith('https:') ? requestTls : request)(
    url,
    { method: 'POST', headers, timeout: DEADLINE_MS },
    (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    },
  );
  sent.on('timeout', () => sent.destroy());
  sent.on('error', () => resolve(0));
  sent.end(body);
  return promise;
}
