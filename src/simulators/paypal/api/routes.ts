// The simulated part of PayPal's API: which request does what.
import { type Dispute, find } from '../books.ts';
import { refusal } from '../errors.ts';
import type { World } from '../world.ts';
import { authorize, confirm, makeOrder, sell } from './orders.ts';
import { acceptClaim, provideEvidence } from './disputes.ts';
import { capture, refund, voidIt } from './payments.ts';
import type { Reply } from '../../line.ts';
import { json } from './reply.ts';
import { type Said, parse } from '../../said.ts';
import { authorizationView, captureAlone, disputeView, orderView, refundView } from './views.ts';

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly account: string;
  readonly text: string;
  readonly key: string | undefined;
};

type Asked = {
  readonly world: World;
  readonly account: string;
  readonly id: string;
  readonly said: Said;
  /** The body as it was received. */
  readonly text: string;
};
type Route = {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  readonly run: (asked: Asked) => object;
};

function route(named: string, status: number, run: Route['run']): Route {
  const [method = '', path = ''] = named.split(' ');
  return { method, path: new RegExp(`^${path.replace('{id}', '([A-Z0-9-]+)')}$`), status, run };
}

const ORDER = '/v2/checkout/orders/{id}';
const AUTHORIZATION = '/v2/payments/authorizations/{id}';
const CAPTURE = '/v2/payments/captures/{id}';
const DISPUTE = '/v1/customer/disputes/{id}';

const ROUTES: readonly Route[] = [
  route('POST /v2/checkout/orders', 201, ({ world, account, said }) =>
    orderView(world, makeOrder(world, account, said)),
  ),
  route(`GET ${ORDER}`, 200, (asked) => orderView(asked.world, orderOf(asked))),
  route(`POST ${ORDER}/confirm-payment-source`, 200, (asked) => onOrder(asked, confirm)),
  route(`POST ${ORDER}/authorize`, 201, (asked) => onOrder(asked, authorize)),
  route(`POST ${ORDER}/capture`, 201, (asked) => onOrder(asked, sell)),
  route(`GET ${AUTHORIZATION}`, 200, (asked) => authorizationView(asked.world, authorizationOf(asked))),
  route(`POST ${AUTHORIZATION}/capture`, 201, (asked) =>
    captureAlone(asked.world, capture(asked.world, authorizationOf(asked), asked.said)),
  ),
  route(`POST ${AUTHORIZATION}/void`, 200, (asked) =>
    authorizationView(asked.world, voidIt(asked.world, authorizationOf(asked))),
  ),
  route(`GET ${CAPTURE}`, 200, (asked) => captureAlone(asked.world, captureOf(asked))),
  route(`POST ${CAPTURE}/refund`, 201, (asked) =>
    refundView(asked.world, refund(asked.world, captureOf(asked), asked.said)),
  ),
  route('GET /v2/payments/refunds/{id}', 200, ({ world, account, id }) =>
    refundView(world, find(world.books.refunds, id, account)),
  ),
  route(`GET ${DISPUTE}`, 200, (asked) => disputeView(asked.world, disputeOf(asked))),
  route(`POST ${DISPUTE}/provide-evidence`, 200, (asked) =>
    onDispute(asked, (dispute) => provideEvidence(asked.world, dispute, asked.text)),
  ),
  route(`POST ${DISPUTE}/accept-claim`, 200, (asked) =>
    onDispute(asked, (dispute) => acceptClaim(asked.world, dispute, asked.said)),
  ),
];

const IS_FORM = /\/provide-evidence$/;

export function perform(world: World, { method, path, account, text }: Call): Reply {
  const said = IS_FORM.test(path) ? {} : parse(text || '{}');
  if (said === undefined) throw refusal(400, 'MALFORMED_REQUEST_JSON');
  for (const row of ROUTES) {
    const match = row.method === method ? row.path.exec(path) : null;
    if (match) return json(row.status, row.run({ world, account, said, text, id: match[1] ?? '' }));
  }
  throw refusal(404, 'INVALID_RESOURCE_ID');
}

const orderOf = ({ world, id, account }: Asked) => find(world.books.orders, id, account);
const authorizationOf = ({ world, id, account }: Asked) => find(world.books.authorizations, id, account);
const captureOf = ({ world, id, account }: Asked) => find(world.books.captures, id, account);

const disputeOf = ({ world, id, account }: Asked) => find(world.books.disputes, id, account);

/** The answer links to the dispute and shows none of its data. */
function onDispute(asked: Asked, change: (dispute: Dispute) => void): object {
  const dispute = disputeOf(asked);
  change(dispute);
  const href = `${asked.world.url()}/v1/customer/disputes/${dispute.id}`;
  return { links: [{ href, rel: 'self', method: 'GET' }] };
}

function onOrder(asked: Asked, change: (world: World, order: ReturnType<typeof orderOf>, said: Said) => void): object {
  const order = orderOf(asked);
  change(asked.world, order, asked.said);
  order.updated_ms = asked.world.now_ms();
  return orderView(asked.world, order);
}
