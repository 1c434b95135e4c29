// A route of the back office as data: who may use it, what it takes, what it does. Every one is for the session's own
// merchant account, and what changes something writes its audit record in the transaction of the change.
import { Readable } from 'node:stream';
import type { JsonObject } from '../core/json.ts';
import type { TwoPeopleAbove } from '../core/people/two-people.ts';
import { Refusal, type RefusalName, refuseProblems } from '../core/refusals.ts';
import { type Field, type Read, Reading, type Shape, readQuery, readShape } from '../core/shape.ts';
import { type TenantRunner, behindCommit, isCommitted } from '../kit/database.ts';
import { type Answer, type RawRequest, type Caller, type Route, canonicalJson } from '../kit/http/route.ts';
import type { Tools } from '../payment/tools.ts';
import { type Actor, type AuditEvent, writeAudit } from './audit/audit.ts';
import { mayRole, roleName } from './rights.ts';
import { type Principal, findPrincipal } from './session/principal.ts';
import type { AnswerOf, File, RouteName, SentTo } from './wire/routes.ts';
import type { Right } from './wire/session.ts';

export type BackofficeContext = {
  readonly tools: Tools;
  readonly brand: string;
  /** Above it an operation is ruled on by two people, who have been members for so many hours. */
  readonly two_people: { readonly above: TwoPeopleAbove; readonly member_hours: number };
  /** The host speaks https: cookies are for it alone. */
  readonly secure: boolean;
  /** Pays with test cards as the account's own merchant would; undefined: its keys are not known here. Sandbox only. */
  makeOrders?(merchant_account_id: string, count: number): Promise<number | undefined>;
};

type Tooled = Pick<BackofficeContext, 'tools'>;

export type BackofficeRequest<B = unknown, Q = unknown> = {
  readonly principal: Principal;
  readonly account_id: string;
  readonly db: TenantRunner;
  readonly body: B;
  readonly query: Q;
  /** The body as it was read, for what has a shape of its own. */
  readonly object: JsonObject;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly idempotency_key: string | undefined;
  readonly request_id: string;
  readonly client_ip: string;
  /** Hash input of a repeated request. */
  canonical(): string;
  /**
   * Writes an audit record of what this request does; `tx` is the transaction that does it. Once that is committed, no
   * error of a change says any more that nothing was accepted.
   */
  record(tx: TenantRunner, event: AuditEvent): Promise<void>;
  /** As `record`, of what comes before the change itself: without the change, nothing was accepted. */
  recordBefore(tx: TenantRunner, event: AuditEvent): Promise<void>;
};

/** `me`: any signed-in person, also before the second factor that production asks for is set up. */
type Allowed = Right | 'me';

/** Checks that each member which is sent to a route has a field in its shape, of a fitting type. */
type Takes<Sent> = { readonly [N in keyof Sent]-?: Field<Exclude<Sent[N], null | undefined>> };
/** An answer whose body is known. */
export type AnswerWith<A> = Omit<Answer, 'body'> & { readonly body: A };
/** An answer as it is, or with headers of its own. */
type Answered<A> = A extends File ? Answer : A | (AnswerWith<A> & { readonly headers: object });

type Description<R extends RouteName, B extends Shape, Q extends Shape, Own extends PropertyKey = never> = {
  readonly route: R;
  readonly right: Allowed;
  readonly body?: B & Takes<Omit<SentTo<R>, Own>>;
  /** Members of the body that the route reads itself, out of `object`. */
  readonly own?: readonly Own[];
  readonly query?: Q;
  /** Bytes of a body that is longer than others: the session is looked at before it is read. */
  readonly body_bytes?: number;
  handle(asked: BackofficeRequest<Read<B>, Read<Q>>): Promise<Answered<AnswerOf<R>>> | Answered<AnswerOf<R>>;
};

/** A route as the tests see it that go through all of them. */
export type BackofficeRoute = Route<Caller> & { readonly right: Allowed | 'open' };

