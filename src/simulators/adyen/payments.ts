// POST /payments and /payments/details of the simulated Adyen.
import type { AccountRow, Amount, Books, Payment, Redirect } from './books.ts';
import { APPROVED, type Cause, bankOf, brandOf, causeOf, passesLuhn } from './cards.ts';
import { tellAuthorisation } from './messages.ts';
import { type Said, objectIn } from '../said.ts';
import { type Reply, refused, textIn } from './said.ts';

export type Call = { readonly books: Books; readonly account: AccountRow; readonly said: Said };

/** The answer, with the payment that exists now; a refusal has none. */
export type Done = Reply & { readonly payment?: Payment };

export function amountOf(said: Said): Amount | undefined {
  const { currency, value } = objectIn(said, 'amount');
  const is_amount = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) && Number.isSafeInteger(value);
  return is_amount && typeof value === 'number' && value >= 0 ? { currency, value } : undefined;
}

export function pay(call: Call, page: (id: string) => string): Done {
  const { books, account, said } = call;
  const amount = amountOf(said);
  const card = cardOf(said, books.now());
  if (amount === undefined) return refused(422, '100', ["Required object 'amount' is not provided."]);
  if (textIn(said, 'reference') === '') return refused(422, '130', ['Reference Missing']);
  if (textIn(said, 'returnUrl') === '') return refused(422, '14_030', ['Return URL is missing.']);
  if ('status' in card) return card;
  const payment = books.keep({
    psp: books.pspReference(),
    account: account.merchant_account,
    reference: textIn(said, 'reference'),
    amount,
    brand: card.brand,
    summary: card.number.slice(-4),
    expiry: card.expiry,
    cause: causeOf({ number: card.number, holder: card.holder, value: amount.value }),
    at_ms: books.now(),
    auth_code: books.handle().slice(0, 6).toUpperCase(),
    interaction: textIn(said, 'shopperInteraction'),
    is_manual: textIn(objectIn(said, 'additionalData'), 'manualCapture') === 'true',
    state: 'waiting',
    held: 0,
    captured: 0,
    refunded: 0,
    is_authenticated: said['mpiData'] !== undefined,
    exemption: textIn(objectIn(said, 'additionalData'), 'scaExemption'),
    cavv: textIn(objectIn(said, 'mpiData'), 'cavv'),
    eci: textIn(objectIn(said, 'mpiData'), 'eci'),
  });
  const bank = asksBank(said) ? bankOf(card.number) : undefined;
  if (bank === undefined) return decide(books, payment);
  payment.is_authenticated = bank === 'unseen';
  if (bank === 'unseen') return decide(books, payment);
  payment.redirect = {
    id: books.handle(),
    method: bank,
    return_url: textIn(said, 'returnUrl'),
    result: books.handle() + books.handle(),
  };
  return { status: 200, said: redirectTo(payment, payment.redirect, page), payment };
}

type Card = { readonly number: string; readonly holder: string; readonly brand: string; readonly expiry: string };

function cardOf(said: Said, now_ms: number): Card | Reply {
  const method = objectIn(said, 'paymentMethod');
  const [type, number, stored] = [
    textIn(method, 'type'),
    textIn(method, 'number'),
    textIn(method, 'storedPaymentMethodId'),
  ];
  if (type !== 'scheme' && type !== 'networkToken')
    return refused(422, '14_006', ['Required field paymentMethod.type']);
  const holder = textIn(method, 'holderName');
  const brand = textIn(method, 'brand');
  if (stored !== '') return storedCard(said, { stored, brand });
  if (!passesLuhn(number)) return refused(422, '101', ['Invalid card number']);
  const [month, year, code] = [textIn(method, 'expiryMonth'), textIn(method, 'expiryYear'), textIn(method, 'cvc')];
  if (!/^(?:0?[1-9]|1[0-2])$/.test(month) || !/^\d{4}$/.test(year)) return refused(422, '140', ['Invalid expiryMonth']);
  if (Date.UTC(+year, +month) <= now_ms) return refused(422, '129', ['Expiry Date Invalid']);
  const length = brandOf(number) === 'amex' ? 4 : 3;
  if (code !== '' && (code.length !== length || !/^\d+$/.test(code)))
    return refused(422, '103', ['CVC is not the right length']);
  return { number, holder, brand: brand || brandOf(number), expiry: `${month.padStart(2, '0')}/${year}` };
}

