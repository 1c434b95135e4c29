// A Florin over a cluster, and merchants who pay at it all the time; what they were told is kept.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/kit/clock.ts';
import { readConfig } from '../../src/settings/config.ts';
import { type Service, startService } from '../../src/hosts/service.ts';
import { reconcile } from '../../src/payment/ledger/reconcile/reconcile.ts';
import { simulatorBooks } from '../../src/payment/ledger/reconcile/simulator.ts';
import { verifyLedger } from '../../src/payment/ledger/verify/verify.ts';
import { Client, type Reply, textAt } from '../client.ts';
import type { Server } from './server.ts';

const DATABASE = 'florin';
const WORKERS = 4;
const PAUSE_MS = 20;
/** What a manager may take to notice, on a machine that has much else to do. */
const MOST_MS = 120_000;

export type Shop = AsyncDisposable & {
  readonly service: Service;
  /** What ended the process, if anything wanted to. */
  readonly failures: readonly Error[];
  /** Waits until so many more orders were acknowledged. */
  paid(more: number): Promise<void>;
  /** The status of a read of the order that was acknowledged last. */
  reads(): Promise<number>;
  /** Waits until so many more requests were answered 503. */
  refused(more: number): Promise<void>;
  /** Does something again and again until so many more requests were answered 500: the outcome is unknown. */
  unknown(more: number, again: () => Promise<unknown>): Promise<void>;
  /** Orders that were acknowledged and are not in the database of this server. */
  lost(node: Server): Promise<readonly string[]>;
  /** What merchants were told so far. */
  counts(): Readonly<Record<'acknowledged' | 'refused' | 'unknown', number>>;
  /** What they were told since then, by the clock of `now`. */
  since(moment: number): Figures;
  now(): number;
  /** Answers that a merchant must never get, and 503 without Retry-After or after more than 9 s. */
  wrong(): readonly string[];
  /** Waits until nothing is open; answers what does not agree. */
  settled(node: Server): Promise<readonly string[]>;
};

export type Figures = {
  /** The longest time without an acknowledged order. */
  readonly without_ms: number;
  readonly acknowledged: number;
  readonly unknown: number;
  /** How long each refusal (503) took. */
  readonly refused_ms: readonly number[];
};

type Servers = {
  /** The first is the primary. */
  readonly nodes: readonly Server[];
  /** Where Florin finds the primary. */
  url(database: string): string;
};

