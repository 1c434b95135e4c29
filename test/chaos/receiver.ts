// The merchant's server of a run: it takes notifications, and it fails in every way that a server can. Each request is
// looked at as it comes: both signatures, the bytes of a repeat, the order within an order, gaps, versions. What it
// took is compared with the orders' histories at the end (told.ts). Nothing of the product's own sending is used here
// but the contract (13.1).
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { Chance } from './chance.ts';

/** How it stands for a while; `dead`: nobody listens. */
export const MOODS = ['well', 'failing', 'busy', 'mute', 'cutting', 'forgetful', 'dead'] as const;
export type Mood = (typeof MOODS)[number];

/** A notification as the receiver took it. */
export type Taken = { readonly sequence: number; readonly event: string };

export type Receiver = {
  readonly url: string;
  /** The secret of its endpoint's signatures; known once the endpoint is made. */
  secret: string;
  be(mood: Mood): Promise<void>;
  /** The notifications of an order that it took, in order, each once. */
  taken(order_id: string): readonly Taken[];
  readonly tally: { tries: number; taken: number; repeats: number; readonly moods: Map<Mood, number> };
  stop(): Promise<void>;
};

export type ReceiverOptions = {
  readonly port: number;
  readonly chance: Chance;
  violated(order_id: string, what: string): void;
};

/** How long a request is left without an answer before its line is cut. */
const MUTE_MS = 1_500;

export async function startReceiver({ port, chance, violated }: ReceiverOptions): Promise<Receiver> {
  const orders = new Orders(violated);
  const texts = new Map<string, string>();
  let mood: Mood = 'well';
  let server: Server | undefined;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    self.tally.tries++;
    const id = String(request.headers['webhook-id']);
    const told = readTold(text);
    const wrong = signatureWrong(request, text, self.secret);
    if (wrong !== undefined) violated(told.order_id, `a notification came whose ${wrong} is not right`);
    const before = texts.get(id);
    if (before !== undefined && before !== text)
      violated(told.order_id, `the notification ${id} was sent again with other bytes`);
    texts.set(id, text);
    orders.saw(told);
    switch (mood) {
      case 'failing':
        return answer(response, 500);
      case 'busy':
        return answer(response, 429, { 'retry-after': '1' });
      case 'mute':
        setTimeout(() => request.socket.destroy(), MUTE_MS).unref();
        return;
      case 'cutting':
        request.socket.destroy();
        return;
      case 'forgetful':
        // it is taken, and the answer is lost: the same one comes again
        self.tally.repeats += orders.took(told) ? 0 : 1;
        if (chance.isLucky(0.5)) return void request.socket.destroy();
        return answer(response, 200);
      case 'well':
      case 'dead':
        if (orders.took(told)) self.tally.taken++;
        else self.tally.repeats++;
        return answer(response, 200);
    }
  };
  const listen = async () => {
    server = createServer((request, response) => {
      // a line that breaks in the middle of a request is a try that never came
      take(request, response).catch(() => request.socket.destroy());
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const close = async () => {
    const closing = server;
    server = undefined;
    if (closing === undefined) return;
    closing.closeAllConnections();
    closing.close();
    await once(closing, 'close');
  };
  const self: Receiver = {
    url: `http://127.0.0.1:${port}/notifications`,
    secret: '',
    be: async (next) => {
      mood = next;
      self.tally.moods.set(next, (self.tally.moods.get(next) ?? 0) + 1);
      if (next === 'dead') await close();
      else if (server === undefined) await listen();
    },
    taken: (order_id) => orders.taken(order_id),
    tally: { tries: 0, taken: 0, repeats: 0, moods: new Map() },
    stop: close,
  };
  await listen();
  return self;
}

function answer(response: ServerResponse, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, headers).end('{}');
}

type Told = {
  readonly order_id: string;
  readonly event: string;
  readonly status: string;
  readonly sequence: number;
  readonly previous: number | null;
  readonly version: number;
};

function readTold(text: string): Told {
  const body: Record<string, unknown> = JSON.parse(text);
  const { previous_sequence } = body;
  return {
    // events of a contract have an order of their own
    order_id: String(body['order_id'] ?? body['contract']),
    event: String(body['event']),
    status: String(body['status']),
    sequence: Number(body['sequence']),
    previous: previous_sequence === null ? null : Number(previous_sequence),
    version: Number(body['order_version']),
  };
}

/** Which of the two is wrong; undefined: both are right. */
function signatureWrong({ headers }: IncomingMessage, text: string, secret: string): string | undefined {
  const brand = Object.keys(headers).find((name) => name.endsWith('-signature') && name !== 'webhook-signature') ?? '';
  const own_time = String(headers[brand.replace('-signature', '-timestamp')]);
  const own = createHmac('sha256', secret).update(`${text}${own_time}`).digest('hex');
  if (headers[brand] !== own) return 'own signature';
  const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${text}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const standard = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  return headers['webhook-signature'] === standard ? undefined : 'webhook-signature';
}

type OrderSeen = { readonly taken: Taken[]; version: number };

/** The notifications of each order, and the rules that hold between one and the next. */
class Orders {
  private readonly orders = new Map<string, OrderSeen>();
  private readonly violated: ReceiverOptions['violated'];

  constructor(violated: ReceiverOptions['violated']) {
    this.violated = violated;
  }

  taken(order_id: string): readonly Taken[] {
    return this.of(order_id).taken;
  }

  /** A try, whatever is answered. The first of a number comes only when the one before was taken (contract 13.3). */
  saw({ order_id, event, status, sequence, previous, version }: Told): void {
    const order = this.of(order_id);
    const next = order.taken.length + 1;
    if (sequence < next) return;
    if (sequence > next) this.violated(order_id, `told of event ${sequence} (${event}) before event ${next} was taken`);
    const before = sequence === 1 ? null : sequence - 1;
    if (previous !== before)
      this.violated(order_id, `event ${sequence} (${event}) names ${previous} as the one before, not ${before}`);
    if (version < order.version)
      this.violated(order_id, `event ${sequence} (${event}) has version ${version}, after ${order.version}`);
    if (!event.includes('.') && event !== status)
      this.violated(order_id, `the notification of ${event} says that the order is ${status}`);
  }

  /** False: it was taken before. */
  took({ order_id, event, sequence, version }: Told): boolean {
    const order = this.of(order_id);
    if (sequence <= order.taken.length) return false;
    order.taken.push({ sequence, event });
    order.version = Math.max(order.version, version);
    return true;
  }

  private of(order_id: string): OrderSeen {
    const known = this.orders.get(order_id) ?? { taken: [], version: 0 };
    this.orders.set(order_id, known);
    return known;
  }
}
