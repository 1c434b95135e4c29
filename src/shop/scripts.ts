// What the shop's pages run: what any merchant would write to use the element. Served as files of the shop's own, so
// that its strict policy needs no exception.

type Names = { readonly brand: string; readonly global: string };

const KEPT = `// a page that the browser kept, shown by its back button: it may be paid since, and the shop says how it stands
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload();
});
`;

/** The new generation: the form in a container, the token to the shop's server, then on. */
export function elementsScript({ brand, global }: Names): string {
  return `'use strict';
const config = JSON.parse(document.getElementById('config').textContent);
const notice = document.getElementById('notice');
const payment = new ${global}({
  publicapikey: config.public_key,
  locale: config.locale,
  environment: config.environment,
  tokentype: 'oneshot',
  paymentmethods: JSON.stringify(config.payment_methods),
  amount: config.amount,
  currency: config.currency,
  displayButtons: true,
  displayCardHolder: config.holder,
  displaySave: true,
  checkoutId: config.checkout_id,
  onSubmit: async ({ token, tokenType }) => {
    notice.textContent = '';
    // an answer that is lost says nothing of the payment: the result page finds out
    const { next, message } = await fetch(config.pay_url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token, token_type: tokenType, browser: ${global}.browserData() }),
    })
      .then((answer) => answer.json())
      .catch(() => ({ next: config.result_url }));
    await line();
    if (next) location.assign(next);
    else notice.textContent = message;
  },
});
document.addEventListener('${brand}-ready', () => document.documentElement.setAttribute('data-ready', ''));

// Without a connection the browser would show a page of its own, which says nothing of the payment and may stay.
async function line() {
  if (navigator.onLine) return;
  notice.textContent = 'No connection. Please keep this page open: it goes on by itself.';
  await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

${KEPT}`;
}

/** The old generation, as its integrations are written: the class is stripped, and an observer sends the form. */
export function pageInputsScript({ brand, global }: Names): string {
  return `'use strict';
const config = JSON.parse(document.getElementById('config').textContent);
new ${global}(config.public_key);
const form = document.getElementById('${brand}-payment-form');
for (const name of ['card_number', 'customer_scheme_name', 'token_type'])
  document.getElementById('${brand}-' + name).classList.remove('${brand}-class');
const save = document.getElementById('save');
save.addEventListener('change', () => {
  document.getElementById('${brand}-token_type').value = save.checked ? 'recurring' : 'oneshot';
});
new MutationObserver((changes) => {
  for (const change of changes)
    for (const node of change.addedNodes) if (node.id === '${brand}-token' && node.value) form.submit();
}).observe(form, { childList: true });

${KEPT}`;
}
