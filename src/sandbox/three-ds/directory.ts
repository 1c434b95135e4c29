// The simulated directory: is a card enrolled (preauth), what does its bank answer (AReq to ARes), and what was the
// result (results)? Our side asks it as it asks a commercial 3DS server.
import { schemesOf } from '../../core/card.ts';
import { CURRENCY_NUMBERS } from '../../core/three-ds/currency-numbers.ts';
import { CURRENCIES } from '../../core/money.ts';
import type { Reply } from '../call/answer.ts';
import { type Performed, leavingOf, prompt } from '../call/perform.ts';
import { refused, wrong } from '../call/routes.ts';
import { isRecord, matches } from '../entry.ts';
import { FAULTS, type Twist } from '../faults/fault.ts';
import type { Facts } from '../faults/scenarios.ts';
import type { World } from '../world.ts';
import type { AskedFor, Authentication, Status } from './authentication.ts';
import { ending } from './bank.ts';
import { AREQS, findWrong } from './fields.ts';
import { type ErrorCode, type Message, aresOf, erroOf, rreqOf } from './messages.ts';
import { VERSIONS, type Version } from './versions.ts';
import { cardMark, hasMethod, versionsOf, wayOf, wayToEnd } from './ways.ts';

/** The name of the directory in scenarios and outages. */
const DIRECTORY = 'three_ds';

const DOWN: Twist = { fault: 'provider_down' };

const ok = (body: Reply['body']): Performed => prompt({ status: 200, body });

/**
 * POST /three_ds/preauth. It takes the fault that is armed for an authentication. A fault without effect acts on this
 * answer; every other fault acts on the ARes and on the bank's later message.
 */
export function preauth(world: World, body: unknown, address: string): Performed {
  const asked = readPreauth(body);
  if ('member' in asked) return prompt(wrong(asked.member));
  const { facts, number } = asked;
  if (world.isDown(facts)) return unanswered(world, DOWN);
  const twist = world.armedFor(facts);
  const { fault } = twist;
  if (fault !== undefined && FAULTS[fault].effect === 'never') return unanswered(world, twist);
  const way = (fault === 'decline' ? wayToEnd(twist.ends) : undefined) ?? wayOf(number);
  if (way === 'directory_down') return unanswered(world, { fault: 'drop_before' });
  if (way === 'not_enrolled') return ok({ enrolled: false });
  const { merchant_account_id, order_id, reference, card_4_digits } = facts;
  const scheme = schemesOf(Buffer.from(number, 'latin1'))[0];
  const authentication: Authentication = {
    id: world.chance.uuid(),
    acs_trans_id: world.chance.uuid(),
    ds_trans_id: world.chance.uuid(),
    merchant_account_id,
    order_id,
    operation_id: reference,
    card_4_digits: card_4_digits ?? '',
    card_mark: cardMark(merchant_account_id, number),
    is_mastercard: scheme === 'mastercard' || scheme === 'maestro',
    way,
    twist,
    created_at: world.now(),
    asked: null,
    is_challenge: false,
    declined: false,
    ended: null,
    tells_at: null,
    session_data: null,
    window_size: '05',
    notice: null,
    tries: 0,
    resends: 0,
    code_sent_at: 0,
  };
  world.register.record(authentication);
  const threeDSMethodURL = hasMethod(way) ? `${address}/acs/method` : null;
  return ok({
    enrolled: true,
    versions: versionsOf(number),
    threeDSServerTransID: authentication.id,
    threeDSMethodURL,
  });
}

const findOf = (world: World, id: unknown): Authentication | undefined => world.register.find(String(id).toLowerCase());

/** An unknown authentication belongs to no account. */
function isDownFor(world: World, known: Authentication | undefined): boolean {
  return world.isDown({ provider: DIRECTORY, merchant_account_id: known?.merchant_account_id ?? '' });
}

function unanswered(world: World, twist: Twist): Performed {
  return { ...ok({}), leaving: leavingOf(world, twist) };
}

