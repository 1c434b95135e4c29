// The jobs of the worker, as rows. When a sandbox's clock is moved ahead, it stops at each moment that a job waits for:
// a job that waits for the clock is one more row here, which says by `due` or by `next` when it has work.
import { DAY_MS, HOUR_MS } from '../core/durations.ts';
import { finishRemovals } from '../payment/customer/remove.ts';
import { remindOfDisputes } from '../payment/dispute/desk/remind.ts';
import { sendAnswers } from '../payment/dispute/desk/send.ts';
import { forgetEvidence } from '../payment/dispute/desk/evidence-store.ts';
import { forgetDeclines } from '../payment/declines/store.ts';
import { recordDispute } from '../payment/dispute/record.ts';
import { sendMails } from '../payment/mail/send.ts';
import { forgetMails } from '../payment/mail/store.ts';
import { endKeys } from '../payment/merchant/keys.ts';
import { takeRound } from '../payment/jobs-store.ts';
import { keepMonths } from '../payment/months-store.ts';
import { makeDispatcher } from '../payment/notification/dispatcher.ts';
import { authenticateDue } from '../payment/order/accept/conclude.ts';
import { askAboutContradictions } from '../payment/order/review/ask-provider.ts';
import { makeLaterTries } from '../payment/order/accept/later.ts';
import { endDue } from '../payment/order/expiry/due.ts';
import { keyForgetter } from '../payment/order/expiry/forget-keys.ts';
import { followSetBack, lookAtClock } from '../payment/order/engine/recovery/waits.ts';
import { mayBeBack } from '../payment/order/engine/inquire.ts';
import { follower } from '../payment/order/search/follow.ts';
import { eraseDue } from '../payment/privacy/erase.ts';
import { makeReports } from '../payment/report/make.ts';
import { forgetReports } from '../payment/report/store.ts';
import { forgetSightings } from '../payment/risk/store.ts';
import { type Noting, learner } from '../payment/routing/learn/learn.ts';
import { takeNotificationFault } from '../payment/sandbox/faults/sending.ts';
import { applyWaiting } from '../payment/settlement/apply.ts';
import { MESSAGE_PAUSE } from '../payment/settlement/store.ts';
import type { Tools } from '../payment/tools.ts';
import { makeRecovery } from './recovery.ts';

const IDLE_MS = 250;
const ROOM = 20;
const LEARN_MS = 60_000;
/** A process that comes to its next round a little early, by the database's clock, does not leave it to another. */
const LEARN_EARLY_MS = 5000;
const MANY = 1000;
/** At a time: a mail server counts connections. */
const MAILS = 4;

const daysAgo = ({ clock }: Tools, days: number) => new Date(clock.now().getTime() - days * DAY_MS);

/** Done again after its pause, at once while it says that there may be more. */
export type Job = {
  readonly name: string;
  readonly every_ms: number;
  run(): Promise<boolean>;
  /**
   * The moments at which it has something to do next, as the database tells them (findMoments); empty: it waits on
   * none.
   */
  readonly due: readonly string[];
  /** Called once it goes on by itself, with what makes it look at once. */
  begun?(wake: () => void): void;
  /** Done when all that it began has ended; for a clock that moves on only then. */
  drain?(): Promise<void>;
  stop?(): Promise<void>;
  /**
   * For a job that knows by itself when it has work: milliseconds until then, on the deployment's clock; undefined:
   * nothing waits.
   */
  next?(): Promise<number | undefined>;
};

/** Notes nothing: the host above writes the records of the worker's own decisions. */
const NOTHING_NOTED: Noting = { stopped: async () => undefined, compared: async () => undefined };

/**
 * Every process that chooses or calls a provider looks itself: it counts its own calls, and acts on the states of all.
 */
export function watchOverProviders(tools: Tools): Job {
  return {
    name: 'health of providers',
    every_ms: 1000,
    run: () => tools.breaker.look((provider) => mayBeBack(tools, provider)).then(() => false),
    due: ["payment.next_probe('minute')"],
  };
}

/** Every process that accepts a payment keeps the limits of card schemes: it follows a newer table of them. */
export function followCaps({ caps, db }: Tools): Job {
  return { name: 'limits of card schemes', every_ms: 60_000, run: () => caps.look(db).then(() => false), due: [] };
}

/** Every process that may take a call to be over looks itself: it compares with its own clock. */
export function watchDatabaseClock(tools: Tools): Job {
  return {
    name: 'clock of the database',
    every_ms: 1000,
    run: async () => {
      await lookAtClock(tools);
      await followSetBack(tools);
      return false;
    },
    due: [],
  };
}

