// The advice of an experienced integrator about the last requests of an account: each rule is a pure function of what
// was seen.
import { type ResultName, result } from '../../core/results.ts';
import { type Seen, type SeenRequest, isJson } from './seen.ts';

export type Severity = 'error' | 'warning' | 'advice';

type Rule = {
  readonly name: string;
  readonly severity: Severity;
  /** The mistake and what to do about it, in a sentence or two. */
  readonly says: string;
  /** The place in the guides that tells more. */
  readonly guide: string;
  /** The requests that show it, the newest last; empty: nothing to say. `more`: what is seen in them. */
  find(seen: Seen): { readonly requests: readonly SeenRequest[]; readonly times?: number; readonly more?: string };
};

const NONE = { requests: [] };
const SECOND_MS = 1000;
/** A shop that shows its payer the result does so within this time. */
const TOLD_WITHIN_MS = 60 * SECOND_MS;
const LATE_MS = 5 * SECOND_MS;
/** Reads of one order, each within a second of the one before. */
const POLLS = 5;
/** Tries of an endpoint that failed one after the other. */
const FAILURES = 3;

const codeOf = (name: ResultName) => result(name).code;
const isOrder = ({ method, path }: SeenRequest) =>
  (method === 'POST' && (path === '/payment/order' || path === '/order/create')) ||
  (method === 'PUT' && path === '/payment/order/:order_id');
const isMoney = (request: SeenRequest) => isOrder(request) || request.path.startsWith('/payment/maintenance/');
const isRead = ({ method, path }: SeenRequest) => method === 'GET' && path.startsWith('/payment/order');
const isTaken = ({ status }: SeenRequest) => status !== null && status < 300;
const given = (value: unknown) => value !== undefined && value !== null && value !== '';

export const RULES: readonly Rule[] = [
  {
    name: 'no Idempotency-Key',
    severity: 'error',
    says: 'No request that moves money carried an Idempotency-Key. When an answer is lost, a repetition must not pay twice: send a key of your own with every order, capture, refund and cancel, and the same one again when you repeat it.',
    guide: 'results',
    find: ({ requests }) => {
      const moving = requests.filter(isMoney);
      return moving.some(({ headers }) => given(headers['idempotency-key'])) ? NONE : { requests: moving };
    },
  },
  {
    name: 'pending taken for failure',
    severity: 'error',
    says: 'An order was answered as pending, and the shop did not find out how it ended: it did not read the order, and took no notification of it. Pending is no failure: the payer may have paid. Read the order until it is decided, or wait for its notification.',
    guide: 'results',
    find: (seen) => ({ requests: seen.requests.filter((request) => isForgotten(request, seen)) }),
  },
  {
    name: 'ignored fields',
    severity: 'warning',
    says: 'Fields were sent that are not known at that place, and they were ignored. A mistyped name is lost in silence: look at the answer header x-ignored-fields.',
    guide: 'quick-start',
    find: ({ requests }) => {
      const ignoring = requests.filter(({ headers }) => given(headers['x-ignored-fields']));
      const names = ignoring.flatMap(({ headers }) => String(headers['x-ignored-fields']).split(', '));
      return { requests: ignoring, more: [...new Set(names)].slice(0, 10).join(', ') };
    },
  },
  {
    name: 'no notification endpoint',
    severity: 'warning',
    says: 'Orders are made, and no endpoint gets their notifications. If a payer pays and closes the page, only a notification tells the shop: register an endpoint.',
    guide: 'notifications',
    find: ({ requests, endpoints }) =>
      endpoints.some(({ on }) => on) ? NONE : { requests: requests.filter((one) => isOrder(one) && isTaken(one)) },
  },
  {
    name: 'endpoint that fails',
    severity: 'error',
    says: 'The last tries at a notification endpoint failed one after the other. It must answer 2xx within 15 seconds; until it does, the later notifications of each order wait.',
    guide: 'notifications',
    find: ({ notifications, endpoints }) => ({
      requests: endpoints.flatMap(({ id, on }) => {
        const last = notifications.filter(({ headers }) => headers['endpoint_id'] === id).slice(-FAILURES);
        return on && last.length === FAILURES && !last.some(isTaken) ? last : [];
      }),
    }),
  },
  {
    name: 'late acknowledgements',
    severity: 'warning',
    says: 'Notifications were acknowledged only after five seconds or more, or not in time. Store the notification, answer 2xx at once, and do the work behind the answer: who works first is sent it again.',
    guide: 'notifications',
    find: ({ notifications }) => ({ requests: notifications.filter(({ duration_ms }) => duration_ms >= LATE_MS) }),
  },
  {
    name: 'signature not checked',
    severity: 'error',
    says: 'An endpoint answered 2xx to a notification with a broken signature: anyone who knows its address can say that an order is paid. Check the signature over the bytes as they came, before anything else, and answer 400 where it is wrong.',
    guide: 'notifications',
    find: ({ took_forged }) => ({ requests: [], times: took_forged.length, more: took_forged.join(', ') }),
  },
  {
    name: 'private key in a browser',
    severity: 'error',
    says: 'A browser brought a private key: it stands in a page, where anybody can read it and refund or pay with it. Roll the key, keep it on your server, and use the public key in pages.',
    guide: 'security',
    find: ({ requests, keys_in_page }) => {
      const found = requests.filter(
        ({ headers }) => given(headers['origin']) || /Mozilla\//.test(String(headers['user-agent'])),
      );
      const more = keys_in_page.length === 0 ? '' : `key ${keys_in_page.join(', ')}`;
      return { requests: found, times: Math.max(found.length, keys_in_page.length), more };
    },
  },
  {
    name: 'amounts as floating-point numbers',
    severity: 'warning',
    says: 'Amounts were sent as JSON numbers with a fraction. A program that calculates with them sends 11.299999999999999 one day, which is refused: send decimal text, such as "11.30".',
    guide: 'quick-start',
    find: ({ requests }) => ({ requests: requests.filter(({ body }) => hasFraction(body)) }),
  },
  {
    name: 'no return addresses',
    severity: 'warning',
    says: 'The payer was sent to a page of ours or of the bank, and no accept_url or decline_url says where to come back to. Give both, with the order or with its checkout.',
    guide: 'hosted-page',
    find: ({ requests }) => ({
      requests: requests.filter(({ method, answer }) => {
        // the answer repeats what holds: the order's own addresses, or those of its checkout
        const about = isJson(answer['checkout']) ? answer['checkout'] : answer;
        return (
          method !== 'GET' &&
          given(answer['redirect_url']) &&
          !(given(about['accept_url']) && given(about['decline_url']))
        );
      }),
    }),
  },
  {
    name: 'token used again',
    severity: 'error',
    says: 'Orders were refused because their token was used, expired or not theirs. A one-shot token makes one order: ask for a new one for each try, and save a card with token_type recurring.',
    guide: 'saved-cards',
    find: ({ requests }) => ({
      requests: requests.filter((one) => isOrder(one) && one.code === codeOf('token_unusable')),
    }),
  },
  {
    name: 'polling too fast',
    severity: 'advice',
    says: 'One order was read again and again within a second. Ask the payment itself to wait (Prefer: wait=10), read once a second at the most, and let notifications tell the rest.',
    guide: 'results',
    find: ({ requests }) => {
      const orders = Map.groupBy(
        requests.filter((one) => isRead(one) && one.order_id !== null),
        (one) => one.order_id,
      );
      return { requests: [...orders.values()].flatMap(quickReads) };
    },
  },
];

