// The simulated part of Stripe's API: which request does what, and which parameters it knows.
import { type Dispute, type Intent, find, newestFirst } from '../books.ts';
import { Refusal } from '../errors.ts';
import { type Form, listIn, only, required, textIn } from '../form.ts';
import {
  chargeView,
  customerView,
  disputeView,
  fileView,
  intentView,
  listView,
  methodView,
  refundView,
} from '../views.ts';
import type { World } from '../world.ts';
import { confirm } from './confirm.ts';
import { changeDispute, closeDispute, makeFile } from './disputes.ts';
import { cancel, capture, changeIntent, makeIntent } from './intents.ts';
import { makeCustomer, makeMethod } from './methods.ts';
import { makeRefund } from './refunds.ts';

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly account: string;
  /** The parameters: those of the query for a GET, else those of the body. */
  readonly form: Form;
  readonly text: string;
  readonly key: string | undefined;
};

type Asked = Pick<Call, 'account' | 'form' | 'text'> & { readonly world: World; readonly id: string };
type Route = {
  readonly method: string;
  readonly path: RegExp;
  readonly knows: readonly string[];
  readonly run: (asked: Asked) => object;
};

const ANY = ['expand[]', 'metadata[]'];
const LIST = ['expand[]', 'limit', 'starting_after', 'ending_before'];
const CARD_OPTIONS = ['moto', 'network', 'request_three_d_secure', 'setup_future_usage'].map(
  (name) => `payment_method_options[card][${name}]`,
);
const CONFIRMING = ['payment_method', 'return_url', 'off_session', 'setup_future_usage', ...CARD_OPTIONS];
const NAMES_OF_CARD = ['number', 'exp_month', 'exp_year', 'cvc'].map((name) => `card[${name}]`);

const EVIDENCE = [
  'access_activity_log billing_address cancellation_policy cancellation_policy_disclosure cancellation_rebuttal',
  'customer_communication customer_email_address customer_name customer_purchase_ip customer_signature',
  'duplicate_charge_documentation duplicate_charge_explanation duplicate_charge_id product_description receipt',
  'refund_policy refund_policy_disclosure refund_refusal_explanation service_date service_documentation',
  'shipping_address shipping_carrier shipping_date shipping_documentation shipping_tracking_number',
  'uncategorized_file uncategorized_text',
]
  .flatMap((line) => line.split(' '))
  .map((name) => `evidence[${name}]`);

function route(named: string, knows: readonly string[], run: Route['run']): Route {
  const [method = '', path = ''] = named.split(' ');
  return { method, path: new RegExp(`^${path.replace('{id}', '([A-Za-z0-9_]+)')}$`), knows, run };
}

