// The shop's pages: the counter, a checkout for each generation of the element, and the result.
import { moneyText } from '../core/payer/language.ts';
import { escapeHtml } from '../kit/http/page.ts';
import { type Cart, type Json, textOf } from './merchant.ts';

export type Names = {
  readonly brand: string;
  readonly global: string;
  readonly vault_url: string;
  readonly environment: string;
};

const LANGUAGES = {
  en: 'English',
  fr: 'Français',
  de: 'Deutsch',
  es: 'Español',
  it: 'Italiano',
  nl: 'Nederlands',
  pt: 'Português',
  pl: 'Polski',
  ar: 'العربية',
};

export function isLanguage(text: string): boolean {
  return Object.hasOwn(LANGUAGES, text);
}

/** The prices a payer may choose: the sandbox challenges from 1,000 on (contract 15.1). */
export const PRICES = ['42.50', '1200.00'];

const priceText = (amount: string) => escapeHtml(moneyText(amount, 'EUR', 'en'));

type Shell = { readonly title: string; readonly head?: string };

function shell({ title, head = '' }: Shell, main: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/shop.css">
${head}
</head>
<body>
<header><div><a href="/">Kontor Coffee</a><span>a demo shop, no real money</span></div></header>
<main>
${main}
</main>
</body>
</html>
`;
}

const WAYS = [
  [
    'elements',
    'Hosted Elements',
    'Card fields in this shop’s page, in a frame of the vault. The shop never sees a digit.',
  ],
  [
    'page-inputs',
    'Card inputs in the page',
    'The old generation of the element, for integrations that have it already.',
  ],
  ['hosted', 'Hosted page', 'The whole payment on a page of the vault; the shop only links to it.'],
] as const;

export function counter(): string {
  const options = PRICES.map((price) => `<option value="${price}">${priceText(price)}</option>`).join('');
  const languages = Object.entries(LANGUAGES).map(([code, name]) => `<option value="${code}">${name}</option>`);
  const ways = WAYS.map(
    ([way, title, says]) =>
      `<li class="card"><h2>${title}</h2><p class="soft">${says}</p><button class="action" form="order" name="way" value="${way}">Pay this way</button></li>`,
  );
  return shell(
    { title: 'Kontor Coffee' },
    `<h1>One bag of coffee</h1>
<p class="soft">Freshly roasted, and never shipped. Pay with a test card such as 4242 4242 4242 4242, any date ahead and any code.</p>
<form id="order" method="post" action="/buy">
<label class="label" for="amount">Price</label><select id="amount" name="amount">${options}</select>
<label class="label" for="lang">Language of the payment form</label><select id="lang" name="lang">${languages.join('')}</select>
</form>
<ul class="ways">${ways.join('')}</ul>`,
  );
}

function summary(cart: Cart): string {
  return `<aside class="card"><h2>Your order</h2><dl><dt>Coffee, 1 kg</dt><dd>${priceText(cart.amount)}</dd><dt>Shipping</dt><dd>${priceText('0')}</dd><dt class="total">Total</dt><dd class="total">${priceText(cart.amount)}</dd></dl></aside>`;
}

/**
 * Data for a page's script, as text: a policy without inline scripts lets it be, and nothing in it ends the element
 * early.
 */
function configOf(values: Json): string {
  return `<script type="application/json" id="config">${JSON.stringify(values).replaceAll('<', '\\u003c')}</script>`;
}

export function elementsPage(cart: Cart, names: Names, public_key: string): string {
  const { brand, vault_url, environment } = names;
  const config = configOf({
    public_key,
    environment,
    holder: true,
    locale: cart.lang,
    checkout_id: cart.checkout_id,
    amount: cart.amount,
    currency: 'EUR',
    payment_methods: cart.payment_methods,
    pay_url: `/pay/${cart.id}`,
    result_url: `/result/${cart.id}`,
  });
  const head = `<link rel="stylesheet" href="${vault_url}/stylesheet/2.3/${brand}-client.min.css">
<script src="${vault_url}/javascript/2.3/${brand}-client.min.js" defer></script>
<script src="/elements.js" defer></script>`;
  return shell(
    { title: 'Payment: Kontor Coffee', head },
    `${config}<h1>Payment</h1>
<div class="pair"><section class="card" aria-label="Card"><p id="notice" role="alert"></p><div id="${brand}-payment-container"></div></section>${summary(cart)}</div>`,
  );
}

export function pageInputsPage(cart: Cart, names: Names, public_key: string): string {
  const { brand, vault_url } = names;
  const head = `<script src="${vault_url}/javascript/0.2/${brand}-client.js" defer></script>
<script src="/page-inputs.js" defer></script>`;
  const place = (part: string, field: string, placeholder: string) =>
    `<span id="${brand}-payment-${part}" data-class="shop-input" data-placeholder="${placeholder}"></span><!-- ${field} -->`;
  const field = (part: string, name: string, [label, placeholder]: readonly [string, string]) =>
    `<label class="field" for="${brand}-${name}">${label}${place(part, name, placeholder)}</label>`;
  return shell(
    { title: 'Payment: Kontor Coffee', head },
    `${configOf({ public_key })}<h1>Payment</h1>
<div class="pair"><section class="card" aria-label="Card">
<form id="${brand}-payment-form" method="post" action="/pay/${cart.id}">
${field('card', 'card_number', ['Card number', '1234 1234 1234 1234'])}
<div class="two">${field('expiry', 'card_validity', ['Expiry date', 'MM / YY'])}${field('cvv', 'cvc', ['Security code', '123'])}</div>
${field('holder', 'cardholder_name', ['Name on card', 'Ada Martin'])}
<p id="${brand}-payment-logo"></p>
<label class="check"><input type="checkbox" id="save">Save this card</label>
<p id="${brand}-payment-error" role="alert"></p>
<button id="payment-button" type="submit"><span id="payment-button-amount">Pay ${priceText(cart.amount)}</span><span id="payment-button-sending">One moment…</span></button>
</form></section>${summary(cart)}</div>`,
  );
}

/** As often as the page of a payment that is not decided loads itself again. */
const REFRESH_S = 4;

type Receipt = {
  readonly title: string;
  readonly says: string;
  readonly payment: string;
  /** Not decided: the page loads itself again. */
  readonly open?: true;
  /** Says that nothing was taken, or that it is given back. */
  readonly uncharged?: true;
};

const NOT_PAID = { title: 'Not paid', uncharged: true } as const;
const PAID: Receipt = { title: 'Thank you', says: 'Your coffee is paid.', payment: 'Paid' };
const WAITING: Receipt = {
  title: 'Confirming your payment',
  payment: 'Waiting for your bank',
  open: true,
  says: 'Your bank has not answered yet. Please do not pay again: this page refreshes by itself.',
};
/** Nobody knows: the API was not reached, or says so itself, or says what this shop does not know. */
const UNKNOWN: Receipt = {
  ...WAITING,
  payment: 'Not known yet',
  says: 'We do not know yet what became of your payment. Please do not pay again: this page refreshes by itself.',
};
const DECLINED: Receipt = {
  ...NOT_PAID,
  says: 'Your bank declined this card. Nothing was charged.',
  payment: 'Declined',
};

/** By the status of the order. */
const RECEIPTS: Readonly<Record<string, Receipt>> = {
  created: WAITING,
  risk_assessment_requested: WAITING,
  risk_assessment_approved: WAITING,
  risk_assessment_declined: {
    ...NOT_PAID,
    says: 'We cannot take this payment. Nothing was charged.',
    payment: 'Refused',
  },
  authentication_requested: WAITING,
  authentication_successful: WAITING,
  authentication_declined: {
    ...NOT_PAID,
    says: 'Your bank could not verify it was you. Nothing was charged.',
    payment: 'Not verified',
  },
  authorization_requested: WAITING,
  authorization_successful: PAID,
  authorization_declined: DECLINED,
  authorization_expired: {
    ...NOT_PAID,
    says: 'The time for this payment is over. Nothing was charged.',
    payment: 'Expired',
  },
  authorization_cancelled: {
    title: 'Cancelled',
    says: 'The payment was cancelled.',
    payment: 'Cancelled',
    uncharged: true,
  },
  authorization_cancel_requested: {
    title: 'Cancelling your payment',
    says: 'The payment is being cancelled: this page refreshes by itself.',
    payment: 'Being cancelled',
    open: true,
  },
  // what was reserved is still there
  authorization_cancel_declined: PAID,
  capture_requested: PAID,
  capture_successful: PAID,
  capture_declined: {
    title: 'Not paid yet',
    says: 'The amount could not be taken from your card. Please do not pay again: we will write to you.',
    payment: 'Not taken yet',
  },
  refund_requested: { title: 'Refund on its way', says: 'You will get your money back.', payment: 'Refund on its way' },
  refund_successful: { title: 'Refunded', says: 'You get your money back.', payment: 'Refunded' },
  refund_declined: PAID,
};

/** What became of the payment in words for a customer: never a status or a code of the API. */
function receiptOf(orders: readonly Json[] | undefined, checkout_status: string): Receipt {
  const status = textOf(orders?.[0]?.['status']);
  if (orders?.length === 0) {
    const left = checkout_status === 'cancelled' || checkout_status === 'expired';
    return { ...NOT_PAID, says: 'Nothing was charged.', payment: left ? 'Cancelled' : 'Not paid yet' };
  }
  const known = RECEIPTS[status] ?? UNKNOWN;
  // a provider may say otherwise than the end that is stored, of a try before it as well
  return known.uncharged && orders?.some(({ is_in_doubt }) => is_in_doubt === true) ? UNKNOWN : known;
}

/**
 * What the shop knows from the API, never from the address the payer came back by. `orders`: the newest first,
 * undefined where the API does not say.
 */
export function resultPage(cart: Cart, checkout: Json, orders: readonly Json[] | undefined): string {
  const { title, says, payment, open } = receiptOf(orders, textOf(checkout['status']));
  const rows = [
    ['Order', cart.id],
    ['Amount', moneyText(cart.amount, 'EUR', 'en')],
    ['Payment', payment],
  ];
  const list = rows.map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(value ?? '')}</dd>`);
  const refresh = open ? `<p><a class="action" href="/result/${cart.id}">Refresh</a></p>` : againOf(cart, checkout);
  return shell(
    {
      title: `${title}: Kontor Coffee`,
      ...(open && { head: `<meta http-equiv="refresh" content="${REFRESH_S}; url=/result/${cart.id}">` }),
    },
    `<section class="card"><h1>${title}</h1><p>${says}</p><dl>${list.join('')}</dl>${refresh}<p><a href="/">Back to the shop</a></p></section>`,
  );
}

function againOf(cart: Cart, checkout: Json): string {
  const open = checkout['status'] === 'created' && cart.way !== 'hosted';
  return open ? `<p><a class="action" href="/checkout/${cart.id}">Try another card</a></p>` : '';
}

export function plainPage(title: string, says: string): string {
  return shell(
    { title: `${title}: Kontor Coffee` },
    `<section class="card"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(says)}</p><p><a href="/">Back to the shop</a></p></section>`,
  );
}