export async function openShop(cluster: Servers, settings: Readonly<Record<string, string>> = {}): Promise<Shop> {
  const [primary] = cluster.nodes;
  await primary?.look(`CREATE DATABASE ${DATABASE}`);
  const data_dir = mkdtempSync(join(tmpdir(), 'florin-failover-'));
  const failures: Error[] = [];
  const service = await startService({
    config: readConfig({
      FLORIN_API_PORT: '0',
      FLORIN_VAULT_PORT: '0',
      FLORIN_BACKOFFICE_PORT: '0',
      FLORIN_DATA_DIR: data_dir,
      FLORIN_DATABASE_URL: cluster.url(DATABASE),
      FLORIN_DATABASE_DURABLE: 'replicated',
      FLORIN_REQUESTS_PER_SECOND: '100000',
      FLORIN_REQUESTS_RUNNING: '10000',
      FLORIN_TOKENS_PER_MINUTE: '100000',
      FLORIN_LOG_LEVEL: 'silent',
      ...settings,
    }),
    version: '0.0.0',
    say: () => undefined,
    failed: (error) => failures.push(error),
  });
  const { demo, addresses } = service;
  if (!demo) throw new Error('a sandbox has a demo account');
  const client = new Client(addresses, demo);
  const heard = new Heard(client);
  return {
    service,
    failures,
    paid: (more) => heard.more('acknowledged', more),
    reads: async () => (await client.read(heard.acknowledged.at(-1) ?? '')).status,
    refused: (more) => heard.more('refused', more),
    unknown: async (more, again) => {
      const enough = heard.unknown.length + more;
      await heard.until(async () => {
        await again();
        return heard.unknown.length >= enough;
      });
    },
    lost: async (node) => {
      // what is acknowledged while the server is asked may not be in its answer yet
      const told = [...heard.acknowledged];
      const rows = await node.look<{ id: string }>(`SELECT encode(id, 'hex') AS id FROM payment.orders`, DATABASE);
      const there = new Set(rows.map(({ id }) => id));
      return told.filter((id) => !there.has(id));
    },
    counts: () => ({
      acknowledged: heard.acknowledged.length,
      refused: heard.refused.length,
      unknown: heard.unknown.length,
    }),
    since: (moment) => heard.since(moment),
    now: () => heard.now(),
    wrong: () => heard.wrong,
    settled: async (node) => {
      await heard.end();
      await heard.until(async () => {
        const [row] = await node.look<{ open: number }>(
          `SELECT count(*)::int AS open FROM payment.operations WHERE state = 'requested'`,
          DATABASE,
        );
        return row?.open === 0;
      });
      const { db, sandbox, providers } = service.tools;
      const { first } = await verifyLedger({ db, progress: () => undefined });
      if (!sandbox) throw new Error('a sandbox has a simulated bank');
      const differences: string[] = [];
      await reconcile({
        db,
        source: simulatorBooks(sandbox),
        in_flight: new Map([...providers].map(([name, { can }]) => [name, can.in_flight_s])),
        found: async (difference) => void differences.push(JSON.stringify(difference)),
        progress: () => undefined,
      });
      return [...(first ? [JSON.stringify(first)] : []), ...differences];
    },
    [Symbol.asyncDispose]: async () => {
      await heard.end();
      await service.close();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

type Told = { readonly at: number; readonly took_ms: number };

/** Pays all the time, as several merchants do, and keeps what they were told. */
class Heard {
  readonly acknowledged: string[] = [];
  readonly refused: Told[] = [];
  readonly unknown: Told[] = [];
  private readonly acknowledged_at: number[] = [];
  readonly wrong: string[] = [];
  private readonly client: Client;
  private readonly clock = systemClock();
  private readonly working: readonly Promise<void>[];
  private ending = false;

  constructor(client: Client) {
    this.client = client;
    this.working = Array.from({ length: WORKERS }, (_, i) => this.work(i));
  }

  async end(): Promise<void> {
    this.ending = true;
    await Promise.all(this.working);
  }

  async more(what: 'acknowledged' | 'refused', count: number): Promise<void> {
    const enough = this[what].length + count;
    await this.until(async () => this[what].length >= enough);
  }

  async until(holds: () => Promise<boolean>): Promise<void> {
    for (const give_up_at = this.clock.ticks() + MOST_MS; !(await holds());) {
      if (this.clock.ticks() > give_up_at) throw new Error(`waited for too long; ${this.said()}`);
      await this.clock.sleep(PAUSE_MS);
    }
  }

  said(): string {
    const { acknowledged, refused, unknown, wrong } = this;
    return `${acknowledged.length} acknowledged, ${refused.length} refused, ${unknown.length} unknown, wrong: ${wrong.slice(0, 3).join('; ')}`;
  }

  private async work(worker: number): Promise<void> {
    for (let i = 0; !this.ending; i++) {
      await this.pay(`${worker}-${i}`).catch((error: unknown) => this.wrong.push(String(error)));
      await this.clock.sleep(PAUSE_MS);
    }
  }

  private async pay(order_merchant_id: string): Promise<void> {
    const card = { card_number: '4242424242424242', card_validity_month: '12', card_validity_year: '2034', cvc: '123' };
    const token = await this.hear(() => this.client.vault('/token', { body: card }));
    if (!token) return;
    const body = {
      token: textAt(token, 'token'),
      operation_type: 'direct_capture',
      amount: '25.00',
      currency: 'EUR',
      order_merchant_id,
    };
    const order = await this.hear(() => this.client.order(body));
    if (!order) return;
    this.acknowledged.push(textAt(order, 'order_id'));
    this.acknowledged_at.push(this.now());
  }

  now(): number {
    return this.clock.ticks();
  }

  since(moment: number): Figures {
    const paid = this.acknowledged_at.filter((at) => at >= moment);
    const moments = [moment, ...paid, this.now()];
    const gaps = moments.slice(1).map((at, i) => at - (moments[i] ?? at));
    return {
      without_ms: Math.max(...gaps),
      acknowledged: paid.length,
      unknown: this.unknown.filter(({ at }) => at >= moment).length,
      refused_ms: this.refused.filter(({ at }) => at >= moment).map(({ took_ms }) => took_ms),
    };
  }

  /** The answer, if it is one. */
  private async hear(ask: () => Promise<Reply>): Promise<Reply | undefined> {
    const asked = this.clock.ticks();
    const reply = await ask();
    const took = this.clock.ticks() - asked;
    if (reply.status === 503) {
      this.refused.push({ at: asked + took, took_ms: took });
      if (reply.headers.get('retry-after') === null) this.wrong.push('503 without Retry-After');
      if (took > 9000) this.wrong.push(`503 after ${Math.round(took)} ms`);
      return undefined;
    }
    if (reply.status === 500) {
      this.unknown.push({ at: asked + took, took_ms: took });
      return undefined;
    }
    if (reply.status < 300) return reply;
    this.wrong.push(`${reply.status} ${reply.text.slice(0, 200)}`);
    return undefined;
  }
}
