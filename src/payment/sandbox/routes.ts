// The sandbox routes of {base_url} (contract 15.4), each with what it answers. They exist in a sandbox only.
import { type ResultName, result } from '../../core/results.ts';
import { type TableRoute, privateRoute } from '../../kit/http/route.ts';
import {
  flag,
  id,
  integer,
  isoDate,
  isoDateOrNull,
  list,
  number,
  object,
  resultOf,
  text,
  textOrNull,
  withNotes,
  word,
} from '../../kit/http/schema.ts';
import type { Account } from '../merchant/account.ts';
import type { Tools } from '../tools.ts';
import { BOOKS_QUERY, listCards, readBooks } from './books.ts';
import { ADVANCE, advanceClock, checkAdvance, readSandboxClock, replayAdvance } from './clock/clock.ts';
import { SCENARIO, armScenario, checkScenario, listScenarios, removeOnce } from './scenario.ts';

type SandboxRoute = TableRoute<Tools, Account>;

export function sandboxRoutes(): readonly SandboxRoute[] {
  const arm: SandboxRoute = privateRoute({
    method: 'POST',
    path: '/sandbox/scenario',
    operation_id: 'armScenario',
    summary: 'Arm a fault for the next matching calls to the simulated provider',
    tag: 'Sandbox',
    scope: 'sandbox',
    body: SCENARIO,
    answer: object({ result: RESULT, scenario: ARMED }, { title: 'ScenarioAnswer' }),
    check: checkScenario,
    handle: armScenario,
  });
  return [
    ...clockRoutes(),
    {
      ...arm,
      body: arm.body && withNotes(arm.body, { Scenario: NOTES }, { title: 'ScenarioRequest', examples: [EXAMPLE] }),
    },
    privateRoute({
      method: 'GET',
      path: '/sandbox/scenario',
      operation_id: 'listScenarios',
      summary: 'List the armed faults, the oldest first',
      tag: 'Sandbox',
      scope: 'sandbox',
      answer: SCENARIOS,
      handle: (tools, { caller }) => listScenarios(tools, caller),
    }),
    privateRoute({
      method: 'DELETE',
      path: '/sandbox/scenario',
      operation_id: 'removeScenarios',
      summary: 'Remove all armed faults of the account',
      tag: 'Sandbox',
      scope: 'sandbox',
      answer: SCENARIOS,
      handle: removeOnce,
    }),
    privateRoute({
      method: 'GET',
      path: '/sandbox/provider/books',
      operation_id: 'readProviderBooks',
      summary: 'Read what the simulated provider believes, newest first',
      tag: 'Sandbox',
      scope: 'sandbox',
      query: BOOKS_QUERY,
      answer: BOOKS,
      handle: (tools, { caller, query }) => readBooks(tools, caller, query),
    }),
    privateRoute({
      method: 'GET',
      path: '/sandbox/cards',
      operation_id: 'listSandboxCards',
      summary: 'List the card numbers and the challenge codes that mean something here',
      tag: 'Sandbox',
      scope: 'sandbox',
      answer: CARDS,
      handle: listCards,
    }),
  ];
}

function clockRoutes(): readonly SandboxRoute[] {
  const advance: SandboxRoute = privateRoute({
    method: 'POST',
    path: '/sandbox/clock/advance',
    operation_id: 'advanceSandboxClock',
    summary: 'Move the clock of the whole deployment ahead; all work due until then runs in the order of time',
    tag: 'Sandbox',
    scope: 'sandbox',
    body: ADVANCE,
    answer: object(
      { ...CLOCK, settled: flag('All work due until then has run; false: it goes on', true) },
      { title: 'ClockAdvanced' },
    ),
    check: checkAdvance,
    replay: replayAdvance,
    handle: advanceClock,
  });
  const notes = { seconds: 'How far; or to', to: 'Until when: later than now' };
  return [
    privateRoute({
      method: 'GET',
      path: '/sandbox/clock',
      operation_id: 'readSandboxClock',
      summary: 'Read the clock of the deployment, and when something is due next',
      tag: 'Sandbox',
      scope: 'sandbox',
      answer: object(
        { ...CLOCK, next_due: isoDateOrNull('When something waits that the clock moves; null: nothing does') },
        { title: 'SandboxClock' },
      ),
      handle: readSandboxClock,
    }),
    {
      ...advance,
      body:
        advance.body &&
        withNotes(advance.body, { Clock: notes }, { title: 'ClockRequest', examples: [{ seconds: 86_400 }] }),
    },
  ];
}