export function backofficeRoute<
  R extends RouteName,
  B extends Shape,
  Q extends Shape,
  const Own extends PropertyKey = never,
>(context: BackofficeContext, d: Description<R, B, Q, Own>): BackofficeRoute {
  const { body_bytes: bytes } = d;
  const admit = async (headers: RawRequest<Caller>['headers']) => {
    await requirePrincipal(context, { headers }, d);
  };
  const large = bytes === undefined ? {} : { large: { bytes, admit } };
  const route = plainRoute(d, async (rawRequest) => {
    const principal = await requirePrincipal(context, rawRequest, d);
    const { body, query } = readAll<B, Q>(rawRequest, d);
    const account_id = principal.account.id;
    const actor: Actor = { actor: principal.person.email, source: rawRequest.client_ip };
    const { params, request_id, object, client_ip, path, idempotency_key } = rawRequest;
    const canonical = () => canonicalJson(object);
    const about = { params, request_id, client_ip, path, idempotency_key, canonical };
    const { db: all } = context.tools;
    const changes = !d.route.startsWith('GET ');
    const db = changes ? all.tenant(account_id) : all.reading(account_id);
    const recorded: TenantRunner[] = [];
    const recordBefore = (tx: TenantRunner, event: AuditEvent) => writeAudit(tx, actor, event);
    const record = (tx: TenantRunner, event: AuditEvent) => {
      recorded.push(tx);
      return recordBefore(tx, event);
    };
    const asked = { principal, account_id, db, body, query, object, record, recordBefore, ...about };
    try {
      const answer = answerOf(await d.handle(asked));
      const still = () => requireStill(context, rawRequest, { account_id, right: d.right });
      const { file } = answer;
      const kept =
        file instanceof Readable ? { ...answer, file: Readable.from(whileAllowed(context, file, still)) } : answer;
      return timed(context, kept);
    } catch (error) {
      throw changes && recorded.some(isCommitted) ? behindCommit(error) : error;
    }
  });
  return { ...route, ...large };
}

type OpenRequest<B> = {
  readonly body: B;
  readonly params: Readonly<Record<string, string>>;
  readonly rawRequest: RawRequest<Caller>;
};
type OpenDescription<R extends RouteName, B extends Shape> = Pick<Description<R, B, Shape>, 'route' | 'body'> & {
  handle(asked: OpenRequest<Read<B>>): Promise<AnswerWith<AnswerOf<R>>>;
};

/** A route that needs no session: signing in. */
export function openRoute<R extends RouteName, B extends Shape>(d: OpenDescription<R, B>): BackofficeRoute {
  return plainRoute({ ...d, right: 'open' }, async (rawRequest) => {
    if (!d.route.startsWith('GET ')) requireOwnPage(rawRequest);
    return d.handle({ body: readAll<B, Shape>(rawRequest, d).body, params: rawRequest.params, rawRequest });
  });
}

