// The messages of the simulated provider to our side (its webhooks). This is their complete definition:
//
//   POST {url}/provider/{provider}/{contract}/events   `url` is from POST /control, `contract` is the one that
//                                                      subscribed for the account (POST /subscriptions);
//                                                      without a subscription no message is sent
//   content-type: application/json
//   x-simulator-timestamp: 1763712000000               the real time of this delivery in milliseconds, new for each try
//   x-simulator-signature: <lower-case hex>            HMAC-SHA256 with the contract's secret (its text as UTF-8) over
//                                                      `{timestamp}.{body}`, the body as it was sent
//   { "id": "evt_simulator_authorize_66bf18d2…_approved_1763712000000",   the same for each try and repeat
//     "provider": "simulator", "reference": "66bf18d2…",   our operation id; for a sale's capture that of the sale
//     "order_id": "66bf18d2…",
//     "kind": "authorize" | "capture" | "refund" | "cancel" | "dispute",
//     "status": "approved" | "declined" | "pending" | "failed" | "lapsed" | "opened" | "won" | "lost",
//     "amount": 4250, "currency": "EUR",               minor units
//     "captured": false,                               for an authorization: captured in the same step
//     "provider_ref": "pay_66bf18d2…", "authorization_code": "1A2B3C",
//     "state": "held", "code": "944444", "text": "authorization successful",
//     "advice": { "source": "mastercard", "code": "25" }, "response_code": "51",   of a declined authorization,
//                                                      if the scheme gave them
//     "at": "2025-11-21T08:00:00.000Z" }               when it happened, on the sandbox clock
//
// A 2xx status means that the message was accepted. After any other answer it is sent again after 1, 2, 4 … 64 seconds,
// and then given up: an inquiry tells the same. A dispute has the reference of its capture; its code and text say why
// the payer disputes. The bank's message about an authentication (three-ds/teller.ts) has the same headers and tries,
// goes to {url}/authentication/simulator/events, and is signed with the secret that came with the url.
import { createHmac } from 'node:crypto';
import { type ResultName, result } from '../../core/results.ts';
import type { Egress } from '../../kit/egress.ts';
import { type Entry, type EntryKind, idOf } from '../entry.ts';
import { authorizationCode } from '../call/answer.ts';
import type { Subscriptions } from './subscriptions.ts';

export type NewsStatus = 'approved' | 'declined' | 'pending' | 'failed' | 'lapsed' | 'opened' | 'won' | 'lost';
export type News = {
  readonly entry: Entry;
  readonly kind: EntryKind | 'dispute';
  readonly status: NewsStatus;
  readonly ends: ResultName;
  /** When it happened. */
  readonly at: number;
};

type Outgoing = { readonly path: string; readonly body: string; readonly secret: string };

export type Receiver = {
  /** The address for messages of the payment API. */
  readonly url: string;
  /** The secret for messages of the payers' bank. */
  readonly secret: string;
};

function messageOf({ entry, kind, status, ends, at }: News): string {
  const { provider, reference, order_id, amount, currency, state } = entry;
  const { code, description } = kind === 'dispute' ? DISPUTE : result(ends);
  const approved = kind === 'authorize' && status === 'approved';
  return JSON.stringify({
    id: `evt_${provider}_${kind}_${reference}_${status}_${at}`,
    provider,
    reference,
    order_id,
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
    ...(kind === 'authorize' && status === 'declined' && entry.scheme),
    at: new Date(at).toISOString(),
  });
}

/** The reason of a dispute, in a card scheme's words. */
const DISPUTE = { code: '10.4', description: 'other fraud, card absent' };

export class Messenger {
  receiver: Receiver | null = null;
  readonly subscriptions: Subscriptions;
  /** The real time. */
  private readonly now: () => number;
  /**
   * Loaded and opened for the first message: most banks send none, and without it their process starts a fifth faster.
   */
  private egress: Promise<Egress> | undefined;
  private readonly pending = new Set<Promise<boolean>>();
  private ended = false;
  private count = 0;

  constructor(now: () => number, subscriptions: Subscriptions) {
    this.now = now;
    this.subscriptions = subscriptions;
  }

  /**
   * Sends one message. Resolves when it was accepted, or when its first try failed; further tries go on in the
   * background.
   */
  send(news: News): Promise<void> {
    const subscription = this.subscriptions.find(news.entry);
    if (this.receiver === null || subscription === undefined) return Promise.resolve();
    const { provider, contract_id, secret } = subscription;
    return this.try({ path: `/provider/${provider}/${contract_id}/events`, body: messageOf(news), secret }, 0);
  }

  /** Sends the message of a payer's bank (three-ds/teller.ts). */
  tell(body: string): Promise<void> {
    if (this.receiver === null) return Promise.resolve();
    return this.try({ path: '/authentication/simulator/events', body, secret: this.receiver.secret }, 0);
  }

  /** The number of messages so far, without repeated tries. */
  get sent(): number {
    return this.count;
  }

  /** Resolves when every first try so far is over. */
  async settled(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  async stop(): Promise<void> {
    this.ended = true;
    await (await this.egress)?.close();
  }

  private async try(told: Outgoing, tries: number): Promise<void> {
    if (tries === 0) this.count++;
    const first = this.post(told);
    this.pending.add(first);
    const taken = await first;
    this.pending.delete(first);
    if (taken || tries >= TRIES || this.ended) return;
    setTimeout(
      () => {
        if (!this.ended) void this.try(told, tries + 1);
      },
      1000 * 2 ** tries,
    ).unref();
  }

  /** Sends to the present address of the API, which may have been started again since the first try. */
  private async post({ path, body, secret }: Outgoing): Promise<boolean> {
    if (this.receiver === null) return true;
    const timestamp = String(this.now());
    const { origin } = new URL(this.receiver.url);
    this.egress ??= import('../../kit/egress.ts').then(({ openEgress }) => openEgress());
    const egress = await this.egress;
    const exchange = await egress.exchange({
      method: 'POST',
      origin,
      path,
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
/**
 * Longer than our side takes for any answer (answer_ms in kit/http/limits.ts). Else a slow machine would count as one
 * that did not receive the message, and a moved clock would go on before our side knows what happened.
 */
const ANSWER_MS = 30_000;
