// florin demo routing: shows what routing, health and the limits of card schemes do, on a running sandbox and its
// clock.
import { DAY_S } from '../../core/durations.ts';
import type { RouteDraft } from '../../core/routing/table.ts';
import type { PolicyName } from '../../core/retries/policy.ts';
import { demoAccount } from '../../hosts/demo-account.ts';
import { systemChance, systemClock } from '../../kit/clock.ts';
import { StartError } from '../../kit/start-error.ts';
import { draftRoutes } from '../../payment/routing/publish.ts';
import { tryRoutes } from '../../payment/routing/try.ts';
import type { Tools } from '../../payment/tools.ts';
import { type Json, type Merchant, codeOf, isJson, listIn, openMerchant, textIn } from '../sandbox/session.ts';
import { goWithClock, openMoney } from '../ledger/session.ts';
import { openSecretKey } from '../../payment/secret-key.ts';
import { parseJson } from '../../core/json.ts';
import { result } from '../../core/results.ts';
import { trialText } from './trial-text.ts';

export type Stage = {
  readonly merchant: Merchant;
  /** Tools for the merchant's own account. */
  readonly tools: Tools;
  readonly account: string;
  say(line: string): void;
};

export async function demoRouting(): Promise<void> {
  const merchant = openMerchant(undefined);
  await using money = await openMoney();
  const secret_key = await openSecretKey(money.tools, money.config);
  const tools = { ...money.tools, secret_key };
  const { merchant_account_id: account } = demoAccount(money.config, systemChance(systemClock()));
  await playRouting({ merchant, tools, account, say: (line) => console.log(line) });
}

export async function playRouting(stage: Stage): Promise<void> {
  await later(stage);
  await advice(stage);
  await cap(stage);
  // declines are counted for each contract, and from here on payments go to both
  await outage(stage);
  await trial(stage);
}

const [FIRST, SECOND] = ['simulator', 'simulator_b'] as const;
const TROUBLE = result('acquirer_unreachable').code;
const HELD = result('authorization_declined_final').code;

let count = 0;

type Paying = { readonly card: string; readonly alone?: true; readonly retry_policy?: PolicyName };

/** `alone`: the merchant pays with a stored card, without the payer. */
async function pay(merchant: Merchant, { card, alone, ...more }: Paying): Promise<Json> {
  const token = await merchant.token(card, alone ? { token_type: 'recurring' } : {});
  const order_merchant_id = `routing-${systemClock().now().getTime().toString(36)}-${(count += 1)}`;
  const body = {
    token,
    operation_type: 'direct_capture',
    amount: '25.00',
    currency: 'EUR',
    order_merchant_id,
    ...(alone && { payment_channel: 'recurring', token_type: 'recurring' }),
    ...more,
  };
  const headers = { prefer: 'wait=10', 'idempotency-key': order_merchant_id };
  const { body: said } = await merchant.ask('/payment/order', { body, headers });
  return said;
}

async function read(merchant: Merchant, order: Json): Promise<readonly Json[]> {
  return listIn(await merchant.get(`/payment/order/${textIn(order, 'order_id')}`), 'transactions');
}

const title = ({ say }: Stage, text: string) => say(`\n${text}\n${'─'.repeat(text.length)}`);

/** The demo makes this many payments, and then looks this often, before it says that the outage was not found. */
const PAYMENTS = 6;
const LOOKS = 60;

async function outage(stage: Stage): Promise<void> {
  const { merchant, say } = stage;
  title(stage, 'An outage found in six payments');
  const fault = { operation: 'direct_capture', fault: 'decline', code: TROUBLE, provider: FIRST, times: 100 };
  await merchant.get('/sandbox/scenario', { body: fault });
  say(`${FIRST} answers every payment that its acquirer is not there.`);
  for (let i = 1; i <= PAYMENTS; i++) {
    const tried = await read(merchant, await pay(merchant, { card: '4242424242424242' }));
    say(`  payment ${i}: ${tried.map((one) => textIn(one, 'payin_partner')).join(', then ')}`);
  }
  for (let looks = 0; looks < LOOKS; looks++) {
    const [first] = await read(merchant, await pay(merchant, { card: '5555555555554444' }));
    const routing = first?.['routing'];
    if (textIn(first ?? {}, 'payin_partner') === SECOND && isJson(routing)) {
      say(
        `  then at once ${SECOND}: ${FIRST} is left out (${listIn(routing, 'skipped')
          .map((one) => textIn(one, 'reason'))
          .join()})`,
      );
      await merchant.get('/sandbox/scenario', { method: 'DELETE' });
      return;
    }
    await systemClock().sleep(500);
  }
  throw new StartError(`${FIRST} was not left alone.`);
}