/** A saved card: every name except UNKNOWN is one. */
function storedCard(said: Said, { stored, brand }: { readonly stored: string; readonly brand: string }): Card | Reply {
  if (stored === 'UNKNOWN') return refused(422, '803', ['PaymentDetail not found']);
  if (textIn(said, 'shopperReference') === '') return refused(422, '000', ['Required field shopperReference']);
  return { number: '4111111111111111', holder: '', brand: brand || 'visa', expiry: '03/2030' };
}

/** True if the payer is present, the request allows authentication, and it was not made elsewhere. */
function asksBank(said: Said): boolean {
  const wish = textIn(objectIn(said, 'authenticationData'), 'attemptAuthentication');
  return textIn(said, 'shopperInteraction') === 'Ecommerce' && wish !== 'never' && said['mpiData'] === undefined;
}

function redirectTo({ psp, reference, brand }: Payment, redirect: Redirect, page: (id: string) => string): Said {
  const { id, method } = redirect;
  const data = { MD: id, PaReq: Buffer.from(`authentication of ${psp}`).toString('base64') };
  const action = { type: 'redirect', paymentMethodType: 'scheme', url: page(id), method };
  return {
    pspReference: psp,
    resultCode: 'RedirectShopper',
    merchantReference: reference,
    paymentMethod: { brand, type: 'scheme' },
    action: method === 'POST' ? { ...action, data } : action,
  };
}

/** The payer came back. A payment that is already decided gets the same answer again. */
export function details({ books, account, said }: Call): Done {
  const result = textIn(objectIn(said, 'details'), 'redirectResult');
  const found = [...books.payments.values()].find(({ redirect }) => redirect?.result === result);
  const outcome = found?.redirect?.said;
  if (found?.account !== account.merchant_account || outcome === undefined)
    return refused(422, '14_015', ['The redirectResult is not valid.']);
  if (found.state !== 'waiting') return { status: 200, said: answerOf(found), payment: found };
  found.is_authenticated = outcome === 'passed';
  return decide(books, found, outcome);
}

const FAILED: Cause = { result: 'Refused', code: '11', reason: '3D Not Authenticated', raw: '3D Not Authenticated' };
const LEFT: Cause = { result: 'Cancelled', code: '16', reason: 'Shopper Cancelled', raw: 'Shopper Cancelled' };

function decide(books: Books, payment: Payment, outcome: Redirect['said'] = 'passed'): Done {
  const own = payment.is_authenticated && payment.cause.code === '38' ? APPROVED : payment.cause;
  const cause = outcome === 'failed' ? FAILED : outcome === 'left' ? LEFT : own;
  const decided: Payment = Object.assign(payment, { cause });
  if (cause.result === 'Received') decided.state = 'open';
  else settle(books, decided);
  return { status: 200, said: answerOf(decided), payment: decided };
}

/** Holds or refuses the payment in the books, and queues the message about it. */
export function settle(books: Books, payment: Payment): void {
  const { result } = payment.cause;
  const is_held = result === 'Authorised' || result === 'PartiallyAuthorised' || result === 'Received';
  payment.state = is_held ? 'held' : 'refused';
  if (is_held)
    payment.held = result === 'PartiallyAuthorised' ? Math.floor(payment.amount.value / 2) : payment.amount.value;
  if (is_held && !payment.is_manual) payment.captured = payment.held;
  tellAuthorisation(books, payment);
}

function answerOf({ psp, reference, amount, brand, summary, auth_code, cause, state, ...more }: Payment): Said {
  const is_held = state === 'held';
  const shifted = String(more.is_authenticated);
  return {
    pspReference: psp,
    resultCode: cause.result,
    merchantReference: reference,
    paymentMethod: { brand, type: 'scheme' },
    additionalData: {
      cardSummary: summary,
      refusalReasonRaw: cause.raw,
      ...(cause.advice !== undefined && { merchantAdviceCode: cause.advice }),
      threeDOffered: String(Boolean(more.redirect) || more.is_authenticated),
      threeDAuthenticated: shifted,
      ...(is_held && { authCode: auth_code, networkTxReference: networkReference(psp), liabilityShift: shifted }),
    },
    ...(is_held && { amount: { ...amount, value: more.held }, fraudResult: { accountScore: 0 } }),
    ...(cause.code !== '' && { refusalReason: cause.reason, refusalReasonCode: cause.code }),
  };
}

/** 15 digits, always the same ones for the same payment. */
const networkReference = (psp: string) =>
  [...psp]
    .map((letter) => letter.charCodeAt(0) % 10)
    .join('')
    .slice(0, 15);
