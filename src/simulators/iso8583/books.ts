// The books of the simulated acquirer: the amounts held, captured and refunded, and the balance of each card. They
// share nothing with Florin's tables, so agreement between the two proves something.
import { DAY_MS } from '../../core/durations.ts';
import { EMPTY_CARD, LIMITED_CARD, behaviourOf } from './behaviour.ts';
import type { Request } from './message.ts';

export type Entry = {
  /** From the message that made the entry: its type, trace number and time. */
  readonly type: string;
  readonly trace: string;
  readonly sent_at: string;
  readonly terminal: string;
  readonly merchant: string;
  readonly reference: string;
  /** The sender's reference (tag `reference`). */
  readonly their_reference: string;
  readonly account: Account;
  readonly currency: string;
  readonly authorized: bigint;
  readonly approval: string;
  /** The data that came with the message beside the card. */
  readonly scheme: string;
  readonly exemption: string;
  readonly authentication_value: string;
  readonly eci: string;
  /** Fields 22 and 25: how the card number was read, and where the payment takes place. */
  readonly entry: string;
  readonly condition: string;
  readonly expires_at: number;
  held: bigint;
  captured: bigint;
  refunded: bigint;
  state: 'open' | 'cancelled' | 'reversed' | 'expired';
};

export type Account = { balance: bigint; limit: bigint };

export type Verdict = {
  readonly code: string;
  readonly approval?: string;
  readonly amount?: bigint;
  /** The scheme's id of a payment. */
  readonly network_reference?: string;
};

const BALANCE = 100_000_000n;
const LIMIT = 10_000_000n;
const HOLD_MS = 7 * DAY_MS;
const MOST = 100_000;

const NO_ORIGINAL = { code: '25' } as const;
const WRONG_STATE = { code: '12' } as const;
const TOO_MUCH = { code: '13' } as const;
const DONE = { code: '00' } as const;

export class Books {
  private readonly now: () => Date;
  private readonly accounts = new Map<string, Account>();
  private readonly entries: Entry[] = [];
  private count = 0;

  constructor(now: () => Date) {
    this.now = now;
  }

  list(): readonly Entry[] {
    this.expire();
    return this.entries;
  }

  accountOf(number: string): Account {
    const known = this.accounts.get(number);
    if (known) return known;
    const made = { balance: number === EMPTY_CARD ? 0n : BALANCE, limit: number === LIMITED_CARD ? 0n : LIMIT };
    this.accounts.set(number, made);
    return made;
  }

  /** Does what one message asks for. World answers repeats, so they do not reach this method. */
  judge(request: Request): Verdict {
    this.expire();
    const processing = request.texts.get(3) ?? '';
    switch (request.type.slice(0, 3)) {
      case '010':
        return this.authorize(request);
      case '020':
        return processing.startsWith('20') ? this.refund(request) : this.authorize(request);
      case '022':
        return this.capture(request);
      case '040':
        return this.cancel(request);
      case '042':
        return this.reverse(request);
      default:
        return WRONG_STATE;
    }
  }

  private authorize(request: Request): Verdict {
    const text = (field: number) => request.texts.get(field) ?? '';
    const asked = BigInt(text(4) || '0');
    const proved = (request.tags['authentication_value'] ?? request.tags['token_cryptogram']) !== undefined;
    const about = { number: text(2), expiry: text(14), amount: text(4), merchant: text(42), proved, now: this.now() };
    const code = behaviourOf(about);
    const is_done = code === undefined || code === '10' || code === '94';
    if (!is_done) return { code };
    const account = this.accountOf(text(2));
    const amount = code === '10' ? asked / 2n : asked;
    if (amount > account.limit) return { code: '61' };
    if (amount > account.balance) return { code: '51' };
    if (this.entries.length >= MOST) return { code: '96' };
    account.balance -= amount;
    const is_sale = request.type.startsWith('020');
    const approval = (++this.count).toString(36).toUpperCase().padStart(6, '0');
    this.entries.push({
      type: `${request.type.slice(0, 3)}0`,
      trace: text(11),
      sent_at: text(7),
      terminal: text(41),
      merchant: text(42),
      reference: text(37),
      their_reference: request.tags['reference'] ?? '',
      account,
      currency: text(49),
      authorized: amount,
      approval,
      scheme: request.tags['scheme'] ?? '',
      exemption: request.tags['exemption'] ?? '',
      authentication_value: request.tags['authentication_value'] ?? '',
      eci: request.tags['eci'] ?? '',
      entry: request.texts.get(22) ?? '',
      condition: request.texts.get(25) ?? '',
      expires_at: this.now().getTime() + HOLD_MS,
      held: is_sale ? 0n : amount,
      captured: is_sale ? amount : 0n,
      refunded: 0n,
      state: 'open',
    });
    return { code: code ?? '00', approval, amount, network_reference: `SCHEME-${approval}` };
  }

  private capture(request: Request): Verdict {
    const entry = this.original(request);
    if (!entry) return NO_ORIGINAL;
    const amount = BigInt(request.texts.get(4) ?? '0');
    if (entry.state !== 'open') return WRONG_STATE;
    if (amount > entry.held) return TOO_MUCH;
    entry.held -= amount;
    entry.captured += amount;
    if (request.tags['last_capture'] === 'Y') release(entry);
    return DONE;
  }

  private refund(request: Request): Verdict {
    const [reference, merchant] = [request.texts.get(37), request.texts.get(42)];
    const entry = this.entries.find((one) => one.reference === reference && one.merchant === merchant);
    if (!entry) return NO_ORIGINAL;
    const amount = BigInt(request.texts.get(4) ?? '0');
    if (entry.state === 'reversed') return WRONG_STATE;
    if (amount > entry.captured - entry.refunded) return TOO_MUCH;
    entry.refunded += amount;
    entry.account.balance += amount;
    return DONE;
  }

  private cancel(request: Request): Verdict {
    const entry = this.original(request);
    if (!entry) return NO_ORIGINAL;
    if (entry.state !== 'open' || entry.captured > 0n) return WRONG_STATE;
    release(entry);
    entry.state = 'cancelled';
    return DONE;
  }

  /** Undoes an authorization or a sale. An entry that is no longer open needs no reversal. */
  private reverse(request: Request): Verdict {
    const entry = this.original(request);
    if (!entry) return NO_ORIGINAL;
    if (entry.state !== 'open') return DONE;
    const is_sale = entry.type === '0200';
    if (entry.refunded > 0n || (entry.captured > 0n && !is_sale)) return WRONG_STATE;
    release(entry);
    entry.account.balance += entry.captured;
    entry.captured = 0n;
    entry.state = 'reversed';
    return DONE;
  }

  private original({ original, texts }: Request): Entry | undefined {
    return this.entries.find(
      (entry) =>
        entry.type === original?.type &&
        entry.trace === original.trace &&
        entry.sent_at === original.sent_at &&
        entry.terminal === texts.get(41) &&
        entry.merchant === texts.get(42),
    );
  }

  private expire(): void {
    const now = this.now().getTime();
    for (const entry of this.entries) {
      if (entry.state !== 'open' || entry.expires_at > now || entry.held === 0n) continue;
      release(entry);
      if (entry.captured === 0n) entry.state = 'expired';
    }
  }
}

function release(entry: Entry): void {
  entry.account.balance += entry.held;
  entry.held = 0n;
}