/**
 * Florin tries again by itself: a decline for lack of funds is tried again on the third day, or on the payday after it.
 */
async function later(stage: Stage): Promise<void> {
  const { merchant, say } = stage;
  title(stage, 'A lack of funds, tried again by itself');
  const order = await pay(merchant, { card: '4000009908000048', alone: true, retry_policy: 'default' });
  const { state, reason, tries_left, next } = retryOf(order);
  say(
    `  declined ${codeOf(order)}: ${state}, ${reason}, tries left ${tries_left}, the next ${new Date(next).toISOString()}`,
  );
  let days = 0;
  let now = order;
  while (retryOf(now).state !== 'ended' && days < LONGEST_DAYS) {
    await merchant.get('/sandbox/clock/advance', { body: { seconds: DAY_S } });
    days += 1;
    now = await merchant.get(`/payment/order/${textIn(order, 'order_id')}`);
  }
  const end = retryOf(now);
  say(`  day ${days}: ${textIn(now, 'status')}, later tries ${end.tries}: ${end.state}, ${end.reason}`);
}

/** The first wait with its payday, and one more day in case that day's morning has not come. */
const LONGEST_DAYS = 6;

function retryOf(order: Json) {
  const retry = order['retry'];
  if (!isJson(retry)) throw new StartError('No later try was planned.');
  return {
    state: textIn(retry, 'state'),
    reason: textIn(retry, 'reason'),
    tries: String(retry['tries']),
    tries_left: String(retry['tries_left']),
    next: textIn(retry, 'next_try_date'),
  };
}

/** A new order does not avoid the advice that the first one got. */
async function advice(stage: Stage): Promise<void> {
  const { merchant, say } = stage;
  title(stage, 'Advice to wait a day');
  const order = await pay(merchant, { card: '5300000000000105', alone: true });
  const [first] = await read(merchant, order);
  say(`  declined ${codeOf(order)}, ${textIn(first ?? {}, 'advice_code')}: ${textIn(first ?? {}, 'retry_class')}`);
  const soon = await pay(merchant, { card: '5300000000000105', alone: true });
  say(`  at once again ${codeOf(soon)}, not sent: ${textIn(soon, 'psp_result_description')}`);
}

const CAPPED = 19;

async function cap(stage: Stage): Promise<void> {
  const { merchant, say } = stage;
  title(stage, 'A cap that holds back the 19th try');
  const codes: string[] = [];
  let last: Json = {};
  while (codes.length < CAPPED && codes.at(-1) !== HELD) {
    last = await pay(merchant, { card: '4000000000000002', alone: true });
    codes.push(codeOf(last));
  }
  say(`  Visa, without the payer: ${codes.length - 1} declines ${codes[0] ?? ''}`);
  say(`  try ${codes.length}: ${codes.at(-1) ?? ''}, ${textIn(last, 'psp_result_description')}`);
  if (codes.length < CAPPED) say('  (declines of an earlier play count, too)');
}

const RULE = {
  rules: [
    {
      name: 'Mastercard to the second',
      when: { scheme: ['mastercard'] },
      then: { order: [SECOND, FIRST] },
    },
  ],
};

async function trial(stage: Stage): Promise<void> {
  const { tools, account, say } = stage;
  title(stage, "A rule tried on the demo's past");
  await goWithClock(tools);
  say(`  ${JSON.stringify(RULE.rules[0])}\n`);
  const { draft }: { readonly draft: RouteDraft } = await draftRoutes(tools, account, parseJson(JSON.stringify(RULE)));
  const found = await tryRoutes(tools, account, { draft, examples: 3 });
  say(trialText(found));
}