const PENDING: readonly ResultName[] = ['authorization_pending', 'capture_pending', 'refund_pending', 'cancel_pending'];

/** Pending for longer than a payer waits, and the shop has not looked since. */
function isForgotten(request: SeenRequest, { requests, notifications, now }: Seen): boolean {
  if (!isMoney(request) || !PENDING.some((name) => codeOf(name) === request.code)) return false;
  // the payer has to act first: the page leads back
  if (given(request.answer['redirect_url'])) return false;
  if (now.getTime() - request.at.getTime() < TOLD_WITHIN_MS) return false;
  const later = (one: SeenRequest) => one.order_id === request.order_id && one.at > request.at && isTaken(one);
  return !requests.some(later) && !notifications.some(later);
}

/** A number that is not whole, under a name of money, at any depth. */
function hasFraction(value: unknown, name = ''): boolean {
  if (typeof value === 'number') return /amount|price/.test(name) && !Number.isInteger(value);
  if (Array.isArray(value)) return value.some((item) => hasFraction(item, name));
  return isJson(value) && Object.entries(value).some(([member, inside]) => hasFraction(inside, member));
}

function quickReads(reads: readonly SeenRequest[]): readonly SeenRequest[] {
  let run: SeenRequest[] = [];
  for (const read of reads) {
    const last = run.at(-1);
    if (last && read.at.getTime() - last.at.getTime() >= SECOND_MS) run = [];
    run.push(read);
    if (run.length >= POLLS) return run;
  }
  return [];
}

export type Finding = Pick<Rule, 'name' | 'severity' | 'says'> & {
  /** How many requests show it. */
  readonly times: number;
  readonly more: string;
  /** The newest request that shows it; null: none of those that are kept. */
  readonly example: string | null;
  /** Path of the page in the guide. */
  readonly guide: string;
};

const RANKS: readonly Severity[] = ['error', 'warning', 'advice'];

/** The findings, the worst first; empty: none. */
export function findingsOf(seen: Seen): readonly Finding[] {
  const findings = RULES.flatMap(({ name, severity, says, guide, find }) => {
    const { requests, times = requests.length, more = '' } = find(seen);
    const example = requests.at(-1)?.id ?? null;
    return times === 0 ? [] : [{ name, severity, says, times, more, example, guide: `/docs/guides/${guide}` }];
  });
  return findings.toSorted((a, b) => RANKS.indexOf(a.severity) - RANKS.indexOf(b.severity));
}
