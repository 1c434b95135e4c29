// The payment page of the shop: the form in its container, the token to the shop's server, the payer to where it says.
const config = JSON.parse(document.getElementById('config').textContent);
const notice = document.getElementById('notice');

window.payment = new Florin({
  publicapikey: config.publicapikey,
  checkoutId: config.checkoutId,
  paymentmethods: config.paymentmethods,
  amount: config.amount,
  currency: config.currency,
  onSubmit: async ({ token }) => {
    // an answer that is lost says nothing of the payment: the page with the result finds out
    const { next, message } = await pay(token).catch(() => ({ next: config.back }));
    await line();
    if (next) location.assign(next);
    else notice.textContent = message;
  },
});

async function pay(token) {
  const answer = await fetch(config.pay, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, browser: Florin.browserData() }),
  });
  return answer.json();
}

/** Without a connection the browser would show a page of its own, which says nothing of the payment and may stay. */
async function line() {
  if (navigator.onLine) return;
  notice.textContent = 'No connection. Please keep this page open: it goes on by itself.';
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

// a page that the browser kept, shown by its back button, may be paid since: the shop's server says how it stands
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
