// Risk rules: read, tried on last week's orders, published, rolled back.
import { dryRun } from '../../payment/risk/dry-run.ts';
import { draftOf, publishRules, readRules, rollBack } from '../../payment/risk/publish.ts';
import type { Tools } from '../../payment/tools.ts';
import { type BackofficeRequest, type BackofficeContext, type BackofficeRoute, backofficeRoute } from '../context.ts';
import type { RiskRules, RiskTest, RiskVersions } from '../wire/rules/risk.ts';
import type { VersionForm } from '../wire/rules/versions.ts';
import {
  type RollBackSent,
  NO_VERSION,
  PUBLISH_BODY,
  ROLL_BACK_BODY,
  publishing,
  rollingBack,
  versionView,
} from '../rule-versions.ts';

export function riskRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const of = { right: 'risk' } as const;
  return [
    backofficeRoute(context, {
      route: 'GET /risk',
      right: 'read',
      handle: ({ account_id }) => readInForce(context.tools, account_id),
    }),
    backofficeRoute(context, {
      route: 'GET /risk/versions',
      right: 'read',
      handle: ({ account_id }) => readVersions(context.tools, account_id),
    }),
    backofficeRoute(context, { ...of, route: 'POST /risk/test', handle: (asked) => tryDraft(context, asked) }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /risk/publish',
      body: PUBLISH_BODY,
      own: ['rules'],
      handle: (asked) => publish(context, asked, asked.body),
    }),
    backofficeRoute(context, {
      ...of,
      route: 'POST /risk/roll-back',
      body: ROLL_BACK_BODY,
      handle: (asked) => goBack(context, asked, asked.body),
    }),
  ];
}

async function readVersions(tools: Tools, account_id: string): Promise<RiskVersions> {
  const rows = await readRules(tools, account_id);
  return { versions: rows.map((row) => ({ ...versionView(row), rules: row.rules })) };
}

async function readInForce(tools: Tools, account_id: string): Promise<RiskRules> {
  return (await readVersions(tools, account_id)).versions[0] ?? { ...NO_VERSION, rules: [] };
}

function tryDraft({ tools }: BackofficeContext, { account_id, object }: BackofficeRequest): Promise<RiskTest> {
  return dryRun(tools, account_id, { rules: draftOf(object.get('rules') ?? null) });
}

async function publish({ tools }: BackofficeContext, asked: BackofficeRequest, sent: VersionForm): Promise<RiskRules> {
  const rules = draftOf(asked.object.get('rules') ?? null);
  await publishRules(tools, asked.account_id, {
    rules,
    ...publishing(asked, sent, { kind: 'risk', rules: rules.length }),
  });
  return readInForce(tools, asked.account_id);
}

async function goBack({ tools }: BackofficeContext, asked: BackofficeRequest, sent: RollBackSent): Promise<RiskRules> {
  await rollBack(tools, asked.account_id, rollingBack(asked, sent, 'risk'));
  return readInForce(tools, asked.account_id);
}
