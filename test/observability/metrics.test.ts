// What is to be seen from outside: metrics, readiness, and a request followed through the hosts by its id. Alert rules
// and dashboard name only what there is.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listeningPort } from '../../src/kit/listening-port.ts';
import { metricNames } from '../../src/kit/metrics/registry.ts';
import { type Client, send, textAt, until } from '../client.ts';
import type { Processes } from '../hosts/processes.ts';
import { ROOT } from '../start/child.ts';
import { type World, worldOfProcesses } from '../world.ts';

const docs = (name: string) => readFileSync(join(ROOT, 'docs/observability', name), 'utf8');

let w: World & { readonly service: Processes };
let shop: Client;
let paid: { readonly request_id: string; readonly order_id: string };
beforeAll(async () => {
  const endpoint = await collect();
  w = await worldOfProcesses({
    FLORIN_METRICS_PORT: '0',
    FLORIN_LOG_LEVEL: 'debug',
    FLORIN_OTEL_ENDPOINT: endpoint,
  });
  shop = w.shop;
  const reply = await shop.pay();
  paid = { request_id: reply.headers.get('x-request-id') ?? '', order_id: textAt(reply, 'order_id') };
  await shop.pay({ card_number: '4000000000000119' });
});
afterAll(async () => {
  await w[Symbol.asyncDispose]();
  collector.close();
});

type Wire = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
};
const spans: (Wire & { readonly host: string })[] = [];
const collector = createServer((request, response) => {
  void (async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
      readonly resourceSpans: readonly {
        readonly resource: {
          readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue: string } }[];
        };
        readonly scopeSpans: readonly { readonly spans: readonly Wire[] }[];
      }[];
    };
    for (const { resource, scopeSpans } of body.resourceSpans) {
      const host = resource.attributes.find(({ key }) => key === 'florin.host')?.value.stringValue ?? '';
      for (const scope of scopeSpans) spans.push(...scope.spans.map((span) => ({ ...span, host })));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  })();
});

/** A collector of traces; answers where it is. */
async function collect(): Promise<string> {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  return `http://127.0.0.1:${listeningPort(collector)}`;
}

type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number };

async function samplesOf(host: 'payment' | 'vault' | 'worker'): Promise<readonly Sample[]> {
  const run = w.service.runs.get(host);
  const url = await until(() => /Metrics +(\S+)/.exec(run?.out() ?? '')?.[1]);
  const reply = await send(url, {});
  expect(reply.headers.get('content-type')).toContain('version=0.0.4');
  return samplesIn(reply.text);
}

function samplesIn(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', pairs = '', value = ''] = /^([a-z_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      expect(name, line).not.toBe('');
      const labels = [...pairs.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', word = '']) => [
        key,
        word,
      ]);
      return { name, labels: Object.fromEntries(labels), value: Number(value) };
    });
}

