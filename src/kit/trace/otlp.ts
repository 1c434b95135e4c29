// Sends spans to an OpenTelemetry collector: OTLP over HTTP in JSON. Loaded only where FLORIN_OTEL_ENDPOINT is set.
// What the collector does not take is dropped; no request waits for it.
import type { Chance } from '../clock.ts';
import type { Egress } from '../egress.ts';
import { counter } from '../metrics/registry.ts';
import { type Span, sendSpans } from './spans.ts';

const MOST_WAITING = 2000;
const MOST_SENT = 500;
const EVERY_MS = 1000;
const DEADLINE_MS = 5000;
const KINDS = { internal: 1, server: 2, client: 3 } as const;
const FAILED = 2;

const lost = counter('florin_spans_lost_total', 'Spans that no collector took');

export type Exporting = {
  /** An origin: the path is the protocol's own. */
  readonly endpoint: string;
  readonly egress: Egress;
  readonly chance: Chance;
  readonly resource: Readonly<Record<string, string>>;
};

/** Exports from now on; what is answered sends the rest and ends it. */
export function exportSpans(exporting: Exporting): () => Promise<void> {
  let waiting: object[] = [];
  let sending: Promise<void> | undefined;
  const flush = async () => {
    while (waiting.length > 0) {
      const spans = waiting.slice(0, MOST_SENT);
      waiting = waiting.slice(MOST_SENT);
      if (!(await send(exporting, spans))) lost.add({}, spans.length);
    }
  };
  const flushOnce = () => (sending ??= flush().finally(() => (sending = undefined)));
  const timer = setInterval(() => void flushOnce(), EVERY_MS).unref();
  sendSpans((span) => {
    if (waiting.length >= MOST_WAITING) lost.add({});
    else waiting.push(wireSpan(span, exporting.chance));
  });
  return async () => {
    sendSpans(undefined);
    clearInterval(timer);
    await sending;
    await flushOnce();
  };
}

/** Trace and root span are made of the request id, so that every host makes the same ones. */
function wireSpan({ name, kind, request_id, ms, attributes, failed }: Span, chance: Chance): object {
  const end_ns = BigInt(Date.now()) * 1_000_000n;
  const root = request_id.slice(8);
  return {
    traceId: request_id.padStart(32, '0'),
    ...(kind === 'server' ? { spanId: root } : { spanId: chance.bytes(8).toString('hex'), parentSpanId: root }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: String(end_ns - BigInt(Math.round(ms * 1e6))),
    endTimeUnixNano: String(end_ns),
    attributes: wireAttributes({ ...attributes, 'florin.request_id': request_id }),
    status: failed ? { code: FAILED } : {},
  };
}

function wireAttributes(attributes: Span['attributes']): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));
}

async function send({ endpoint, egress, resource }: Exporting, spans: readonly object[]): Promise<boolean> {
  const body = {
    resourceSpans: [
      { resource: { attributes: wireAttributes(resource) }, scopeSpans: [{ scope: { name: 'florin' }, spans }] },
    ],
  };
  const answer = await egress.exchange({
    method: 'POST',
    origin: endpoint,
    path: '/v1/traces',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    deadline_ms: DEADLINE_MS,
    max_answer_bytes: 4096,
  });
  return answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;
}
