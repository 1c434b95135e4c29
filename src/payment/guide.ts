// The words of the reference page: what a developer reads before the first request, and what holds for all of them.
import { PROBLEM_PAGES, REFUSALS, Refusal, problemBody } from '../core/refusals.ts';
import { result } from '../core/results.ts';
import { escapeHtml } from '../kit/http/page.ts';
import { type Section, figure, json } from '../kit/http/reference/page.ts';

type Hosts = { readonly base_url: string; readonly vault_url: string };

export function lead(version: string, { base_url, vault_url }: Hosts): string {
  return `<p>A payment takes three requests: your server creates a checkout, the payer's card becomes a token at the vault, and your server pays with the token. Card numbers never reach the payment API.</p>
<table><tbody>
<tr><th scope="row">Payment API</th><td><code>${escapeHtml(base_url)}</code></td></tr>
<tr><th scope="row">Vault</th><td><code>${escapeHtml(vault_url)}</code></td></tr>
<tr><th scope="row">Contract</th><td>2.3.0, Florin ${escapeHtml(version)}, <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1)</td></tr>
</tbody></table>`;
}

export function guide({ base_url }: Hosts): readonly Section[] {
  return [
    { id: 'first-payment', title: 'A first payment', html: FIRST_PAYMENT },
    { id: 'keys', title: 'Keys', html: KEYS },
    { id: 'rules', title: 'Rules for every request', html: RULES },
    { id: 'errors', title: 'Errors', html: errors(base_url) },
    { id: 'notifications', title: 'Notifications', html: NOTIFICATIONS },
  ];
}

const FIRST_PAYMENT = `<ol>
<li><a href="#createCheckout">Create a checkout</a> with your private key. Keep <code>checkout.checkout_id</code>.</li>
<li><a href="#tokenizeCard">Turn the card into a token</a> at the vault. The number in the example is approved in a sandbox. Keep <code>token</code>.</li>
<li><a href="#createOrder">Pay</a>: create an order with <code>checkout_id</code> and <code>token</code>. With <code>authorize</code> the answer is <code>${result('authorization_pending').code}</code> at once; send <code>Prefer: wait=10</code> to wait for the outcome.</li>
<li><a href="#readOrder">Read the order</a>: <code>${result('authorization_successful').code}</code> means the amount is held.</li>
</ol>`;

const KEYS = `<p>Send a key in the header <code>x-api-key</code>. The keys of the demo account are printed when a sandbox starts.</p>
<table><thead><tr><th scope="col">Key</th><th scope="col">Use</th></tr></thead><tbody>
<tr><th scope="row">private, <code>…_PR_…</code></th><td>On your server only. May call every route.</td></tr>
<tr><th scope="row">public, <code>…_PUB_…</code></th><td>May be seen by payers. May call the vault's <code>POST /token</code> only.</td></tr>
</tbody></table>`;

const NOTIFICATIONS = `<p><a href="#createEndpoint">Name an address</a> of your server, and keep the secret of the answer: it is shown once. What happens to an order is sent there as JSON.</p>
<ol>
<li>Check <code>webhook-signature</code> with any library of Standard Webhooks, over the bytes as they came, and refuse timestamps more than 300 seconds off.</li>
<li>Answer 2xx as soon as you have stored it. Everything else, and silence for 15 seconds, is tried again, ten times in 75.6 hours.</li>
<li>The same <code>webhook-id</code> may come twice. <code>sequence</code> counts the events of an order without a gap; <code>previous_sequence</code> names the last one meant for you.</li>
<li>The body says how the order stood at its event. <a href="#readOrder">Read the order</a> for how it stands now.</li>
<li><code>token</code> is always empty, in reads of orders too: a token that can pay again is kept sealed. The saved cards of a customer have theirs: <code>payment_methods_saved</code>.</li>
</ol>
<p>While you develop, <code>florin listen --to http://127.0.0.1:3000/florin</code> hands them on to your machine.</p>`;

const RULES = `<table><tbody>
<tr><th scope="row">Amounts</th><td>Major units, as a JSON number or as text: <code>11.3</code>, <code>"11.30"</code>. The text is read exactly. More decimals than the currency has are refused.</td></tr>
<tr><th scope="row">Absent</th><td><code>null</code> and <code>""</code> count as absent, for every field of a request.</td></tr>
<tr><th scope="row">Unknown fields</th><td>Ignored and never stored. Their names come back in the header <code>x-ignored-fields</code>.</td></tr>
<tr><th scope="row">Once only</th><td>Send an <code>Idempotency-Key</code> of your choice: repeats of the same request have one effect and the same answer. A one-shot token makes one order with or without it.</td></tr>
<tr><th scope="row">Waiting</th><td><code>Prefer: wait=N</code>, 1 to 25 seconds, waits for the outcome; <code>respond-async</code> does not wait. No answer takes longer than 28 seconds.</td></tr>
<tr><th scope="row">Decisions</th><td>Every order that was understood is HTTP 200, a declined one too. Read <code>result.code</code>, and compare it as a text.</td></tr>
<tr><th scope="row">Support</th><td>Every answer carries <code>x-request-id</code>.</td></tr>
<tr><th scope="row">Growth</th><td>Answers may gain members and codes: ignore what you do not know.</td></tr>
</tbody></table>`;

function errors(base_url: string): string {
  const example = problemBody(
    new Refusal('parameter_missing', {
      problems: [
        { field: 'type', refusal: 'parameter_missing', message: 'is required' },
        { field: 'amount', refusal: 'parameter_invalid', message: 'has more decimals than the currency allows' },
      ],
    }),
    base_url,
    '66bf18a35d1c9a0e47b2f2ff',
  );
  const rows = Object.entries(PROBLEM_PAGES).map(([slug, title]) => {
    const statuses = Object.values(REFUSALS).filter((refusal) => refusal.slug === slug);
    const status = [...new Set(statuses.map((refusal) => refusal.status))].join(', ');
    return `<tr><th scope="row">${status}</th><td><a href="/problems/${slug}">${slug}</a></td><td>${escapeHtml(title)}</td></tr>`;
  });
  return `<p>Every status of 400 and above is <code>application/problem+json</code>. All problems of the fields are named at once; <code>result.code</code> is the code of the first. Messages never repeat what you sent.</p>
<div class="pair"><div><table><thead><tr><th scope="col">HTTP</th><th scope="col">Problem</th><th scope="col">Meaning</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></div><div class="examples">${figure('An error, HTTP 400', json(example))}</div></div>`;
}
