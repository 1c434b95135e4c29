// The door of a host: what the contract's section 2 asks of every request, in its order: route, method, rate, key,
// content type, size, JSON, headers, fields; and every error as application/problem+json.
import { clientIp } from './callers/proxies.ts';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { REFUSALS, Refusal, problemBody, refuseProblems } from '../../core/refusals.ts';
import { bringsBody, discardBody, readBody } from './body/read.ts';
import { KeyGate } from './key-gate.ts';
import {
  NEWEST_VERSION,
  headerProblems,
  ignoredFields,
  isJsonType,
  isPacked,
  readPrefer,
  readVersion,
} from './headers.ts';
import type { HostOptions } from './host.ts';
import { LIMITS, within } from './limits.ts';
import { type Signpost, nearestOfMethod, nearestRoutes } from './front/nearest.ts';
import { whenOver, workFor } from './front/over.ts';
import { EMPTY, NO_BODY, endsEmpty, header, paramsOf, queryOf, readObject, shownHeaders } from './front/parts.ts';
import { jsonOf } from './front/json.ts';
import { nameRefusals } from './front/named.ts';
import { STOPPING, readyAnswer } from './front/ready.ts';
import { tellOf } from './front/told.ts';
import { NOT_HTTP, OUTCOME_UNKNOWN, ROUTE_UNKNOWN, TOO_MANY_HEADERS, idMissing, toRefusal } from './front/refusal.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Caller, RawRequest, Route } from './route.ts';

type RequestContext<C> = {
  readonly request_id: string;
  readonly client_ip: string;
  caller?: C;
  /** Gives back what is counted as running for its key; may be called more than once. */
  leave?: () => void;
  object?: JsonObject;
};

const CROSS_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'x-request-id, version' };
const PREFLIGHT = {
  ...CROSS_ORIGIN,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, x-api-key, version, accept, idempotency-key',
  'access-control-max-age': '86400',
};

export class HostFront<C extends Caller> {
  private readonly app: FastifyInstance;
  private readonly options: HostOptions<C>;
  private readonly gate: KeyGate<C>;
  private readonly bodyCame: () => void;
  /** The known routes, for hints after an unknown one; built at the first unknown route. */
  private posts: readonly Signpost[] | undefined;
  /** The host is stopping: it is not ready any more, and the answers that it still sends close their connections. */
  private leaving = false;
  private readonly contexts = new WeakMap<FastifyRequest, RequestContext<C>>();
  private readonly refuseName: ReturnType<typeof nameRefusals>;

  /** `bodyCame`: called for every request that may have brought a body. */
  constructor(app: FastifyInstance, options: HostOptions<C>, bodyCame: () => void) {
    this.app = app;
    this.bodyCame = bodyCame;
    this.options = options;
    this.refuseName = nameRefusals(options);
    this.gate = new KeyGate({
      limits: options.limits,
      counts: options.counts,
      clock: options.clock,
      identify: (digest) => options.identify(digest),
      suspect: (ip) => options.suspect?.(ip),
      inPage: (digest, account) => options.inPage?.(digest, account),
    });
  }

  open(): void {
    const { app } = this;
    app.removeAllContentTypeParsers();
    // read in `serve`: Fastify's own readers copy a body into memory that is never overwritten
    app.addContentTypeParser('*', (_request, _payload, done) => done(null));
    app.addHook('onRequest', (request, reply, done) => {
      this.arrive(request, reply);
      const many = request.raw.rawHeaders.length > 2 * LIMITS.headers;
      const misnamed = many ? undefined : this.refuseName(request);
      const unknown = misnamed === 'misplaced' || (!misnamed && request.is404);
      done(many ? TOO_MANY_HEADERS : unknown ? this.unknownRoute(request) : misnamed);
    });
    app.setErrorHandler((error: FastifyError, request, reply) => this.refuse(error, request, reply));
    app.setNotFoundHandler((request, reply) => this.refuse(this.unknownRoute(request), request, reply));
    for (const route of this.options.routes) for (const path of [route.path, ...route.aliases]) this.add(route, path);
    // a method that no host knows is refused as another one is: routes for each of Node's would be thousands
    app.server.prependListener('request', (request) => {
      if (!METHODS.includes(request.method ?? '')) request.method = UNUSED;
    });
    this.addMethods();
    app.get('/health', () => ({ status: 'up' }));
    app.get('/ready', async (_, reply) => {
      const parts = this.leaving ? STOPPING : await this.options.ready();
      const { status, body } = readyAnswer(parts, this.options.notes?.());
      return reply.code(status).send(body);
    });
  }

