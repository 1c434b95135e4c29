// How the card numbers of contract 15.2 and 15.3 (core/sandbox/cards.ts) change an operation from a plain one.
import { DAY_S, HOUR_S } from '../../core/durations.ts';
import type { ResultName } from '../../core/results.ts';
import type { SchemeWords } from '../../core/retries/follow.ts';
import { MISTYPED_CARD, SCENARIO_CARDS, type SandboxCard, WELL_KNOWN_CARDS } from '../../core/sandbox/cards.ts';
import type { Twist } from './fault.ts';

/** What a card decides about one kind of follow-up operation: about the first one, or about every one. */
export type Planned = {
  readonly operation: 'capture' | 'refund' | 'cancel';
  readonly twist: Twist;
  readonly every?: true;
};

type Ways = {
  readonly authorize: Twist;
  /** The authorization of an authenticated payer; absent: no difference. */
  readonly authenticated?: Twist;
  /** True: a payer who has authenticated once does not have to for a recurring payment. */
  readonly remembers?: true;
  readonly planned?: Planned;
  /** Only this provider behaves so; at the other one every operation is plain. */
  readonly only_at?: string;
};

export type CardRow = SandboxCard & Ways;

/** An issuer that requires authentication declines softly if the request shows none. */
const SOFT = soft({});

/** By card number. For any other number every operation is plain. */
const WAYS: Readonly<Record<string, Ways>> = {
  '4000000000000002': declined('issuer_declined'),
  '4000000000000341': declined('issuer_declined'),
  '4000000000009995': declined('funds_insufficient'),
  '4000000000006975': declined('limit_reached'),
  '4000000000009987': declined('card_lost'),
  '4000000000009979': declined('card_stolen'),
  '4000000000000069': declined('card_expired'),
  '4000000000000127': declined('card_data_invalid'),
  '4000000000000119': declined('provider_unreachable'),
  // our risk rules refuse this one before any call; if they are switched off, the provider's own rules do
  '4100000000000019': declined('risk_refused'),
  '4000000000004954': authorized({ risk_score: 95 }),
  '4000000000009235': authorized({ risk_score: 65 }),
  '4000002760003184': SOFT,
  '4000000000003220': SOFT,
  '4000002500003155': { ...SOFT, remembers: true },
  '4000008260003178': soft({ ends: 'funds_insufficient' }),
  '4000008400001629': soft({ ends: 'issuer_declined' }),
  '4000000000000259': captured({ after_s: DAY_S, does: 'dispute_opened' }),
  '4000000000007726': {
    authorize: {},
    planned: { operation: 'refund', twist: { fault: 'pending', seconds: HOUR_S }, every: true },
  },
  '4000000000005126': follows('refund', fails(HOUR_S, 'refund_declined')),

  '4000009901000011': authorized({ fault: 'timeout_taken', afterwards: [{ after_s: 60, does: 'tell' }] }),
  '4000009901000029': authorized({ fault: 'timeout_not_taken' }),
  '4000009901000052': { ...authorized({ fault: 'refuse_connection' }), only_at: 'simulator' },
  '4000009901000045': authorized({ fault: 'close_mid_response' }),
  '4000009901000060': authorized({ fault: 'http_500_after' }),
  '4000009901000078': authorized({ fault: 'garbage' }),
  '4000009901000086': authorized({ fault: 'wrong_amount' }),
  '4000009901000037': authorized({ fault: 'answer_twice' }),
  '4000009901000094': authorized({ fault: 'callback_first' }),
  '4000009901000102': authorized({ fault: 'callback_twice' }),
  '4000009901000110': authorized({ fault: 'pending', seconds: 60 }),
  '4000009901000128': authorized({ fault: 'pending', seconds: 60, ends: 'issuer_declined' }),
  '4000009901000136': authorized({ fault: 'late_commit', after_reversal: true }),
  '4000009902000010': follows('capture', { ends: 'acquirer_capture_declined' }),
  '4000009902000028': follows('capture', { fault: 'timeout_taken' }),
  '4000009902000036': follows('capture', { fault: 'pending', seconds: DAY_S }),
  '4000009902000044': follows('capture', fails(DAY_S, 'capture_declined')),
  '4000009902000051': authorized({ afterwards: [{ after_s: HOUR_S, does: 'lapse' }] }),
  '4000009903000019': follows('refund', { ends: 'acquirer_refund_declined' }),
  '4000009903000027': follows('refund', fails(2 * DAY_S, 'refund_declined')),
  '4000009903000035': follows('refund', { fault: 'timeout_taken' }),
  '4000009903000043': follows('refund', { fault: 'pending', seconds: DAY_S }),
  '4000009904000018': follows('cancel', { ends: 'acquirer_cancel_declined' }),
  '4000009904000026': follows('cancel', { fault: 'timeout_taken' }),
  '4000009906000016': captured(
    { after_s: 40 * DAY_S, does: 'dispute_opened' },
    { after_s: 70 * DAY_S, does: 'dispute_lost' },
  ),
  '4000009906000024': captured(
    { after_s: 40 * DAY_S, does: 'dispute_opened' },
    { after_s: 70 * DAY_S, does: 'dispute_won' },
  ),
  '4000009908000014': declined('issuer_declined', { response_code: '46' }),
  '5300000000000105': {
    authorize: {
      ends: 'funds_insufficient',
      scheme: { advice: { source: 'mastercard', code: '25' }, response_code: '51' },
      passes_after_s: DAY_S,
    },
  },
  '4000009908000048': {
    authorize: { ends: 'funds_insufficient', scheme: { response_code: '51' }, passes_after_s: 2 * DAY_S },
  },
  '4000009908000022': { ...declined('issuer_declined', { response_code: '05' }), only_at: 'simulator' },
  '5300000000000204': declined('issuer_declined', {
    advice: { source: 'mastercard', code: '03' },
    response_code: '05',
  }),
  '4000009908000030': {
    authorize: { ends: 'operation_not_allowed', scheme: { response_code: '57' }, passes_after_s: 0 },
  },
};

export const CARDS: readonly CardRow[] = [...WELL_KNOWN_CARDS, MISTYPED_CARD, ...SCENARIO_CARDS].flatMap(rowsOf);

/** Keeps numbers together that behave alike. */
function rowsOf(card: SandboxCard): readonly CardRow[] {
  const ways = new Set(card.numbers.map((number) => WAYS[number]));
  return [...ways].map((way) => ({
    ...card,
    numbers: card.numbers.filter((number) => WAYS[number] === way),
    ...(way ?? authorized({})),
  }));
}

/** Numbers that have a behaviour but are in no table. A test checks that there are none. */
export const STRAY_NUMBERS: readonly string[] = Object.keys(WAYS).filter(
  (number) => !CARDS.some(({ numbers }) => numbers.includes(number)),
);

function authorized(authorize: Twist): Ways {
  return { authorize };
}

function soft(authenticated: Twist): Ways {
  return { authorize: { ends: 'issuer_soft_decline' }, authenticated };
}

function declined(ends: NonNullable<Twist['ends']>, scheme?: SchemeWords): Ways {
  return { authorize: { ends, ...(scheme && { scheme }) } };
}

function follows(operation: Planned['operation'], twist: Twist): Ways {
  return { authorize: {}, planned: { operation, twist } };
}

function captured(...afterwards: NonNullable<Twist['afterwards']>): Ways {
  return follows('capture', { afterwards });
}

function fails(after_s: number, ends: ResultName): Twist {
  return { afterwards: [{ after_s, does: 'fail', ends }] };
}
