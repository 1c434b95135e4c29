// The page of the payer's bank: a person accepts or refuses the payment, and then returns to the page they came from.
import { authenticated } from '../api/confirm.ts';
import { type Reply, html } from '../../line.ts';
import type { Intent } from '../books.ts';
import { type Form, textIn } from '../form.ts';
import { catchUp } from '../../agenda.ts';
import type { World } from '../world.ts';
import { escapeHtml } from '../../../kit/http/page.ts';
import { moneyOf, page } from './layout.ts';

const simple = (title: string, text: string, status: number): Reply =>
  page(title, `<main class="narrow"><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`, status);

/** A page that is shown, or on which a button was pressed. */
type Visit = { readonly method: string; readonly id: string; readonly form: Form };

export function challenge(world: World, { method, id, form }: Visit): Reply {
  catchUp(world);
  const intent = world.books.intents.get(id);
  if (intent === undefined) return simple('No such payment', 'This address leads to no payment.', 404);
  if (method === 'GET' && intent.status === 'requires_action') return asked(intent);
  const outcome = textIn(form, 'outcome');
  if (outcome !== undefined) authenticated(world, intent, outcome === 'complete');
  const back = intent.return_url;
  return back === null
    ? simple('Done', 'You can close this page.', 200)
    : html(303, '', { location: returnTo(back, intent), 'cache-control': 'no-store' });
}

function asked(intent: Intent): Reply {
  const { amount, currency, method } = intent;
  const text = `Your bank asks: is this payment of ${moneyOf(amount, currency)} with the card that ends in ${method?.last4 ?? ''} yours?`;
  return page(
    '3-D Secure test page',
    `<main class="narrow">
<h1>3-D Secure test page</h1>
<p>${escapeHtml(text)}</p>
<form method="post">
<button class="main" name="outcome" value="complete">Complete authentication</button>
<button name="outcome" value="fail">Fail authentication</button>
</form>
<p class="soft">A simulated bank: no money moves.</p>
</main>`,
  );
}

/** The return address with the parameters that Stripe adds. */
function returnTo(back: string, intent: Intent): string {
  const url = new URL(back);
  url.searchParams.set('payment_intent', intent.id);
  url.searchParams.set('payment_intent_client_secret', `${intent.id}_secret_Simulated`);
  url.searchParams.set('redirect_status', intent.status === 'requires_payment_method' ? 'failed' : 'succeeded');
  return url.href;
}
