// Every way a card goes through Florin, once a card: paid, declined, saved, entered again, captured, refused in each
// manner.
import { RESULTS } from '../../src/core/results.ts';
import { CHECKOUT, Client, type Reply } from '../client.ts';
import { canary, codeCanary } from './forms.ts';

/** Marked: found by the text around it. */
export const CVC = '739';

export type Played = {
  readonly numbers: readonly string[];
  readonly requests: number;
  /** How often each flow was played, and how often it was answered as it should be. */
  readonly flows: ReadonlyMap<string, { played: number; right: number }>;
  /** All that was answered: bodies and headers. */
  readonly answers: string;
};

type Player = {
  readonly shop: Client;
  readonly number: string;
  /** Sends a card to the vault. */
  tokenize(card?: object, more?: object): Promise<Reply>;
  keep(reply: Reply): Reply;
  /** Differs for each card. */
  readonly reference: string;
};

type Flow = (player: Player) => Promise<boolean>;

const tokenOf = (reply: Reply) => {
  const token = reply.at('token');
  return typeof token === 'string' ? token : 'none';
};

const orderId = (reply: Reply) => {
  const id = reply.at('order_id');
  return typeof id === 'string' ? id : 'none';
};

async function pay({ shop, keep, reference }: Player, token: string, more: object = {}): Promise<Reply> {
  const order = { token, operation_type: 'authorize', amount: '12.50', currency: 'EUR', order_merchant_id: reference };
  return keep(await shop.order({ ...order, ...more }, { prefer: 'wait=10' }));
}

const FLOWS: Readonly<Record<string, Flow>> = {
  'authorized with a checkout': async (player) => {
    const checkout_id = await player.shop.checkout({ order_merchant_id: player.reference });
    const token = tokenOf(await player.tokenize({ checkout_id, cardholder_name: 'Zoë Martin' }));
    const order = player.keep(await player.shop.order({ token, checkout_id }, { prefer: 'wait=10' }));
    player.keep(await player.shop.read(orderId(order)));
    return order.code === '944444';
  },
  'captured in one step': async (player) => {
    const order = await pay(player, tokenOf(await player.tokenize()), { operation_type: 'direct_capture' });
    player.keep(await player.shop.read(orderId(order)));
    return order.code === '955555';
  },
  'authorized, then captured': async (player) => {
    const order = await pay(player, tokenOf(await player.tokenize()));
    const path = `/payment/maintenance/capture/${orderId(order)}`;
    const capture = player.keep(await player.shop.api(path, { body: {}, headers: { prefer: 'wait=10' } }));
    // where this version has no capture yet, there is no such route
    return order.code === '944444' && (capture.code === '955555' || capture.code === '404000');
  },
  // in three calls that carry no card but one, each with an access token
  'at PayPal: authorized, captured, refunded': async (player) => {
    const order = await pay(player, tokenOf(await player.tokenize()), { merchant_contract: 'paypal' });
    const maintain = async (kind: string) => {
      const path = `/payment/maintenance/${kind}/${orderId(order)}`;
      return player.keep(await player.shop.api(path, { body: {}, headers: { prefer: 'wait=10' } }));
    };
    const capture = await maintain('capture');
    const refund = await maintain('refund');
    const read = player.keep(await player.shop.read(orderId(order)));
    const at_paypal = read.text.includes('"paypal"');
    return order.code === '944444' && capture.code === '955555' && refund.code === '966666' && at_paypal;
  },
  'saved and paid again': async (player) => {
    const token = tokenOf(await player.tokenize({ token_type: 'recurring' }));
    const first = await pay(player, token);
    const more = { payment_channel: 'recurring', order_merchant_id: `${player.reference}-2` };
    return first.code === '944444' && (await pay(player, token, more)).status === 200;
  },
  'saved, and its cvc entered again': async (player) => {
    const token = tokenOf(await player.tokenize({ token_type: 'recurring' }));
    const first = await pay(player, token);
    const again = player.keep(await player.shop.vault('/token', { body: { token, cvc: CVC } }));
    const second = await pay(player, token, { order_merchant_id: `${player.reference}-2` });
    return first.code === '944444' && again.code === '999999' && second.code === '944444';
  },
  'tokenized twice under one key, and never paid': async (player) => {
    const more = { headers: { 'idempotency-key': player.reference } };
    const first = tokenOf(await player.tokenize({}, more));
    return first !== 'none' && tokenOf(await player.tokenize({}, more)) === first;
  },
  'refused: mistyped, too long, a number, expired': async (player) => {
    const { number } = player;
    const last = String((Number(number.at(-1)) + 1) % 10);
    const wrong = [
      { card_number: number.slice(0, -1) + last },
      { card_number: `${number}9999` },
      { card_validity_year: '2019' },
      { cvc: `${CVC}${CVC}` },
    ];
    const replies = [];
    for (const card of wrong) replies.push(await player.tokenize(card));
    return replies.every((reply) => reply.status === 400);
  },
  'refused: in the wrong field': async (player) => {
    const { number } = player;
    const wrong = [{ cardholder_name: number }, { cvc: number }, { token_type: number }, { checkout_id: number }];
    const replies = [];
    for (const card of wrong) replies.push(await player.tokenize(card));
    replies.push(await player.tokenize({ [number]: number, cvc: '' }));
    return replies.every((reply) => reply.status === 400);
  },
  'tokenized as JSON escapes': async (player) => {
    const { shop, keep, number } = player;
    const escaped = number.replace(/\d/g, (digit) => String.raw`\u003${digit}`);
    const body = `{"card_number":"${escaped}","cvc":"${CVC}","card_validity_month":"11","card_validity_year":"2033"}`;
    return (await pay(player, tokenOf(keep(await shop.vault('/token', { body }))))).code === '944444';
  },
  'refused: written otherwise, as a name, a number and a form': async (player) => {
    const { shop, keep, number } = player;
    const inWriting = (zero: number) => number.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    const dotted = number.replace(/(.{4})(?=.)/g, '$1.');
    const wrong = [0xff10, 0x660].flatMap((zero) => [
      { cardholder_name: inWriting(zero) },
      { card_number: inWriting(zero) },
    ]);
    const replies = [];
    for (const card of [...wrong, { cardholder_name: dotted }]) replies.push(await player.tokenize(card));
    const percent = number.replace(/\d/g, (digit) => `%3${digit}`);
    const form = `card_number=${percent}&cvc=${CVC}`;
    const part = `--b\r\ncontent-disposition: form-data; name="card_number"\r\n\r\n${number}\r\n--b--\r\n`;
    const typed = (body: string, type: string) => shop.vault('/token', { body, headers: { 'content-type': type } });
    const others = [
      keep(await typed(form, 'application/x-www-form-urlencoded')),
      keep(await typed(part, 'multipart/form-data; boundary=b')),
    ];
    return replies.every((reply) => reply.status === 400) && others.every((reply) => reply.status === 415);
  },
  'refused: no JSON, no key, too large': async (player) => {
    const { shop, keep, number } = player;
    const text = `{"card_number":"${number}","cvc":"${CVC}"`;
    const replies = [
      keep(await shop.vault('/token', { body: text })),
      keep(await shop.vault('/token', { body: `${text}}`, key: 'FL_PUB_unknown' })),
      keep(await shop.vault('/token', { body: `${text},"x":"${'x'.repeat(9000)}"}` })),
      keep(await shop.vault('/token', { body: `${text}}`, headers: { 'content-type': 'text/plain' } })),
    ];
    return replies.map((reply) => reply.status).join() === '400,403,413,415';
  },
};