type Preauth = { readonly facts: Facts; readonly number: string };

/** `order_merchant_id`, `amount` (minor units) and `currency` are optional: only armed scenarios use them. */
function readPreauth(body: unknown): Preauth | { readonly member: string } {
  if (!isRecord(body)) return { member: 'the body' };
  const { merchant_account_id, order_id, operation_id, card } = body;
  const { order_merchant_id = '', amount = 0, currency = '' } = body;
  if (!matches(merchant_account_id, ID)) return { member: '/merchant_account_id' };
  if (!matches(order_id, ID)) return { member: '/order_id' };
  if (!matches(operation_id, ID)) return { member: '/operation_id' };
  if (!matches(order_merchant_id, /^.{0,255}$/su)) return { member: '/order_merchant_id' };
  if (typeof amount !== 'number' || !Number.isSafeInteger(amount)) return { member: '/amount' };
  if (!matches(currency, /^(?:[A-Z]{3})?$/)) return { member: '/currency' };
  const number = isRecord(card) ? card['number'] : undefined;
  if (!matches(number, /^\d{12,19}$/)) return { member: '/card/number' };
  const whose = { merchant_account_id, order_id, order_merchant_id, reference: operation_id, amount, currency };
  const facts: Facts = { ...whose, provider: DIRECTORY, called: 'authentication', card_4_digits: number.slice(-4) };
  return { facts, number };
}

const ID = /^[A-Za-z0-9_-]{1,60}$/;

/** POST /three_ds/authenticate: the answer to an AReq is an ARes, an Erro or `{"declined":true}`. */
export function authenticate(world: World, body: unknown, address: string): Performed {
  const known = isRecord(body) ? findOf(world, body['threeDSServerTransID']) : undefined;
  if (isDownFor(world, known)) return unanswered(world, DOWN);
  if (!isRecord(body) || body['messageType'] !== 'AReq') return refuse(body, '101', 'messageType');
  const version = VERSIONS.find((one) => one === body['messageVersion']);
  if (version === undefined) return refuse(body, '102', 'messageVersion');
  const bad = findWrong(body, AREQS[version]);
  if (bad !== undefined) return refuse(body, bad.code, bad.element);
  if (known === undefined) return refuse(body, '301', 'threeDSServerTransID');
  if (known.asked !== null) return refuse(body, '305', 'threeDSServerTransID');
  if (cardMark(known.merchant_account_id, String(body['acctNumber'])) !== known.card_mark)
    return refuse(body, '305', 'acctNumber');
  if (!versionsOf(String(body['acctNumber'])).includes(version)) return refuse(body, '102', 'messageVersion');
  const asked = readPurchase(body, version);
  if ('code' in asked) return refuse(body, asked.code, asked.element);
  const decided = decide(world, { ...known, asked, code_sent_at: world.now() }, body);
  world.register.record(decided);
  const leaving = leavingOf(world, known.twist);
  if (decided.declined) return { ...ok({ declined: true }), leaving };
  const ares = aresOf(decided, `${address}/acs/challenge`);
  const is_other = known.twist.fault === 'wrong_reference';
  return { ...ok(is_other ? { ...ares, threeDSServerTransID: world.chance.uuid() } : ares), leaving };
}

function refuse(asked: unknown, code: ErrorCode, element: string): Performed {
  return ok(erroOf(isRecord(asked) ? asked : {}, code, element));
}

type Refused = { readonly code: ErrorCode; readonly element: string };

