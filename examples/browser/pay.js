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
    const answer = await fetch(config.pay, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, browser: Florin.browserData() }),
    });
    const { next, message } = await answer.json();
    if (next) location.assign(next);
    else notice.textContent = message;
  },
});