const DECLINES = RESULTS.filter((row) => row.phase === 'authorization' && !row.name.endsWith('_pending'));

/** Plays every flow in turn until `cards` of them were played, several at a time. */
export async function play(shop: Client, cards: number): Promise<Played> {
  const numbers: string[] = [];
  const answers: string[] = [];
  const flows = new Map<string, { played: number; right: number }>();
  let requests = 0;
  const names = Object.keys(FLOWS);
  const keep = (reply: Reply) => {
    requests++;
    answers.push(reply.text, JSON.stringify([...reply.headers]));
    return reply;
  };
  const one = async (n: number) => {
    const declined = n % (names.length + 1) === names.length;
    const decline = DECLINES[Math.floor(n / (names.length + 1)) % DECLINES.length];
    const name = declined ? 'declined' : (names[n % (names.length + 1)] ?? '');
    const number = declined ? codeCanary(decline?.code ?? '') : canary(n);
    numbers.push(number);
    const card = { card_number: number, cvc: CVC, card_validity_month: '11', card_validity_year: '2033' };
    const tokenize = async (fields: object = {}, more: object = {}) =>
      keep(await shop.vault('/token', { body: { ...card, ...fields }, ...more }));
    const player: Player = { shop, number, tokenize, keep, reference: `canary-${n}` };
    const play_one = FLOWS[name] ?? (async () => (await pay(player, tokenOf(await tokenize()))).status === 200);
    const count = flows.get(name) ?? { played: 0, right: 0 };
    flows.set(name, count);
    count.played++;
    if (await play_one(player)) count.right++;
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < cards) await one(next++);
    }),
  );
  return { numbers, requests, flows, answers: answers.join('\n') };
}

/** Requests with cards that are not looked for: what comes after a card and covers its traces. */
export async function playOthers(shop: Client, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const reply = await shop.vault('/token', {
      body: { card_number: '4242424242424242', cvc: '123', card_validity_month: '1', card_validity_year: '34' },
    });
    if (reply.status !== 200) throw new Error(`a card in between was answered ${reply.status}`);
  }
  await shop.checkout({ ...CHECKOUT, order_merchant_id: 'the last one' });
}
