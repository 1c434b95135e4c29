// What can be seen of a process from outside: its metrics, at a port of their own, and how late it runs.
import type { Config } from '../settings/config.ts';
import { systemChance, systemClock } from '../kit/clock.ts';
import { openEgress } from '../kit/egress.ts';
import { type MetricsListener, openMetrics } from '../kit/metrics/listener.ts';
import type { Log } from '../kit/log.ts';
import { tellBuild, watchLag } from '../kit/metrics/process.ts';
import { watchDescriptors } from '../kit/process/descriptors.ts';
import type { HostRole } from './needs.ts';

type Observed = { readonly config: Config; readonly version: string; readonly role: HostRole; readonly log: Log };

/** The exporter is loaded only if a collector is set. */
async function trace({ config, version, role }: Observed, stack: AsyncDisposableStack): Promise<void> {
  const { exportSpans } = await import('../kit/trace/otlp.ts');
  const egress = openEgress();
  stack.defer(() => egress.close());
  const resource = {
    'service.name': 'florin',
    'service.version': version,
    'florin.host': role,
    'deployment.environment.name': config.environment,
  };
  stack.defer(exportSpans({ endpoint: config.otel_endpoint, egress, chance: systemChance(systemClock()), resource }));
}

/** Address of the metrics; undefined where no port is set. */
export async function observe(
  { config, version, role, log }: Observed,
  stack: AsyncDisposableStack,
): Promise<string | undefined> {
  watchLag();
  stack.defer(watchDescriptors({ clock: systemClock(), log }));
  const untell = tellBuild({ version, shape: role, environment: config.environment });
  stack.defer(untell);
  if (config.otel_endpoint !== '') await trace({ config, version, role, log }, stack);
  if (config.metrics_port === undefined) return undefined;
  const listener: MetricsListener = await openMetrics({
    host: config.metrics_host,
    port: config.metrics_port,
    setting: 'FLORIN_METRICS_PORT',
    host_setting: 'FLORIN_METRICS_HOST',
  });
  stack.defer(() => listener.close());
  return `${listener.address}/metrics`;
}