describe('metrics', () => {
  test('the payment host counts requests by route, providers by outcome and what waits', async () => {
    const samples = await samplesOf('payment');
    const find = (name: string, labels: Readonly<Record<string, string>>) =>
      samples.filter(
        (one) => one.name === name && Object.entries(labels).every(([key, word]) => one.labels[key] === word),
      );
    const route = { host: 'payment API', method: 'POST', route: '/payment/order' };
    expect(find('florin_http_request_seconds_count', route).reduce((sum, one) => sum + one.value, 0)).toBe(2);
    expect(find('florin_provider_calls_total', { kind: 'authorize', outcome: 'approved' })[0]?.value).toBe(1);
    expect(find('florin_provider_calls_total', { kind: 'authorize', outcome: 'declined' })[0]?.value).toBe(1);
    expect(find('florin_search_behind_transactions', {})).toHaveLength(1);
    expect(find('florin_database_commit_statements_count', {})[0]?.value).toBeGreaterThan(2);
    expect(find('florin_build_info', { shape: 'payment', environment: 'sandbox' })[0]?.value).toBe(1);
    expect(find('florin_event_loop_lag_seconds', { quantile: '0.9' })).toHaveLength(1);
  });

  test('the vault counts what it sends and says that its keys are open; the worker counts its jobs', async () => {
    const vault = await samplesOf('vault');
    expect(vault.find((one) => one.name === 'florin_vault_forwards_total')).toMatchObject({
      labels: { destination: 'simulator', outcome: 'answered' },
      value: 2,
    });
    expect(vault.find((one) => one.name === 'florin_vault_sealed')?.value).toBe(0);
    const worker = await samplesOf('worker');
    const jobs = worker.filter((one) => one.name === 'florin_worker_job_seconds_count').map((one) => one.labels['job']);
    expect(jobs).toEqual(expect.arrayContaining(['recovery', 'search over orders']));
  });

  test('each host counts what it has open, also one that may read little', async () => {
    for (const host of ['payment', 'vault', 'worker'] as const) {
      const samples = await samplesOf(host);
      const figure = (name: string) => samples.find((one) => one.name === name)?.value;
      expect(figure('florin_open_files'), host).toBeGreaterThan(10);
      expect(figure('florin_open_files_limit'), host).toBeGreaterThan(figure('florin_open_files') ?? 0);
    }
  });

  test('no label is an id, a path with an id or anything of a merchant', async () => {
    for (const host of ['payment', 'vault', 'worker'] as const)
      for (const { name, labels } of await samplesOf(host))
        for (const word of Object.values(labels)) expect(word, name).not.toMatch(/[0-9a-f]{16}|\d{7}|@/);
  });

  test('what is broken is seen: an operation in doubt with its age, a provider that is down, and an endpoint that fails', async () => {
    await w.sql(
      `INSERT INTO payment.operations (id, order_id, merchant_account_id, transaction_id, provider, kind, amount_minor, currency, state, created_at, due_at)
       SELECT decode(repeat('ab', 12), 'hex'), order_id, merchant_account_id, transaction_id, provider, 'refund', 1, currency, 'in_doubt', payment.now() - interval '1 hour', 'infinity'
       FROM payment.operations WHERE order_id = decode($1, 'hex') AND kind = 'authorize'`,
      [paid.order_id],
    );
    await w.sql(
      `INSERT INTO payment.endpoints (id, merchant_account_id, url, secret_sealed, events, failing_since)
       SELECT decode(repeat('ab', 12), 'hex'), merchant_account_id, 'https://hooks.shop.example/', 'x', '{test}', payment.now() - interval '1 hour' FROM payment.orders WHERE id = decode($1, 'hex')`,
      [paid.order_id],
    );
    await w.sql(`INSERT INTO payment.providers (name, health, next_probe_at) VALUES ('nobody', 'open', 'infinity')`);
    const seen = (name: string, label: string) =>
      until(async () =>
        (await samplesOf('worker')).find((one) => one.name === name && Object.values(one.labels).includes(label)),
      );
    expect((await seen('florin_operations_open', 'in_doubt')).value).toBe(1);
    expect((await seen('florin_operations_open_oldest_seconds', 'in_doubt')).value).toBeGreaterThanOrEqual(3600);
    expect((await seen('florin_provider_down', 'nobody')).value).toBe(1);
    const figure = (name: string) =>
      until(async () => (await samplesOf('worker')).find((one) => one.name === name && one.value > 0)?.value);
    expect(await figure('florin_endpoints_failing')).toBe(1);
    expect(await figure('florin_endpoints_failing_oldest_seconds')).toBeGreaterThanOrEqual(3600);
    await w.sql(`DELETE FROM payment.endpoints WHERE failing_since IS NOT NULL`);
    await w.sql(`DELETE FROM payment.providers WHERE name = 'nobody'`);
    await w.sql(`DELETE FROM payment.operations WHERE id = decode(repeat('ab', 12), 'hex')`);
  });

  test('what names nobody who is here is seen: messages for a contract that is not there, and findings of such an account', async () => {
    const told = await send(`${w.service.addresses.base_url}/provider/simulator/${'f'.repeat(24)}/events`, {
      method: 'POST',
      body: '{}',
    });
    expect(told.status).toBe(404);
    const unclaimed = (await samplesOf('payment')).filter(
      ({ name }) => name === 'florin_provider_messages_unclaimed_total',
    );
    expect(unclaimed).toEqual([{ name: unclaimed[0]?.name, labels: { provider: 'simulator' }, value: 1 }]);
    // a provider that is none has no line of its own
    const nobody = await send(`${w.service.addresses.base_url}/provider/nobody/${'f'.repeat(24)}/events`, {
      method: 'POST',
    });
    expect(nobody.status).toBe(404);
    expect(JSON.stringify(await samplesOf('payment'))).not.toContain('nobody');
    await w.sql(
      `INSERT INTO payment.reconcile_findings (
         id, merchant_account_id, provider, kind, what, reference, order_id, ours, theirs, amount_minor, currency, source, became, state)
       SELECT a.id, a.id, 'simulator', 'missing here', 'capture', a.id, a.id, 'nothing', 'done', 1, 'EUR', 'monday.csv', '', 'open'
       FROM (SELECT decode(repeat('ee', 12), 'hex') AS id) a`,
    );
    const strays = await until(async () =>
      (await samplesOf('worker')).find(({ name }) => name === 'florin_findings_stray'),
    );
    expect([strays.labels, strays.value]).toEqual([{ provider: 'simulator' }, 1]);
    await w.sql(`DELETE FROM payment.reconcile_findings`);
  });
});

