// A shop that takes cards with Hosted Elements and 3-D Secure, and takes notifications. Node 20 or newer, no packages.
// Its carts are in memory: yours are in a database.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { ask } from './florin.mjs';
import { take } from './notifications.mjs';
import { whatNow } from './outcome.mjs';

const {
  PORT = '3000',
  SHOP = `http://127.0.0.1:${PORT}`,
  VAULT = 'http://127.0.0.1:8081',
  PUBLIC_KEY = '',
} = process.env;
const BROWSER = new URL('../browser/', import.meta.url);
const carts = new Map();

// region: checkout
/** The payer comes to the payment page: a checkout says what is to be paid. */
async function openCart(amount) {
  const cart = { id: randomUUID(), amount };
  const back = `${SHOP}/back/${cart.id}`;
  const answer = await ask('POST', '/payment/checkout', {
    key: `checkout-${cart.id}`,
    body: {
      type: 'api',
      operation_type: 'direct_capture', // authorize and capture in one; `authorize` holds the money until you capture
      authentication_indicator: 'ask_3ds',
      amount,
      currency: 'EUR',
      order_merchant_id: cart.id,
      accept_url: back,
      decline_url: back,
      pending_url: back,
      exception_url: back,
    },
  });
  if (whatNow(answer) !== 'done') throw new Error(answer.detail);
  carts.set(cart.id, Object.assign(cart, { checkout: answer }));
  return cart;
}
// endregion

// region: pay
/** The browser brings the token: pay with it, and say where the payer goes next. */
async function pay(cart, given) {
  // kept before it is sent: until it is answered it is sent again, and no other card is taken
  const sent = (cart.unanswered ??= given);
  const answer = await ask('POST', '/payment/order', {
    key: `pay-${cart.id}-${sent.token}`, // one payment for a token, however often the payer presses
    body: { ...sent.browser, token: sent.token, checkout_id: cart.checkout.checkout.checkout_id },
  });
  if (cart.unanswered === sent) cart.unanswered = undefined;
  const next = whatNow(answer);
  if (next === 'redirect') return { next: answer.redirect_url }; // the payer's bank wants to see them
  if (answer.http === 400) return { message: 'Please enter your card again. Nothing was charged.' };
  return { next: `/back/${cart.id}` }; // what became of it, the order says
}
// endregion

// region: back
/** The payer is back. The address proves nothing: the order is read. */
async function result(cart) {
  if (cart.unanswered) await pay(cart).catch(() => {}); // no answer again: the page waits
  const { checkout } = found(await ask('GET', `/payment/checkout/${cart.checkout.checkout.checkout_id}`));
  // the newest first; the checkout knows them also when this shop was killed in between
  const orders = await Promise.all(checkout.orders.map(({ order_id }) => ask('GET', `/payment/order/${order_id}`)));
  const [last] = orders.map(found);
  // what is not answered may still be paid, whatever became of a card before it
  const unpaid = cart.unanswered ? WAITING : { ...NOT_PAID, retry: checkout.status === 'created' };
  if (!last) return unpaid;
  const { status } = last;
  if (PAID.includes(status)) return { title: 'Thank you', says: 'Your order is paid.' };
  if (GIVEN_BACK.includes(status)) return { title: 'Refund', says: 'You were charged, and get money back.' };
  // the capture of an authorized order was refused: the money is held, and you may capture again
  if (status === 'capture_declined' && whatNow(last) === 'refused') return UNFINISHED;
  // that nothing was charged is said only where it is proved, of every try
  const doubt = orders.some((order) => whatNow(order) === 'wait');
  return UNPAID.includes(status) && !doubt ? unpaid : WAITING;
}

/** A refused read says nothing about the payment. */
function found(answer) {
  if (answer.http !== 200) throw new Error(answer.detail);
  return answer;
}

