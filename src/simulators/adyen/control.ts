// The control of the simulated Adyen, for tests and the sandbox's pages. Adyen itself has nothing like it.
//
// | request                    | what it does                                                                         |
// |----------------------------|--------------------------------------------------------------------------------------|
// | GET /control/books         | returns payments, modifications, disputes and waiting messages, as JSON              |
// | GET /control/settlement    | returns the settlement details report of `?merchant_account=`                        |
// | POST /control/accounts     | adds a merchant account, or replaces it                                              |
// | POST /control/faults       | arms a fault for the next matching call (faults.ts)                                  |
// | POST /control/faults/clear | removes all armed faults                                                             |
// | POST /control/connections  | with `open` false the API accepts no connection, and open ones are cut               |
// | POST /control/endpoints    | sets the address for messages, `url`, and the key of their signature, the first of   |
// |                            | `secrets`                                                                            |
// | POST /control/clock        | moves the clock by `advance_s`                                                       |
// | POST /control/work         | completes open payments and modifications, and what is due; with `refuse` the        |
// |                            | acquirer declines every modification                                                 |
// | POST /control/deliver      | sends the waiting messages: `order` reversed, `times` each, `together` in one        |
// |                            | request, `only` some events, `again` also accepted ones                              |
// | POST /control/messages     | with `held` true, messages wait until they are delivered; with false, all are sent   |
// | POST /control/fail         | makes a capture or refund that was done, `psp`, fail after all                       |
// | POST /control/dispute      | an `event` of the dispute about the payment `psp`; opens the dispute if there is     |
// |                            | none                                                                                 |
// | POST /control/area         | what a person does in the Customer Area with the payment `psp`: `does` capture,      |
// |                            | refund (each of `value`), cancel or reversal; the messages repeat the payment's      |
// |                            | reference                                                                            |
// | POST /control/tell         | sends an unknown `event` about the payment `psp`                                     |
import type { AccountRow, Books, Payment } from './books.ts';
import { movedBy, openDispute, tellDispute } from './disputes.ts';
import { type Fault, faultOf } from './faults.ts';
import { deliver, tell } from './messages.ts';
import { takeBack, work } from './modifications.ts';
import { type Said, objectIn } from '../said.ts';
import { textIn } from './said.ts';

export type Steering = {
  readonly books: Books;
  readonly faults: Fault[];
  listen(is_open: boolean): Promise<void>;
};
export type Steered = { readonly status: number; readonly said: unknown };

const DONE: Steered = { status: 200, said: {} };
const WRONG: Steered = { status: 400, said: { message: 'not understood' } };

export async function steer({ books, faults, listen }: Steering, path: string, said: Said): Promise<Steered> {
  switch (path) {
    case '/control/books':
      return { status: 200, said: booksOf(books) };
    case '/control/accounts':
      return addAccount(books, said);
    case '/control/endpoints':
      return tellTo(books, said);
    case '/control/connections':
      await listen(said['open'] === true);
      return DONE;
    case '/control/faults': {
      const fault = faultOf(said);
      if (fault === undefined) return WRONG;
      faults.push(fault);
      return DONE;
    }
    case '/control/faults/clear':
      faults.length = 0;
      return DONE;
    case '/control/clock': {
      const { advance_s } = said;
      if (typeof advance_s !== 'number' || !(advance_s >= 0)) return WRONG;
      books.shift_ms += advance_s * 1000;
      return DONE;
    }
    case '/control/work':
      work(books, said['refuse'] === true);
      return DONE;
    case '/control/messages':
      books.held = said['held'] === true;
      if (!books.held) await deliver(books);
      return DONE;
    case '/control/deliver':
      return { status: 200, said: { delivered: await deliver(books, said) } };
    case '/control/fail':
      return takeBack(books, textIn(said, 'psp')) ? DONE : WRONG;
    case '/control/dispute':
      return disputeOf(books, said);
    case '/control/area':
      return inTheArea(books, said);
    case '/control/tell':
      return tellOf(books, said);
    default:
      return { status: 404, said: { message: 'no such control' } };
  }
}