  leave(): void {
    this.leaving = true;
  }

  /** A path that cannot be decoded, or with an id longer than any: met before a route and every hook. */
  lost(request: FastifyRequest, reply: FastifyReply): void {
    this.arrive(request, reply);
    this.refuse(this.unknownRoute(request), request, reply);
  }

  private arrive(request: FastifyRequest, reply: FastifyReply): void {
    if (request.method !== 'GET') this.bodyCame();
    if (this.options.tls) reply.header('strict-transport-security', HSTS);
    const context = { request_id: this.options.chance.id(), client_ip: clientIp(request) };
    this.contexts.set(request, context);
    reply.headers({
      'x-request-id': context.request_id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }

  private unknownRoute({ method, url }: FastifyRequest): Refusal {
    const meant = nearestRoutes(method, url, this.signposts());
    return meant === undefined
      ? ROUTE_UNKNOWN
      : new Refusal('route_unknown', { detail: `there is no such route; did you mean ${meant}?` });
  }

  private signposts(): readonly Signpost[] {
    const own = () =>
      this.options.routes.flatMap(({ method, path, aliases }) =>
        [path, ...aliases].map((one) => ({ method, path: one })),
      );
    this.posts ??= [...own(), ...(this.options.elsewhere?.() ?? [])];
    return this.posts;
  }

  private add(route: Route<C>, path: string): void {
    this.app.route({
      method: route.method,
      url: path,
      onRequest: async (request, reply) => this.enter(route, request, reply),
      handler: (request, reply) => workFor(request.raw, () => this.serve(route, request, reply)),
    });
  }

  /** The page that asks, unless it is one of ours: in a sandbox those at /docs send what a reader types. */
  private foreignOrigin(request: FastifyRequest): string | undefined {
    const origin = header(request, 'origin');
    const own = origin !== undefined && URL.parse(origin)?.host === header(request, 'host');
    return own && !this.options.production ? undefined : origin;
  }

  /** 405 with `allow` for every path of the table, and the preflight of cross-origin routes. */
  private addMethods(): void {
    const paths = new Map<string, Set<string>>();
    for (const route of this.options.routes)
      for (const path of [route.path, ...route.aliases])
        paths.set(path, (paths.get(path) ?? new Set<string>()).add(route.method));
    for (const [path, methods] of paths) {
      const cross_origin = this.options.routes.some((route) => route.path === path && route.cross_origin);
      if (methods.has('GET')) methods.add('HEAD');
      if (cross_origin) this.app.options(path, (_, reply) => reply.code(204).headers(PREFLIGHT).send());
      const others = METHODS.filter((m) => !methods.has(m) && !(m === 'OPTIONS' && cross_origin));
      const allow = [...methods].join(', ');
      this.app.route({
        method: others,
        url: path,
        onRequest: async (request) => {
          if (endsEmpty(request)) throw idMissing(request, this.options.routes);
          const meant = nearestOfMethod(request.method, path, this.signposts());
          const detail = `this path takes ${allow}${meant === undefined ? '' : `; did you mean ${meant}?`}`;
          throw new Refusal('method_unknown', { detail, headers: { allow } });
        },
        handler: (_, reply) => reply,
      });
    }
  }

  private async enter(route: Route<C>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (route.cross_origin) reply.headers(CROSS_ORIGIN);
    if (endsEmpty(request)) throw idMissing(request, this.options.routes);
    if (route.key !== 'none') {
      const version = header(request, 'version');
      reply.header('version', readVersion(version) ?? NEWEST_VERSION);
      const context = this.contexts.get(request);
      const ip = context?.client_ip ?? '';
      const shown = { key: header(request, 'x-api-key'), ip, origin: this.foreignOrigin(request) };
      const known = (caller: C) => context && (context.caller = caller);
      const { caller, leave } = await this.gate.enter({ ...shown, known }, route);
      if (context) context.leave = leave;
      whenOver(request.raw, reply.raw, leave);
      route.admit?.(caller, ip);
    }
    if (header(request, 'content-type')?.trim() === '') delete request.headers['content-type'];
    // of a body that is not there nothing is asked: libraries name a type of their own for it
    const typed = route.key === 'none' || bringsBody(request.raw);
    if (route.method !== 'GET' && typed && !isJsonType(header(request, 'content-type')))
      throw new Refusal('media_type_unknown', { detail: 'send the body as application/json in UTF-8' });
    if (route.method !== 'GET' && typed && isPacked(header(request, 'content-encoding')))
      throw new Refusal('media_type_unknown', {
        detail: 'send the body as it is, without the header content-encoding: a compressed body is not read',
      });
  }

  private async serve(route: Route<C>, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const raw = route.method === 'GET' ? NO_BODY : await this.readBody(route, request);
    try {
      return await this.answer(route, { request, reply, raw });
    } finally {
      raw.fill(0);
      // not only when the answer is read: a client that never reads would hold a place for ever
      this.contexts.get(request)?.leave?.();
    }
  }

  private async readBody(route: Route<C>, request: FastifyRequest): Promise<Buffer> {
    await route.large?.admit(shownHeaders(route, request));
    const limit = route.large?.bytes ?? this.options.body_bytes;
    return readBody(request.raw, {
      limit,
      tooLarge: () => new Refusal('body_too_large', { detail: `the body is larger than ${limit} bytes` }),
      cutOff: () => NOT_HTTP,
    });
  }

  private async answer(
    route: Route<C>,
    { request, reply, raw }: { request: FastifyRequest; reply: FastifyReply; raw: Buffer },
  ): Promise<FastifyReply> {
    const context = this.contexts.get(request);
    const object = route.raw || route.method === 'GET' ? EMPTY : readObject(raw);
    if (context) context.object = object;
    const idempotency_key = header(request, 'idempotency-key');
    const checkHeaders = () => {
      // a version is of the contract, which the back office is no part of
      const version = route.key === 'none' ? undefined : header(request, 'version');
      const refusal = refuseProblems(headerProblems(version, idempotency_key));
      if (refusal) throw refusal;
    };
    if (!route.raw) checkHeaders();
    const prefer = readPrefer(header(request, 'prefer'));
    const rawRequest: RawRequest<C> = {
      caller: context?.caller,
      raw,
      checkHeaders,
      object,
      query_object: queryOf(request),
      params: paramsOf(request),
      path: request.routeOptions.url ?? route.path,
      request_id: context?.request_id ?? '',
      client_ip: context?.client_ip ?? '',
      headers: shownHeaders(route, request),
      idempotency_key: idempotency_key === '' ? undefined : idempotency_key,
      wait_s: prefer?.wait_s,
      production: this.options.production,
      now: this.options.clock.now(),
      ignored: [],
    };
    const answer = await within(route.run(rawRequest), () => OUTCOME_UNKNOWN).finally(() => {
      const ignored = ignoredFields(rawRequest.ignored);
      if (ignored) reply.header('x-ignored-fields', ignored);
    });
    if (this.leaving) reply.header('connection', 'close');
    if (prefer && route.method !== 'GET') reply.header('preference-applied', prefer.applied);
    if (answer.headers) reply.headers(answer.headers);
    if (answer.status !== undefined) reply.code(answer.status);
    if (answer.file) return reply.send(answer.file);
    if (context) tellOf(this.options, { request, reply }, { ...context, answer: answer.body });
    return reply.header('content-type', 'application/json; charset=utf-8').send(jsonOf(answer));
  }

  private refuse(
    error: Error & { code?: string; statusCode?: number },
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const context = this.contexts.get(request);
    const request_id = context?.request_id ?? '';
    context?.leave?.();
    const refusal = toRefusal(error, request_id, this.options.log);
    // said, so that no next request is put on a connection that ends
    if (discardBody(request.raw) || this.leaving) reply.header('connection', 'close');
    const body = problemBody(refusal, this.options.addresses.base_url, request_id);
    reply.code(REFUSALS[refusal.refusal].status).headers(refusal.extras.headers ?? {});
    if (context) tellOf(this.options, { request, reply }, { ...context, answer: body });
    return reply.header('content-type', 'application/problem+json').send(JSON.stringify(body));
  }
}

const HSTS = 'max-age=63072000; includeSubDomains';
/** No route of any host takes it. */
const UNUSED = 'TRACE';
const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', UNUSED];