// a refund or a cancel that was refused leaves the payment as it was
const PAID = ['authorization_successful', 'capture_successful', 'refund_declined', 'authorization_cancel_declined'];
const GIVEN_BACK = ['refund_requested', 'refund_successful'];
const UNPAID = [
  'risk_assessment_declined',
  'authentication_declined',
  'authorization_declined',
  'authorization_cancelled',
  'authorization_expired',
];
const UNFINISHED = { title: 'Thank you', says: 'The payment is not finished. We will write to you.' };
const WAITING = {
  title: 'Waiting for your bank',
  says: 'Please do not pay again: this page looks again.',
  again: true,
};
const NOT_PAID = { title: 'Not paid', says: 'Nothing was charged.' };
// endregion

const routes = {
  'GET /favicon.ico': async () => ({ http: 204, body: '' }),
  'GET /': async () => html('<form method="post" action="/buy"><button>Buy for 42.50 EUR</button></form>'),
  'POST /buy': async () => goTo(`/cart/${(await openCart('42.50')).id}`),
  'GET /cart': async ({ cart }) => {
    // paid, or may be: in another tab, or the payer went back
    if (!(await result(cart)).retry) return goTo(`/back/${cart.id}`);
    const { payment_methods, checkout } = cart.checkout;
    const config = {
      publicapikey: PUBLIC_KEY,
      checkoutId: checkout.checkout_id,
      paymentmethods: { payment_methods },
      amount: cart.amount,
      currency: 'EUR',
      pay: `/pay/${cart.id}`,
      back: `/back/${cart.id}`,
    };
    const page = readFileSync(new URL('pay.html', BROWSER), 'utf8');
    const filled = page
      .replaceAll('VAULT', VAULT)
      .replace('CONFIG', () => JSON.stringify(config).replaceAll('<', '\\u003c'));
    const headers = { 'content-security-policy': POLICY, 'cache-control': 'no-store' };
    return { body: filled, type: 'text/html; charset=utf-8', headers };
  },
  'GET /pay.js': async () => ({ body: readFileSync(new URL('pay.js', BROWSER), 'utf8'), type: 'text/javascript' }),
  'POST /pay': async ({ cart, body }) => ({
    body: JSON.stringify(await pay(cart, JSON.parse(body))),
    type: 'application/json',
  }),
  'GET /back': async ({ cart }) => {
    const { title, says, again, retry } = await result(cart);
    const next = retry ? `<a href="/cart/${cart.id}">Try another card</a>` : '<a href="/">Back to the shop</a>';
    return html(`${again ? '<meta http-equiv="refresh" content="2">' : ''}<h1>${title}</h1><p>${says}</p>${next}`);
  },
  'POST /notifications': async ({ headers, body }) => {
    const { http, did } = take(headers, body);
    console.log(`${headers['webhook-id']} ${did}`);
    return { http, body: '' };
  },
};

// region: policy
const POLICY = `default-src 'none'; script-src 'self' ${VAULT}; style-src ${VAULT}; frame-src ${VAULT}; img-src ${VAULT}; connect-src 'self'`;
// endregion

const html = (body) => ({
  body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>${body}`,
  type: 'text/html; charset=utf-8',
});
const goTo = (location) => ({ http: 303, body: '', headers: { location } });

const server = createServer(async (request, response) => {
  try {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const [, first = '', id] = new URL(request.url, SHOP).pathname.split('/');
    const route = routes[`${request.method} /${first}`];
    const cart = carts.get(id);
    const known = route && (id === undefined || cart);
    const given = { cart, body: Buffer.concat(chunks), headers: request.headers };
    const {
      http = 200,
      body,
      type = 'text/plain',
      headers = {},
    } = known ? await route(given) : { http: 404, body: 'not found' };
    response.writeHead(http, { 'content-type': type, ...headers }).end(body);
  } catch (error) {
    console.error(error);
    response.writeHead(500).end('Something went wrong. Please look at your orders before you pay again.');
  }
});
server.listen(Number(PORT), '127.0.0.1', () => console.log(`listening on ${SHOP}`));