function plainRoute(
  { route, right }: { readonly route: RouteName; readonly right: Allowed | 'open' },
  run: Route<Caller>['run'],
): BackofficeRoute {
  const [method] = METHODS.filter((one) => route.startsWith(`${one} `));
  if (!method) throw new Error(`${route} names no method`);
  const path = `/api${route.slice(method.length + 1)}`;
  const words = `${method} ${path}`;
  return {
    method,
    path,
    right,
    aliases: [],
    operation_id: words,
    summary: words,
    run,
    tag: 'Back office',
    key: 'none',
    scope: undefined,
    body: undefined,
    query: undefined,
    answer: {},
    refusals: [],
    cross_origin: false,
    raw: false,
    headers: HEADERS,
  };
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;
const HEADERS = ['cookie', 'host', 'x-csrf-token', 'x-background', 'user-agent', 'sec-fetch-site'];

/** An object, or an answer with headers or a body of its own (a file that streams). */
function answerOf(given: object): Answer {
  return 'body' in given && 'headers' in given ? (given as Answer) : { body: given as Answer['body'] };
}

/**
 * Says what time it is for payments: a sandbox's clock may be days ahead, and a page tells "2 hours ago" by it. What is
 * about people (sessions, invitations) goes by the machine's clock, which is in the header `date` of every answer.
 */
export function timed<B>({ tools }: Tooled, answer: AnswerWith<B>): AnswerWith<B> {
  return { ...answer, headers: { ...answer.headers, 'x-now': tools.clock.now().toISOString() } };
}

function readAll<B extends Shape, Q extends Shape>(
  rawRequest: RawRequest<Caller>,
  { body, query }: { readonly body?: B; readonly query?: Q },
): { readonly body: Read<B>; readonly query: Read<Q> } {
  const reading = new Reading(rawRequest.production);
  const read_body = body ? readShape(body, rawRequest.object, { reading }) : {};
  const read_query = query ? readQuery(query, rawRequest.query_object, reading) : {};
  const refusal = refuseProblems(reading.problems);
  if (refusal) throw refusal;
  return { body: read_body as Read<B>, query: read_query as Read<Q> };
}

async function requirePrincipal(
  context: BackofficeContext,
  rawRequest: Pick<RawRequest<Caller>, 'headers'>,
  { route, right }: { readonly route: RouteName; readonly right: Allowed },
): Promise<Principal> {
  const principal = await findPrincipal(context, rawRequest);
  if (!principal) throw new Refusal('session_missing', { detail: 'sign in first' });
  if (!route.startsWith('GET ')) {
    requireOwnPage(rawRequest);
    if (rawRequest.headers['x-csrf-token'] !== principal.csrf)
      throw new Refusal('not_allowed', {
        detail: 'the header x-csrf-token is not that of this session and its account: load the page again',
      });
  }
  if (right === 'me') return principal;
  if (principal.must_enrol) throw new Refusal('not_allowed', { detail: 'set up the second factor first' });
  if (!mayRole(principal.account, right))
    throw new Refusal('not_allowed', { detail: `the role ${roleName(principal.account)} may not do this` });
  return principal;
}

const LOOKED_AT_MS = 1000;

/** A file streams while somebody reads it, which may be hours: each second it is asked whether they still may. */
async function* whileAllowed({ tools }: Tooled, file: Readable, still: () => Promise<void>): AsyncGenerator {
  let looked = tools.clock.ticks();
  for await (const part of file) {
    const now = tools.clock.ticks();
    if (now - looked > LOOKED_AT_MS) {
      await still();
      looked = now;
    }
    yield part;
  }
}

/** A session that was idle for too long has not been ended by anybody: whoever waits for a file does nothing else. */
async function requireStill(
  context: BackofficeContext,
  rawRequest: Pick<RawRequest<Caller>, 'headers'>,
  { account_id, right }: { readonly account_id: string; readonly right: Allowed },
): Promise<void> {
  const principal = await findPrincipal(context, rawRequest, true);
  const account = principal?.accounts.find(({ id }) => id === account_id);
  if (!account || (right !== 'me' && !mayRole(account, right)))
    throw new Error(
      'the file may not be taken out any more: its person has lost the session, the account or the right',
    );
}

/** The second line behind SameSite and the token: a change is asked for by a page of ours. */
function requireOwnPage({ headers }: Pick<RawRequest<Caller>, 'headers'>): void {
  const origin = URL.parse(headers['origin'] ?? '');
  const { host, 'sec-fetch-site': site } = headers;
  // the browser asked the page's own host: only something on the way has changed the name
  if (origin && origin.host !== host && site === 'same-origin')
    throw new Refusal('not_allowed', {
      detail: `the page is at ${origin.host}, and this host was asked as ${host}: the proxy between them must hand on the header host as it came`,
    });
  if (origin?.host !== host || (site !== undefined && site !== 'same-origin'))
    throw new Refusal('not_allowed', { detail: 'the request does not come from a page of the back office' });
}

export function unknown(what: string): Refusal {
  return new Refusal('object_unknown' satisfies RefusalName, { detail: `there is no such ${what}` });
}
