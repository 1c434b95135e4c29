// The messages of the simulated provider to our side (its webhooks). This is their whole definition:
//
//   POST {url}            the address it was given (control: POST /control), {base_url}/provider/simulator/events; what another
//                         provider tells goes to its own: {base_url}/provider/simulator_b/events
//   content-type: application/json
//   x-simulator-timestamp: 1763712000000               milliseconds in real time, new for each try: of the delivery, not of what it tells
//   x-simulator-signature: <lower-case hex>            HMAC-SHA256 with the provider's secret (its text as UTF-8) over
//                                                      `{timestamp}.{body}`, the body as it was sent
//   { "id": "evt_simulator_authorize_66bf18d2…_approved_1763712000000",   the same for every try and repeat of one event
//     "provider": "simulator", "reference": "66bf18d2…",   our operation id. Of a sale's capture: the sale's own
//     "order_id": "66bf18d2…", "merchant_account_id": "66bf18d2…",
//     "kind": "authorize" | "capture" | "refund" | "cancel" | "dispute",
//     "status": "approved" | "declined" | "pending" | "failed" | "lapsed" | "opened" | "won" | "lost",
//     "amount": 4250, "currency": "EUR",               minor units
//     "captured": false,                               of an authorization: captured in the same step
//     "provider_ref": "pay_66bf18d2…", "authorization_code": "1A2B3C",
//     "state": "held", "code": "944444", "text": "authorization successful",
//     "at": "2025-11-21T08:00:00.000Z" }               when it happened, on the sandbox clock
//
// Any 2xx is "taken up". Everything else is tried again after 1, 2, 4 … 64 seconds, then given up: an inquiry tells the same.
// A dispute's reference is that of the capture it is about; its code and text say why the payer disputes. The bank's word about an
// authentication (three-ds/teller.ts) goes the same way, with the same headers and tries.
import { createHmac } from 'node:crypto';
import { type ResultName, result } from '../../core/results.ts';
import type { Egress } from '../../kit/egress.ts';
import { type Entry, type EntryKind, idOf } from '../entry.ts';
import { authorizationCode } from '../call/answer.ts';

export type NewsStatus = 'approved' | 'declined' | 'pending' | 'failed' | 'lapsed' | 'opened' | 'won' | 'lost';
export type News = {
  readonly entry: Entry;
  readonly kind: EntryKind | 'dispute';
  readonly status: NewsStatus;
  readonly ends: ResultName;
  /** When it happened. */
  readonly at: number;
};

type MessageRequest = { readonly provider: string; readonly body: string };

export type Receiver = {
  readonly url: string;
  readonly secret: string;
  /** By provider, of those that have one of their own. */
  readonly secrets?: Readonly<Record<string, string>>;
};

function messageOf({ entry, kind, status, ends, at }: News): string {
  const { provider, reference, order_id, merchant_account_id, amount, currency, state } = entry;
  const { code, description } = kind === 'dispute' ? DISPUTE : result(ends);
  const approved = kind === 'authorize' && status === 'approved';
  return JSON.stringify({
    id: `evt_${provider}_${kind}_${reference}_${status}_${at}`,
    provider,
    reference,
    order_id,
    merchant_account_id,
    kind,
    status,
    amount,
    currency,
    captured: approved && ends === 'capture_successful',
    provider_ref: idOf(entry),
    authorization_code: approved ? authorizationCode(reference) : '',
    state,
    code,
    text: description,
    at: new Date(at).toISOString(),
  });
}

/** Why a payer disputes, in the words of a card scheme. */
const DISPUTE = { code: '10.4', description: 'other fraud, card absent' };

export class Messenger {
  receiver: Receiver | null = null;
  /** In real time. */
  private readonly now: () => number;
  /** Loaded and opened for the first message: most banks send none, and their process starts a fifth sooner without it. */
  private egress: Promise<Egress> | undefined;
  private readonly pending = new Set<Promise<boolean>>();
  private ended = false;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Sends one message; done when it was taken up, or when trying goes on by itself after a failed first try. */
  send(news: News): Promise<void> {
    return this.tell(messageOf(news), news.entry.provider);
  }

  /** The same with a body of another part of the sandbox (three-ds/messages.ts). */
  tell(body: string, provider = 'simulator'): Promise<void> {
    return this.receiver === null ? Promise.resolve() : this.try({ provider, body }, this.receiver, 0);
  }

  /** Done when every first try so far is over. */
  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  async stop(): Promise<void> {
    this.ended = true;
    await (await this.egress)?.close();
  }

  private async try(told: MessageRequest, receiver: Receiver, tries: number): Promise<void> {
    const first = this.post(told, receiver);
    this.pending.add(first);
    const taken = await first;
    this.pending.delete(first);
    if (taken || tries >= TRIES || this.ended) return;
    setTimeout(
      () => {
        if (!this.ended) void this.try(told, this.receiver ?? receiver, tries + 1);
      },
      1000 * 2 ** tries,
    ).unref();
  }

  private async post({ provider, body }: MessageRequest, { url, secret: common, secrets }: Receiver): Promise<boolean> {
    const secret = secrets?.[provider] ?? common;
    const timestamp = String(this.now());
    const { origin, pathname } = new URL(url);
    this.egress ??= import('../../kit/egress.ts').then(({ openEgress }) => openEgress());
    const egress = await this.egress;
    const exchange = await egress.exchange({
      method: 'POST',
      origin,
      // a simulated provider signs messages about its own payments only
      path: pathname.replace('/provider/simulator/', `/provider/${provider}/`),
      headers: {
        'content-type': 'application/json',
        'x-simulator-timestamp': timestamp,
        'x-simulator-signature': createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex'),
      },
      body: Buffer.from(body),
      deadline_ms: ANSWER_MS,
      max_answer_bytes: 65_536,
    });
    return exchange.kind === 'answered' && exchange.status >= 200 && exchange.status < 300;
  }
}

const TRIES = 7;
const ANSWER_MS = 5_000;