const RESULT = resultOf('request_completed');
const codeOf = (name: ResultName): string => result(name).code;

const EXAMPLE = { operation: 'capture', fault: 'timeout_taken', match: { order_merchant_id: 'cart-1881' } };

const NOTES = {
  operation: 'Which calls; cancel stands for the reversal of an undecided authorization too',
  fault: 'What goes wrong',
  times: 'How many calls; 1 unless given',
  provider: 'Only at this provider; both unless given',
  code: 'With decline: the result code it ends with',
  advice:
    "With decline, of an authorization: what the card's scheme advises: Mastercard's advice codes, or Visa's as PayPal hands them on",
  response_code: "With decline, of an authorization: the scheme's response code, such as 51 or 46",
  delay_ms: 'The answer leaves so much later',
  seconds: 'With provider_down, pending and callback_never: for how long, on the sandbox clock; 60 unless given',
  match: 'Only calls of this order, merchant reference, amount in major units, or card',
} as const;

const CLOCK = {
  result: RESULT,
  now: isoDate('The present moment here'),
  offset_seconds: number('How far it is ahead of the real time', 86_400),
};

const ARMED = object(
  {
    _id: id('Id of the scenario'),
    operation: text('Which calls', 'capture'),
    fault: text('What goes wrong', 'timeout_taken'),
    times: integer('How many calls it was armed for', 1),
    remaining: integer('How many calls are left', 1),
    match: { type: 'object', description: 'What it is tied to', examples: [{ order_merchant_id: 'cart-1881' }] },
  },
  {
    title: 'Scenario',
    optional: {
      provider: text('Only at this provider', 'simulator'),
      code: text('Result code', codeOf('acquirer_capture_declined')),
      advice: object({ source: text('Whose advice', 'mastercard'), code: text('Its code', '25') }),
      response_code: text("The scheme's response code", '51'),
      delay_ms: integer('The answer leaves so much later', 0),
      seconds: integer('For how long', 60),
    },
  },
);

const SCENARIOS = object({ result: RESULT, scenarios: list('Oldest first', ARMED) }, { title: 'ScenarioList' });

const BOOKS = object(
  {
    result: RESULT,
    entries: list(
      'Newest first',
      object(
        {
          reference: text('Our operation id; of a reversal, that of what it reverses', '66bf18d25d1c9a0e47b2f318'),
          order_id: id('Order'),
          provider: text('simulator or simulator_b', 'simulator'),
          kind: word('What was done', ['authorize', 'capture', 'refund', 'cancel', 'reversal']),
          amount: number('Major units', 42.5),
          currency: text('Three letters', 'EUR'),
          effects: integer('How often it took effect: above 1 means that somebody was charged twice', 1),
          state: word('How it stands', ['held', 'captured', 'refunded', 'released', 'declined', 'pending']),
          calls: integer('How often it was asked for', 1),
          createdAt: isoDate('When it was first asked for'),
        },
        {
          optional: {
            cryptogram_digest: text(
              "Of a network token: the first 16 hex digits of its cryptogram's SHA-256",
              '5cb32608ca20d255',
            ),
            eci: textOrNull('What came with the cryptogram', '05'),
          },
        },
      ),
    ),
    has_more: flag('Whether there are older ones'),
    next_cursor: textOrNull('For the next page; null at the end', null),
  },
  { title: 'ProviderBooks' },
);

const CARDS = object(
  {
    result: RESULT,
    cards: list(
      'One row a number',
      object({
        number: text('Card number', '4000009902000028'),
        outcome: text('What happens', 'capture answer lost, taken'),
        issuer: textOrNull('Issuer of the card', 'Florin Test Bank'),
        country: textOrNull('Its country', 'FR'),
        funding: textOrNull('Its kind: credit or debit', 'credit'),
        codes: list('Result codes in the order in which they are seen', { type: 'string' }, [
          codeOf('capture_pending'),
          codeOf('capture_successful'),
        ]),
      }),
    ),
    challenge_codes: list(
      'What a payer may type at the page of the simulated bank',
      object({
        code: text('To be typed', '1111'),
        outcome: text('What the bank decides', 'not authenticated'),
        result: textOrNull(
          'Result code the order ends with; null: it goes on, as ask_3ds does without authentication where this is 320310',
          codeOf('authentication_incorrect'),
        ),
      }),
    ),
  },
  { title: 'SandboxCards' },
);
