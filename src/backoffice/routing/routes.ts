// Routing rules: read, tried on the orders of the last month part by part, published, rolled back; and where payments
// went.
import { DAY_MS } from '../../core/durations.ts';
import { id24, text } from '../../core/fields.ts';
import { idAt, momentOf } from '../../core/ids.ts';
import type { RoutesLearnt } from '../../core/routing/learn/shown.ts';
import { required } from '../../core/shape.ts';
import { listContracts } from '../../payment/merchant/contract-store.ts';
import { letGoOn, readLearnt } from '../../payment/routing/learn/learnt.ts';
import { documentOf, draftRoutes, publishRoutes, readRoutes, rollBackRoutes } from '../../payment/routing/publish.ts';
import { findOrderBeyond, findRoutedCells } from '../../payment/routing/cells-store.ts';
import { tryRoutes } from '../../payment/routing/try.ts';
import type { Tools } from '../../payment/tools.ts';
import { type BackofficeContext, type BackofficeRequest, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { REASON } from '../reason.ts';
import type { VersionForm } from '../wire/rules/versions.ts';
import type {
  RoutingCells,
  RoutingDocument,
  RoutingRules,
  RoutingTest,
  RoutingVersions,
} from '../wire/rules/routing.ts';
import {
  type RollBackSent,
  NO_VERSION,
  PUBLISH_BODY,
  ROLL_BACK_BODY,
  publishing,
  rollingBack,
  versionView,
} from '../rule-versions.ts';

const CELL_DAYS = 30;
/** More are not looked at for one page: so many take a second of PostgreSQL. */
const CELL_ORDERS = 50_000;
/** Orders that one request plays: the page asks for the next part, shows how far it is, and may stop. */
const PART = 10_000;

export function routingRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'risk' } as const;
  return [
    backofficeRoute(context, {
      route: 'GET /routing',
      right: 'read',
      handle: ({ account_id }) => readInForce(context.tools, account_id),
    }),
    backofficeRoute(context, {
      route: 'GET /routing/versions',
      right: 'read',
      handle: ({ account_id }) => readVersions(context.tools, account_id),
    }),
    backofficeRoute(context, {
      route: 'GET /routing/cells',
      right: 'read',
      handle: ({ db }) => readCells(context.tools, db),
    }),
    backofficeRoute(context, {
      route: 'GET /routing/learnt',
      right: 'read',
      handle: ({ account_id }) => readLearnt(context.tools, account_id),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /routing/go-on',
      body: { rule: required(text(64)), reason: REASON },
      handle: (asked) => goOn(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /routing/test',
      body: { after: id24 },
      own: ['document'],
      handle: (asked) => tryPart(context.tools, asked, asked.body.after),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /routing/publish',
      body: PUBLISH_BODY,
      own: ['document'],
      handle: (asked) => publish(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /routing/roll-back',
      body: ROLL_BACK_BODY,
      handle: (asked) => goBack(context, asked, asked.body),
    }),
  ];
}

async function readVersions(tools: Tools, account_id: string): Promise<RoutingVersions> {
  const rows = await readRoutes(tools, account_id);
  const documentIn = (row: (typeof rows)[number]) => documentOf(row.rules) as RoutingDocument;
  return { versions: rows.map((row) => ({ ...versionView(row), document: documentIn(row) })) };
}

async function readInForce(tools: Tools, account_id: string): Promise<RoutingRules> {
  const [{ versions }, contracts] = await Promise.all([
    readVersions(tools, account_id),
    listContracts(tools.db.tenant(account_id)),
  ]);
  const named = contracts.map(({ name, provider, enabled }) => ({ name, provider, enabled }));
  return { ...(versions[0] ?? { ...NO_VERSION, document: { rules: [] } }), contracts: named };
}

async function readCells({ clock }: Tools, db: BackofficeRequest['db']): Promise<RoutingCells> {
  const after = idAt(clock.now().getTime() - CELL_DAYS * DAY_MS);
  const beyond = await findOrderBeyond(db, { after, most: CELL_ORDERS });
  const cells = await findRoutedCells(db, { after: beyond ?? after });
  return { days: CELL_DAYS, from: beyond === undefined ? null : momentOf(beyond).toISOString(), cells };
}

async function tryPart(
  tools: Tools,
  { account_id, object }: BackofficeRequest,
  after: string | undefined,
): Promise<RoutingTest> {
  const { draft, warnings } = await draftRoutes(tools, account_id, object.get('document') ?? null);
  let done = 1;
  const trial = await tryRoutes(tools, account_id, {
    draft,
    most: PART,
    ...(after !== undefined && { after }),
    progress: (_, share) => {
      done = share;
    },
  });
  return { ...trial, warnings, done: trial.complete ? 1 : done, next: trial.complete ? null : trial.last };
}

async function publish(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  sent: VersionForm,
): Promise<RoutingRules> {
  const { account_id, object } = asked;
  const { draft, warnings } = await draftRoutes(tools, account_id, object.get('document') ?? null);
  const detail = { rules: draft.rules.length, warnings: warnings.length };
  await publishRoutes(tools, account_id, { draft, ...publishing(asked, sent, { kind: 'routing', ...detail }) });
  return readInForce(tools, account_id);
}

async function goOn(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  { rule, reason }: { readonly rule: string; readonly reason: string },
): Promise<RoutesLearnt> {
  const also = (tx: BackofficeRequest['db']) =>
    asked.record(tx, { action: 'best_of rule let go on', object: rule, reason });
  await letGoOn(tools, asked.account_id, { rule, also });
  return readLearnt(tools, asked.account_id);
}

async function goBack(
  { tools }: BackofficeContext,
  asked: BackofficeRequest,
  sent: RollBackSent,
): Promise<RoutingRules> {
  await rollBackRoutes(tools, asked.account_id, rollingBack(asked, sent, 'routing'));
  return readInForce(tools, asked.account_id);
}
