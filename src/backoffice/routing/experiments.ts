// Experiments: two versions of routing rules compared on live orders, begun and ended by a person with a reason.
import { int, oneOf } from '../../core/fields.ts';
import { METHODS, METRICS } from '../../core/routing/learn/verdict.ts';
import { required } from '../../core/shape.ts';
import { readExperiments } from '../../payment/routing/learn/compared-view.ts';
import { endExperiment, startExperiment } from '../../payment/routing/learn/experiments.ts';
import { readRoutes } from '../../payment/routing/publish.ts';
import type { Tools } from '../../payment/tools.ts';
import { type BackofficeContext, type BackofficeRequest, type BackofficeRoute, backofficeRoute } from '../context.ts';
import { REASON } from '../reason.ts';
import type { ExperimentForm, Experiments } from '../wire/rules/experiments.ts';

const START = {
  version: required(int(1, 1_000_000)),
  // a page of the version before does not say what it saw
  base_version: int(0, 1_000_000),
  share: required(int(1, 9999)),
  subject: required(oneOf('order', 'customer', 'card')),
  method: required(oneOf(...METHODS)),
  metric: oneOf(...METRICS),
  days: required(int(1, 90)),
  reason: REASON,
};

export function experimentRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  const { tools } = context;
  return [
    backofficeRoute(context, {
      route: 'GET /experiments',
      right: 'read',
      handle: ({ account_id }) => readAll(tools, account_id),
    }),
    backofficeRoute(context, {
      route: 'POST /experiments',
      right: 'risk',
      body: START,
      handle: (asked) => start(tools, asked, asked.body),
    }),
    backofficeRoute(context, {
      route: 'POST /experiments/:number/end',
      right: 'risk',
      body: { reason: REASON },
      handle: (asked) => end(tools, asked, asked.body),
    }),
  ];
}

async function readAll(tools: Tools, account_id: string): Promise<Experiments> {
  const [all, versions] = await Promise.all([readExperiments(tools, account_id), readRoutes(tools, account_id)]);
  return {
    experiments: all.map((one) => ({
      ...one,
      started_at: one.started_at.toISOString(),
      ends_at: one.ends_at.toISOString(),
      ended_at: one.ended_at?.toISOString() ?? null,
      verdict_at: one.verdict_at?.toISOString() ?? null,
    })),
    in_force: versions[0]?.version ?? 0,
    versions: versions.map(({ version, rules, note }) => ({ version, note, rules: rules.rules.length })),
  };
}

async function start(
  tools: Tools,
  asked: BackofficeRequest,
  form: Omit<ExperimentForm, 'base_version'> & Partial<ExperimentForm>,
): Promise<Experiments> {
  const { version: version_b, base_version: version_a, reason, ...asked_how } = form;
  const how = { ...asked_how, metric: form.metric ?? 'approval' } as const;
  await startExperiment(tools, asked.account_id, {
    ...how,
    version_a,
    version_b,
    reason,
    by: asked.principal.person.email,
    also: (tx, number) =>
      asked.record(tx, {
        action: 'experiment started',
        object: `experiment ${number}`,
        reason,
        detail: { ...how, version_b },
      }),
  });
  return readAll(tools, asked.account_id);
}

async function end(
  tools: Tools,
  asked: BackofficeRequest,
  { reason }: { readonly reason: string },
): Promise<Experiments> {
  const number = /^\d{1,7}$/.test(asked.params['number'] ?? '') ? Number(asked.params['number']) : 0;
  await endExperiment(tools, asked.account_id, {
    number,
    by: asked.principal.person.email,
    reason,
    also: (tx) => asked.record(tx, { action: 'experiment ended', object: `experiment ${number}`, reason }),
  });
  return readAll(tools, asked.account_id);
}