function booksOf({ payments, modifications, disputes, queue }: Books) {
  return {
    payments: [...payments.values()],
    modifications: [...modifications.values()],
    disputes: [...disputes.values()],
    messages: queue.map(({ item }) => item),
  };
}

export function addAccount(books: Books, said: Said): Steered {
  const [merchant_account, api_key] = [textIn(said, 'merchant_account'), textIn(said, 'api_key')];
  const hmac_key = textIn(said, 'hmac_key');
  const webhook_url = textIn(said, 'webhook_url') || null;
  const is_url = webhook_url === null || URL.canParse(webhook_url);
  if (merchant_account === '' || api_key === '' || !/^(?:[0-9a-fA-F]{2})+$/.test(hmac_key) || !is_url) return WRONG;
  const row: AccountRow = { merchant_account, api_key, hmac_key, webhook_url };
  books.accounts.set(merchant_account, row);
  return DONE;
}

/** Applies to all accounts, because a sandbox has one. */
function tellTo(books: Books, { url, secrets }: Said): Steered {
  const secret: unknown = Array.isArray(secrets) ? secrets[0] : undefined;
  if (typeof url !== 'string' || !URL.canParse(url)) return WRONG;
  for (const account of books.accounts.values()) {
    const hmac_key = typeof secret === 'string' ? secret : account.hmac_key;
    const { status, said } = addAccount(books, { ...account, webhook_url: url, hmac_key });
    if (status !== 200) return { status, said };
  }
  return DONE;
}

type Telling = {
  readonly payment: Payment;
  readonly code: string;
  readonly value: number;
  readonly reason: string;
  readonly more: Readonly<Record<string, string>>;
};

/** Undefined if the payment is unknown, or the request names no event. */
function tellingIn(books: Books, said: Said): Telling | undefined {
  const payment = books.payments.get(textIn(said, 'psp'));
  const code = textIn(said, 'event');
  if (payment === undefined || code === '') return undefined;
  const { value = payment.amount.value } = said;
  if (typeof value !== 'number') return undefined;
  const more = Object.entries(objectIn(said, 'more')).map(([name, text]) => [name, String(text)] as const);
  return { payment, code, value, reason: textIn(said, 'reason'), more: Object.fromEntries(more) };
}

function disputeOf(books: Books, said: Said): Steered {
  const telling = tellingIn(books, said);
  if (telling === undefined) return WRONG;
  const { payment, code, value, reason, more } = telling;
  const dispute = openDispute(books, payment, value);
  movedBy(dispute, code);
  tellDispute(books, payment, { dispute, code, reason, more });
  return { status: 200, said: dispute };
}

function inTheArea(books: Books, said: Said): Steered {
  const payment = books.payments.get(textIn(said, 'psp'));
  const does = (['capture', 'refund', 'cancel', 'reversal'] as const).find((kind) => kind === said['does']);
  const { value } = said;
  if (payment === undefined || does === undefined) return WRONG;
  const { psp, account, reference, amount } = payment;
  const made = books.keepModification({
    psp: books.pspReference(),
    kind: does,
    account,
    payment: psp,
    payment_reference: reference,
    reference,
    amount:
      does === 'cancel' || does === 'reversal'
        ? undefined
        : { ...amount, value: typeof value === 'number' ? value : amount.value },
    at_ms: books.now(),
    state: 'received',
    reason: '',
  });
  work(books);
  return { status: 200, said: { psp: made.psp } };
}

function tellOf(books: Books, said: Said): Steered {
  const telling = tellingIn(books, said);
  if (telling === undefined) return WRONG;
  const { payment, code, value, reason, more } = telling;
  tell(books, payment.account, {
    code,
    success: true,
    psp: books.pspReference(),
    original: payment.psp,
    reference: payment.reference,
    amount: { currency: payment.amount.currency, value },
    method: payment.brand,
    reason,
    more,
  });
  return DONE;
}