const INTENT = '/v1/payment_intents/{id}';
const ROUTES: readonly Route[] = [
  route(
    'POST /v1/payment_intents',
    [...ANY, ...CONFIRMING, 'amount', 'currency', 'capture_method', 'payment_method_types[]', 'customer', 'confirm'],
    ({ world, account, form }) => shown(world, makeIntent(world, account, form), form),
  ),
  route('GET /v1/payment_intents', [...LIST, 'customer'], ({ world, account, form }) =>
    listed({ url: '/v1/payment_intents', all: newestFirst(world.books.intents, account) }, form, (one) =>
      shown(world, one, form),
    ),
  ),
  route(`GET ${INTENT}`, ['expand[]', 'client_secret'], (asked) => shown(asked.world, intentOf(asked), asked.form)),
  route(`POST ${INTENT}`, [...ANY, 'payment_method', 'customer', ...CARD_OPTIONS], (asked) => on(asked, changeIntent)),
  route(`POST ${INTENT}/confirm`, ['expand[]', ...CONFIRMING], (asked) => on(asked, confirm)),
  route(`POST ${INTENT}/capture`, [...ANY, 'amount_to_capture'], (asked) => on(asked, capture)),
  route(`POST ${INTENT}/cancel`, ['expand[]', 'cancellation_reason'], (asked) => on(asked, cancel)),
  route(
    'POST /v1/payment_methods',
    [...ANY, 'type', 'billing_details[name]', 'billing_details[email]', ...NAMES_OF_CARD],
    ({ world, account, form }) => methodView(makeMethod(world, account, form)),
  ),
  route('GET /v1/payment_methods', [...LIST, 'customer', 'type'], ({ world, account, form }) => {
    const customer = textIn(form, 'customer');
    const all = newestFirst(world.books.methods, account).filter((one) => one.customer === (customer ?? one.customer));
    return listed({ url: '/v1/payment_methods', all }, form, methodView);
  }),
  route('GET /v1/payment_methods/{id}', ['expand[]'], (asked) => methodView(methodOf(asked))),
  route('POST /v1/payment_methods/{id}/attach', ['expand[]', 'customer'], (asked) => {
    const method = methodOf(asked);
    const named = { account: asked.account, what: 'customer', param: 'customer' };
    method.customer = find(asked.world.books.customers, required(asked.form, 'customer'), named).id;
    return methodView(method);
  }),
  route('POST /v1/payment_methods/{id}/detach', ['expand[]'], (asked) => {
    const method = methodOf(asked);
    method.customer = null;
    return methodView(method);
  }),
  route('POST /v1/refunds', [...ANY, 'payment_intent', 'charge', 'amount', 'reason'], ({ world, account, form }) =>
    refundView(makeRefund(world, account, form)),
  ),
  route('GET /v1/refunds', [...LIST, 'payment_intent', 'charge'], ({ world, account, form }) => {
    const id = textIn(form, 'payment_intent');
    const named = { account, what: 'payment_intent', param: 'in_path' };
    if (id !== undefined) find(world.books.intents, id, named);
    const all = newestFirst(world.books.refunds, account).filter(
      ({ charge }) => charge.intent.id === (id ?? charge.intent.id),
    );
    return listed({ url: '/v1/refunds', all }, form, refundView);
  }),
  route('GET /v1/refunds/{id}', ['expand[]'], ({ world, account, id }) =>
    refundView(find(world.books.refunds, id, { account, what: 'refund', param: 'in_path' })),
  ),
  route('GET /v1/charges/{id}', ['expand[]'], ({ world, account, id }) =>
    chargeView(find(world.books.charges, id, { account, what: 'charge', param: 'in_path' })),
  ),
  route('POST /v1/customers', [...ANY, 'email', 'name'], ({ world, account, form }) =>
    customerView(makeCustomer(world, account, form)),
  ),
  route('GET /v1/customers/{id}', ['expand[]'], ({ world, account, id }) =>
    customerView(find(world.books.customers, id, { account, what: 'customer', param: 'in_path' })),
  ),
  route('POST /v1/files', [], ({ world, account, text }) => fileView(makeFile(world, account, text))),
  route('GET /v1/disputes/{id}', ['expand[]'], (asked) => disputeView(disputeOf(asked))),
  route('POST /v1/disputes/{id}', [...ANY, 'submit', ...EVIDENCE], (asked) => {
    const dispute = disputeOf(asked);
    changeDispute(asked.world, dispute, asked.form);
    return disputeView(dispute);
  }),
  route('POST /v1/disputes/{id}/close', ['expand[]'], (asked) => {
    const dispute = disputeOf(asked);
    closeDispute(asked.world, dispute);
    return disputeView(dispute);
  }),
  route('GET /v1/events', [...LIST, 'type'], ({ world, account, form }) =>
    listed(
      { url: '/v1/events', all: newestFirst(world.books.events, account) },
      form,
      ({ text }) => JSON.parse(text) as object,
    ),
  ),
];

export function perform(world: World, { method, path, account, form, text }: Call): object {
  for (const row of ROUTES) {
    const match = row.method === method ? row.path.exec(path) : null;
    if (match) {
      only(form, row.knows);
      return row.run({ world, account, form, text, id: match[1] ?? '' });
    }
  }
  const message = `Unrecognized request URL (${method}: ${path}).`;
  throw new Refusal(404, { message, type: 'invalid_request_error' });
}

const methodOf = ({ world, account, id }: Asked) =>
  find(world.books.methods, id, { account, what: 'PaymentMethod', param: 'in_path' });

const disputeOf = ({ world, account, id }: Asked): Dispute =>
  find(world.books.disputes, id, { account, what: 'dispute', param: 'in_path' });

const intentOf = ({ world, account, id }: Asked): Intent =>
  find(world.books.intents, id, { account, what: 'payment_intent', param: 'in_path' });

function on(asked: Asked, change: (world: World, intent: Intent, form: Form) => void): object {
  const intent = intentOf(asked);
  change(asked.world, intent, asked.form);
  return shown(asked.world, intent, asked.form);
}

const shown = (world: World, intent: Intent, form: Form) =>
  intentView(
    intent,
    world.pages_url(),
    listIn(form, 'expand').some((name) => name.endsWith('latest_charge')),
  );

type Shelf<T> = { readonly url: string; readonly all: readonly T[] };

function listed<T extends { readonly id: string }>(
  { url, all }: Shelf<T>,
  form: Form,
  view: (item: T) => object,
): object {
  const after = textIn(form, 'starting_after');
  const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  const most = Math.min(100, Math.max(1, Number(textIn(form, 'limit') ?? '10')));
  return listView(url, all.slice(from, from + most).map(view), all.length > from + most);
}