/** The first three are woken when there is work at once (loop.ts). `more`: of those who stand above it. */
export function jobsOf(tools: Tools, noting: Noting = NOTHING_NOTED, more: readonly Job[] = []): readonly Job[] {
  return [
    recovery(tools),
    {
      name: 'authentication of payers',
      every_ms: IDLE_MS,
      run: async () => (await authenticateDue(tools, ROOM)) === ROOM,
      due: ['payment.next_authentication()'],
    },
    notifications(tools),
    watchDatabaseClock(tools),
    watchOverProviders(tools),
    followCaps(tools),
    {
      name: 'messages of providers',
      every_ms: 5000,
      run: async () => (await applyWaiting(tools, ROOM, recordDispute)) === ROOM,
      due: [`payment.next_message('${MESSAGE_PAUSE}')`],
    },
    {
      name: 'answers to disputes',
      every_ms: 1000,
      run: async () => (await sendAnswers(tools, ROOM)) === ROOM,
      due: ['payment.next_dispute_answer()'],
    },
    {
      name: 'deadlines of disputes',
      every_ms: 5000,
      run: async () => (await remindOfDisputes(tools, ROOM)) === ROOM,
      due: ['payment.next_dispute_reminder()'],
    },
    {
      name: 'reports',
      every_ms: 2000,
      run: () => makeReports(tools, ROOM),
      due: ['payment.next_report()'],
    },
    {
      name: 'erasures',
      every_ms: 2000,
      run: () => eraseDue(tools),
      due: ['payment.next_erasure()'],
    },
    laterTries(tools),
    {
      name: 'contradictions of providers',
      every_ms: 1000,
      run: async () => (await askAboutContradictions(tools, ROOM)) === ROOM,
      due: [],
    },
    {
      name: 'removal of cards',
      every_ms: IDLE_MS,
      run: async () => (await finishRemovals(tools, ROOM)) === ROOM,
      due: ['payment.next_removal()'],
    },
    {
      name: 'jobs of time',
      every_ms: 5000,
      run: () => endDue(tools),
      due: ['payment.next_checkout()', 'payment.next_lapse()', 'payment.next_authorization()'],
    },
    ...housekeeping(tools, noting),
    ...more,
  ];
}

/** Cleanup jobs: a test clock is not moved to them. */
function housekeeping(tools: Tools, noting: Noting): readonly Job[] {
  return [
    {
      name: 'end of rolled keys',
      every_ms: 1000,
      run: async () => (await endKeys(tools, ROOM)) === ROOM,
      due: [],
    },
    learning(tools, noting),
    { name: 'search over orders', every_ms: 500, run: follower(tools), due: [] },
    {
      name: 'counts of risk and of declines that are too old',
      every_ms: HOUR_MS,
      run: async () => {
        const gone = await Promise.all([forgetSightings(tools.db, MANY), forgetDeclines(tools.db, MANY)]);
        return gone.includes(MANY);
      },
      due: [],
    },
    {
      name: 'reports whose days are over',
      every_ms: 60_000,
      run: async () => (await forgetReports(tools.db, ROOM, daysAgo(tools, tools.retention.report_days))) === ROOM,
      due: [],
    },
    {
      name: 'evidence of old disputes',
      every_ms: HOUR_MS,
      run: async () =>
        (await forgetEvidence(tools.db, ROOM, daysAgo(tools, tools.retention.dispute_evidence_days))) >= ROOM,
      due: [],
    },
    {
      name: 'mails',
      every_ms: 1000,
      run: () => sendMails(tools, MAILS),
      due: [],
    },
    {
      name: 'old mails',
      every_ms: HOUR_MS,
      run: async () => (await forgetMails(tools.db, MANY, tools.retention.mail_days)) === MANY,
      due: [],
    },
    {
      name: 'months of tables that grow',
      every_ms: HOUR_MS,
      run: () => keepMonths(tools.db).then(() => false),
      due: [],
    },
    {
      name: 'days of the request log',
      every_ms: HOUR_MS,
      run: () => tools.request_log.keep().then(() => false),
      due: [],
    },
    {
      name: 'old Idempotency-Keys',
      every_ms: 60_000,
      run: keyForgetter(tools),
      due: [],
    },
  ];
}

/** All processes would count the same orders: one does it for all of them, while it is there each time the same. */
function learning(tools: Tools, noting: Noting): Job {
  const name = 'what routing learns';
  const learn = learner(tools, noting);
  return {
    name,
    every_ms: LEARN_MS,
    run: async () => {
      if (await takeRound(tools.db, name, (LEARN_MS - LEARN_EARLY_MS) / 1000)) await learn();
      return false;
    },
    due: [],
  };
}

function recovery(tools: Tools): Job {
  const { look, drain } = makeRecovery(tools);
  return {
    name: 'recovery',
    every_ms: IDLE_MS,
    run: look,
    due: ['payment.next_operation(:patience)'],
    drain,
    stop: drain,
  };
}

/** So many calls of later tries at once in this process. */
const LATER_PLACES = 32;

function laterTries(tools: Tools): Job {
  const { look, drain } = makeLaterTries(tools);
  return {
    name: 'later tries of declined payments',
    every_ms: 1000,
    run: () => look(LATER_PLACES),
    due: ['payment.next_retry()'],
    drain,
    stop: drain,
  };
}

/** Each on its own, so an endpoint that hangs does not delay the others; one that has ended makes room for the next. */
function notifications(tools: Tools): Job {
  let wake: () => void = () => undefined;
  const dispatcher = makeDispatcher(tools, {
    ended: () => wake(),
    ...(tools.environment === 'sandbox' && {
      faultOf: (account, facts) => takeNotificationFault(tools, account, facts),
    }),
  });
  return {
    name: 'notifications',
    every_ms: IDLE_MS,
    run: () => dispatcher.look(),
    due: ['payment.next_notification()'],
    begun: (woken) => {
      wake = woken;
    },
    drain: () => dispatcher.drain(),
    stop: () => dispatcher.stop(),
  };
}
