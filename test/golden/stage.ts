// What every area of the transcript is played on: a Florin of its own whose clock begins on a Monday at ten, the
// simulated bank in the same process, and a merchant's server that is told of events.
import { DAY_S, HOUR_S } from '../../src/core/durations.ts';
import { startSimulator } from '../../src/sandbox/simulator.ts';
import { type Client, type Json, type Reply, textAt, until } from '../client.ts';
import { type Receiver, receiver } from '../notifications/receiver.ts';
import { type World, world } from '../world.ts';
import { Scene } from './scene.ts';

export type Stage = {
  readonly w: World;
  readonly shop: Client;
  readonly scene: Scene;
  readonly bank_url: string;
  readonly server: Receiver;
  title(text: string): void;
  /** Pays at once with a fresh one-shot token, under this reference; the reading of the token is part of the scene. */
  pay(reference: string, card?: string | object, fields?: object, wait?: number): Promise<Reply>;
  /** A payment whose making is not part of the scene; answers the order's id. */
  paid(reference: string, card?: string | object, fields?: object, wait?: number): Promise<string>;
  capture(order_id: string, body?: object, wait?: number): Promise<Reply>;
  refund(order_id: string, body?: object, wait?: number): Promise<Reply>;
  cancel(order_id: string, body?: object, wait?: number): Promise<Reply>;
  /** Moves the clock, and everything due until then happens. */
  pass(seconds: number): Promise<void>;
  /** Waits, unseen, until the order fits; then reads it as part of the scene. */
  settled(order_id: string, fits: (reply: Reply) => boolean): Promise<Reply>;
};

export type Area = {
  readonly name: string;
  readonly settings?: Readonly<Record<string, string>>;
  play(stage: Stage): Promise<void>;
};

/** So far ahead that nobody takes a moment of the sandbox's clock for one of the machine's. */
const AHEAD_DAYS = 300;

/** A Monday at ten o'clock. */
function beginAfter(now: number): number {
  const day = Math.floor(now / 1000 / DAY_S) + AHEAD_DAYS;
  // the first day of 1970 was a Thursday
  const monday = day + ((11 - (day % 7)) % 7);
  return (monday * DAY_S + 10 * HOUR_S) * 1000;
}

/** Plays an area from the beginning; answers what was asked and what came back. */
export async function perform({ settings = {}, play }: Area): Promise<Scene> {
  const machine = Date.now() - 60_000;
  const sandbox = beginAfter(machine);
  const bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => Date.now() });
  const bank_url = `http://127.0.0.1:${bank.port}`;
  try {
    await using server = await receiver();
    await using w = await world({
      FLORIN_SIMULATOR_URL: bank_url,
      FLORIN_NOTIFICATION_PRIVATE_TARGETS: 'yes',
      FLORIN_METRICS_PORT: '0',
      ...settings,
    });
    const { base_url, vault_url, backoffice_url } = w.service.addresses;
    const metrics = new URL(w.service.metrics_url ?? base_url).origin;
    const scene = new Scene({ machine, sandbox }, [
      [base_url, 'api'],
      [vault_url, 'vault'],
      [backoffice_url, 'backoffice'],
      [bank_url, 'bank'],
      [metrics, 'metrics'],
      [new URL(server.url).origin, 'receiver'],
    ]);
    scene.stable.name(w.keys.private_key, '{private}');
    scene.stable.name(w.keys.public_key, '{public}');
    const to = new Date(sandbox).toISOString();
    const moved = await w.shop.api('/sandbox/clock/advance', { body: { to } });
    if (moved.at('settled') !== true) throw new Error(`the clock does not begin at ${to}: ${moved.text}`);
    await scene.play(() => play(stageOf({ w, scene, server, bank_url })));
    return scene;
  } finally {
    await bank.close();
  }
}

/** The outcome of a bank that answers is waited for, however busy the machine is. */
const PATIENCE_S = 20;

function stageOf(given: Pick<Stage, 'w' | 'scene' | 'server' | 'bank_url'>): Stage {
  const { w, scene } = given;
  const { shop } = w;
  const pay = async (reference: string, card: string | object = {}, fields: object = {}, wait = PATIENCE_S) => {
    const token = await shop.token(typeof card === 'string' ? { card_number: card } : card);
    const order = { operation_type: 'direct_capture', amount: '25.00', currency: 'EUR', order_merchant_id: reference };
    return shop.order({ token, ...order, ...fields }, { prefer: `wait=${wait}` });
  };
  const maintain =
    (kind: string) =>
    (order_id: string, body: object = {}, wait = PATIENCE_S) =>
      shop.api(`/payment/maintenance/${kind}/${order_id}`, { body, headers: { prefer: `wait=${wait}` } });
  return {
    ...given,
    shop,
    title: (text) => scene.title(text),
    pay,
    paid: (...order) => scene.aside(async () => textAt(await pay(...order), 'order_id')),
    capture: maintain('capture'),
    refund: maintain('refund'),
    cancel: maintain('cancel'),
    pass: async (seconds) => {
      const moved = await scene.aside(() => shop.api('/sandbox/clock/advance', { body: { seconds } }));
      if (moved.at('settled') !== true) throw new Error(`the clock did not pass: ${moved.text}`);
      scene.note(`\n... ${seconds} s pass`);
    },
    settled: async (order_id, fits) => {
      await scene.aside(() =>
        until(async () => {
          const read = await shop.read(order_id);
          return fits(read) || undefined;
        }),
      );
      return shop.read(order_id);
    },
  };
}

/** The text at a path of what came back. */
export function said(reply: { at(path: string): Json | undefined }, path: string): string {
  const value = reply.at(path);
  if (typeof value !== 'string') throw new Error(`nothing is said at ${path}`);
  return value;
}

/** What came back at these paths, in a line. */
export function parts(reply: { at(path: string): Json | undefined }, paths: readonly string[]): string {
  return paths
    .map((path) => reply.at(path))
    .map((value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '-')))
    .join(' | ');
}
