// A merchant's till: a world with a bank of its own, orders to work on, and the three maintenance requests.
import { startSimulator } from '../../src/sandbox/simulator.ts';
import { type Client, type Json, type Reply, textAt, until } from '../client.ts';
import { numberOf } from '../providers/client.ts';
import { type World, world } from '../world.ts';

export type Kind = 'capture' | 'refund' | 'cancel';

/** What the bank believes about one operation; a sale is shown as its two. */
export type Booked = {
  readonly kind: 'authorize' | Kind | 'reversal';
  readonly amount: number;
  readonly currency: string;
  readonly effects: number;
  readonly calls: number;
  readonly state: string;
  readonly reference: string;
};

export type Till = AsyncDisposable & {
  readonly w: World;
  readonly shop: Client;
  /** Authorizes 42.50 EUR, or what `fields` say, on a card; answers the order's id. */
  authorize(fields?: object, card_number?: string): Promise<string>;
  /** The same, captured at once. */
  sell(fields?: object, card_number?: string): Promise<string>;
  /** `body` undefined: none is sent. */
  maintain(kind: Kind, order_id: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** The bank's books of one order. */
  books(order_id: string): Promise<readonly Booked[]>;
  /** Waits until the bank was asked for one: its card may be undecided about the first that comes. */
  asked(kind: Kind, order_id: string): Promise<void>;
  /** Calls to the bank wait until they are let go; answers how many wait. */
  hold(): Hold;
};

export type Hold = { readonly waiting: number; letGo(): void };

const AMOUNT = { amount: '42.50', currency: 'EUR' };

export async function openTill(settings: Readonly<Record<string, string>> = {}): Promise<Till> {
  const bank = await startSimulator({ host: '127.0.0.1', port: 0, journal_file: null, now: () => Date.now() });
  const bank_url = `http://127.0.0.1:${bank.port}`;
  const w = await world({ FLORIN_SIMULATOR_URL: bank_url, ...settings });
  const pay = async (operation_type: string, fields: object, card_number: string | undefined) => {
    const card = card_number === undefined ? {} : { card_number };
    return textAt(await w.shop.pay(card, { operation_type, ...AMOUNT, ...fields }), 'order_id');
  };
  const books = async (order_id: string) => {
    const answer = await fetch(`${bank_url}/books?order_id=${order_id}`);
    const said: { readonly entries: readonly Booked[] } = JSON.parse(await answer.text());
    return said.entries;
  };
  return {
    w,
    shop: w.shop,
    authorize: (fields = {}, card_number) => pay('authorize', fields, card_number),
    sell: (fields = {}, card_number) => pay('direct_capture', fields, card_number),
    maintain: (kind, order_id, body, headers = {}) =>
      w.shop.api(`/payment/maintenance/${kind}/${order_id}`, { method: 'POST', body, headers }),
    books,
    asked: async (kind, order_id) => {
      await until(async () => (await books(order_id)).some((entry) => entry.kind === kind) || undefined);
    },
    hold: () => holdBank(w),
    [Symbol.asyncDispose]: async () => {
      await w[Symbol.asyncDispose]();
      await bank.close();
    },
  };
}

function holdBank({ service: { tools } }: World): Hold {
  const { direct } = tools;
  const gate = Promise.withResolvers<void>();
  let waiting = 0;
  Object.assign(tools, {
    direct: async (call: Parameters<typeof direct>[0]) => {
      waiting++;
      await gate.promise;
      return direct(call);
    },
  });
  return {
    get waiting() {
      return waiting;
    },
    letGo: () => {
      Object.assign(tools, { direct });
      gate.resolve();
    },
  };
}

/**
 * Cards of contract 15.3 whose first capture, refund or cancel is not decided at once, or whose authorization is not.
 */
export const UNDECIDED = {
  authorize: '4000009901000110',
  capture: '4000009902000036',
  refund: '4000009903000043',
} as const;

export const NO_WAIT = { prefer: 'wait=0' };

/** The card whose authorization, or first capture, refund or cancel, ends with this code. */
export const cardFor = (code: string) => numberOf(code);

/** Members of an answer, by path. */
export function members(reply: Reply, ...paths: readonly string[]): readonly (Json | undefined)[] {
  return paths.map((path) => reply.at(path));
}

/** Status, code and the order's status: what a table of the contract says of a case. */
export function told(reply: Reply): readonly (Json | undefined)[] {
  return [reply.status, reply.code, reply.at(reply.status === 200 ? 'status' : 'order_status')];
}

/** Refused (contract 2.5): the problem page, the order where it stands, and what `told` tells. */
export function problem(reply: Reply): readonly (Json | undefined)[] {
  const slug = textAt(reply, 'type').split('/problems/')[1];
  return [reply.status, slug, reply.code, reply.at('order_status')];
}