describe('readiness', () => {
  test('says what it looked at, and the payment host stays ready without the vault', async () => {
    const { base_url, vault_url } = w.service.addresses;
    const lag: unknown = expect.any(String);
    const own = { lag, descriptors: 'ok' };
    expect((await send(`${vault_url}/ready`, {})).body).toMatchObject({ database: true, keys: 'ok', ...own });
    expect((await send(`${base_url}/ready`, {})).body).toMatchObject({ database: true, vault: 'ok', ...own });
    w.service.signal('vault', 'SIGSTOP');
    const away = await send(`${base_url}/ready`, {});
    w.service.signal('vault', 'SIGCONT');
    expect([away.status, away.at('vault')]).toEqual([200, 'away']);
  });
});

describe('a request by its id', () => {
  test('is in the lines of the payment host and of the vault, over the link', async () => {
    // the last piece may be a line that is not whole yet
    const line = (host: 'payment' | 'vault', msg: string) =>
      until(() =>
        (w.service.runs.get(host)?.err() ?? '')
          .split('\n')
          .slice(0, -1)
          .filter((text) => text.includes(paid.request_id))
          .map((text) => JSON.parse(text) as Record<string, unknown>)
          .find((one) => one['msg'] === msg),
      );
    await line('payment', 'a provider was called');
    await line('payment', 'answered');
    const forwarded = await line('vault', 'forwarded');
    expect(forwarded).toMatchObject({
      msg: 'forwarded',
      order_id: paid.order_id,
      destination: 'simulator',
      outcome: 'answered',
    });
  });
});

describe('traces', () => {
  test('the spans of a payment are one trace across the hosts, under the request', async () => {
    const own = await until(() => {
      const found = spans.filter((span) => span.traceId === paid.request_id.padStart(32, '0'));
      return found.length >= 3 ? found : undefined;
    });
    expect(own.map(({ host, name }) => `${host}: ${name}`).toSorted()).toEqual([
      'payment: POST /payment/order',
      'payment: provider authorize',
      'vault: vault forward',
    ]);
    const root = own.find((span) => span.parentSpanId === undefined);
    expect(root?.name).toBe('POST /payment/order');
    expect(own.every((span) => span === root || span.parentSpanId === root?.spanId)).toBe(true);
  });
});

describe('rules and dashboard', () => {
  const known = metricNames();
  const bases = (text: string) =>
    [...text.matchAll(/\bflorin_[a-z_]+\b/g)].map(([name]) =>
      name.replace(/_(?:bucket|sum|count)$/, (end) => (known.has(name) ? end : '')),
    );

  test.each(['alerts.yml', 'dashboard.json'])('%s names only metrics that there are', async (name) => {
    // the metrics of all hosts are defined once their modules are loaded
    await import('../../src/hosts/service.ts');
    const all = new Set(metricNames().keys());
    const named = bases(docs(name));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((one) => !all.has(one))).toEqual([]);
  });

  test('a name that is none is found', () => {
    expect(
      bases('rate(florin_nobody_total[5m]) + florin_vault_sealed').filter((one) => !metricNames().has(one)),
    ).toEqual(['florin_nobody_total']);
  });

  test('every label and word in a rule is one that the metrics have', async () => {
    const samples = (await Promise.all((['payment', 'vault', 'worker'] as const).map(samplesOf))).flat();
    const labels = new Map<string, Set<string>>();
    for (const { name, labels: own } of samples)
      for (const key of Object.keys(own)) labels.set(name, (labels.get(name) ?? new Set()).add(key));
    const wrong = [...docs('alerts.yml').matchAll(/(florin_[a-z_]+)\{([^}]*)\}/g)].flatMap(
      ([, name = '', pairs = '']) => {
        const own = labels.get(name);
        return [...pairs.matchAll(/([a-z_]+)=~?"/g)].flatMap(([, key = '']) =>
          !own || own.has(key) ? [] : [`${name} has no ${key}`],
        );
      },
    );
    expect(wrong).toEqual([]);
  });

  test('every rule has an expression, a severity and a summary, and names that differ', () => {
    const rules = docs('alerts.yml')
      .split(/^ {6}- alert: /m)
      .slice(1);
    expect(rules.length).toBeGreaterThan(15);
    for (const rule of rules) {
      expect(rule).toMatch(/^\w+\n/);
      for (const part of [/^ {8}expr: \S/m, /severity: (?:page|ticket)/, /summary: '.+'/]) expect(rule).toMatch(part);
    }
    const names = rules.map((rule) => rule.split('\n')[0]);
    expect(new Set(names).size).toBe(names.length);
  });
});