/** Rules beyond the table of elements: the directory accepts payments in a browser, in currencies that exist. */
function readPurchase(said: Message, version: Version): AskedFor | Refused {
  const { purchaseAmount, purchaseCurrency, purchaseExponent, notificationURL, merchantName } = said;
  if (said['deviceChannel'] !== '02') return { code: '305', element: 'deviceChannel' };
  if (said['messageCategory'] !== '01') return { code: '305', element: 'messageCategory' };
  const currency = [...CURRENCY_NUMBERS].find(([, number]) => number === purchaseCurrency)?.[0];
  if (currency === undefined) return { code: '304', element: 'purchaseCurrency' };
  if (String(CURRENCIES.get(currency)) !== purchaseExponent) return { code: '304', element: 'purchaseExponent' };
  const digits = String(purchaseAmount).replace(/^0+/, '');
  if (!/^\d{1,13}$/.test(digits)) return { code: '305', element: 'purchaseAmount' };
  const notification_url = String(notificationURL);
  const parsed = URL.parse(notification_url);
  if (parsed === null || !mayReturn(parsed, version)) return { code: '305', element: 'notificationURL' };
  const merchant_name = typeof merchantName === 'string' ? merchantName : parsed.hostname;
  return { version, amount: Number.parseInt(digits, 10), currency, merchant_name, notification_url };
}

/** 2.3.1 sends a browser back over https only, but a sandbox on loopback has no https. */
function mayReturn({ protocol, hostname }: URL, version: Version): boolean {
  return protocol === 'https:' || (protocol === 'http:' && (version === '2.2.0' || isLoopback(hostname)));
}

const isLoopback = (hostname: string): boolean => /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);

/** Ends the authentication at once, or leaves it to a challenge. */
function decide(world: World, authentication: Authentication, said: Message): Authentication {
  const { way } = authentication;
  if (way === 'declined') return { ...authentication, declined: true, ended: ending(world, authentication, 'N') };
  const status = withoutChallenge(world, authentication, said);
  return status === undefined
    ? { ...authentication, is_challenge: true }
    : { ...authentication, ended: ending(world, authentication, status) };
}

/** Undefined if the bank asks for a challenge. */
function withoutChallenge(world: World, authentication: Authentication, said: Message): Status | undefined {
  switch (authentication.way) {
    case 'attempted':
      return 'A';
    case 'unavailable':
      return 'U';
    case 'refused':
      return 'N';
    case 'frictionless':
    case 'contradictory':
      return 'Y';
    case 'by_amount':
      return isLarge(authentication.asked) || isMandated(said) ? undefined : 'Y';
    case 'browser_data':
      return isRich(said) && !isMandated(said) ? 'Y' : undefined;
    case 'challenge_once':
      return isRecurring(said) && world.register.hasPassed(authentication) && !isMandated(said) ? 'Y' : undefined;
    case 'challenge':
    case 'silent':
    case 'left':
    case 'declined':
    case 'not_enrolled':
    case 'directory_down':
      return undefined;
  }
}

/** The member is a text up to 2.2.0, and a list from 2.3.1 on. */
const isMandated = ({ threeDSRequestorChallengeInd: wish }: Message): boolean =>
  Array.isArray(wish) ? wish.includes('04') : wish === '04';
const isRecurring = (said: Message): boolean => said['threeDSRequestorAuthenticationInd'] === '02';
/** False for a browser without a script, which sends only its headers. */
const isRich = (said: Message): boolean =>
  said['browserJavascriptEnabled'] !== false &&
  ['browserScreenHeight', 'browserScreenWidth', 'browserColorDepth', 'browserTZ'].every((name) => said[name]);

/** True from 1000 major units on. */
function isLarge(asked: AskedFor | null): boolean {
  if (asked === null) return true;
  return asked.amount >= 1000 * 10 ** (CURRENCIES.get(asked.currency) ?? 0);
}

/** GET /three_ds/results/{threeDSServerTransID}: an inquiry gets the same result as the message. */
export function results(world: World, id: string): Performed {
  const known = world.register.find(id);
  if (isDownFor(world, known)) return unanswered(world, DOWN);
  if (known === undefined || known.asked === null) return prompt(refused(404, 'there is no such authentication'));
  if (known.ended === null || (known.tells_at ?? 0) > world.now()) return ok({ state: 'pending' });
  if (known.declined) return ok({ state: 'done', declined: true });
  return ok({ state: 'done', rreq: rreqOf(known) });
}
