// The payer of an authorization, for a provider that shows them a page of its own: where they come back to, and their
// browser.
import { hmac } from '../../../kit/crypto.ts';
import type { Payer } from '../../../provider/payer.ts';
import { colourDepthOf, cut, languageOf, timeZoneOf } from '../../../provider/three-ds/browser.ts';
import { demandedOf } from '../../order-rules/indicator.ts';
import { initiatorOf } from '../../order-rules/initiator.ts';
import type { Tools } from '../../tools.ts';
import type { OperationFacts, OrderFacts } from './order-facts.ts';

type Body = Readonly<Record<string, unknown>>;

/** The payer is at a screen: not by letter or telephone, not at a till, and not in later recurring payments. */
export function isPayerThere({ body, checkout_id }: OrderFacts): boolean {
  const { payment_channel } = body;
  return payment_channel === 'e-commerce' || (payment_channel === 'recurring' && checkout_id !== null);
}

/** At moto and at a till: the payer pays, and no page can be shown to them. */
export function unseenPayerOf(order: OrderFacts): 'moto' | 'pos' | undefined {
  if (initiatorOf(order) !== 'p' || isPayerThere(order)) return undefined;
  return order.body.payment_channel === 'moto' ? 'moto' : 'pos';
}

/** Undefined: the payer is unseen, or the merchant pays by itself. */
export function payerOf(tools: Tools, order: OrderFacts, operation: OperationFacts): Payer | undefined {
  if (!isPayerThere(order)) return undefined;
  const body: Body = order.body;
  const text = (name: string) => (typeof body[name] === 'string' && body[name] !== '' ? body[name] : undefined);
  const ip = text('customer_ip');
  const email = text('customer_email');
  const browser = browserOf(body, tools.clock.now());
  return {
    return_url: `${tools.addresses.vault_url}/pay/${payerHandle(tools, operation)}/return`,
    three_ds: THREE_DS[demandedOf(order) ?? ''] ?? 'no',
    ...(ip !== undefined && { ip }),
    ...(email !== undefined && { email }),
    ...(browser && { browser }),
  };
}

const THREE_DS: Readonly<Record<string, Payer['three_ds']>> = { ask_3ds: 'ask', force_3ds: 'force' };

/** 64 hex characters, of the page of a payer at a provider: not to be guessed, and the same for every process. */
export function payerHandle({ secret_key }: Pick<Tools, 'secret_key'>, { id }: Pick<OperationFacts, 'id'>): string {
  return hmac(secret_key, `page of the payer ${id}`).toString('hex');
}

/** Undefined: the merchant said nothing of it. */
function browserOf(body: Body, at: Date): Payer['browser'] {
  const field = (name: string) => body[`customer_browser_info_${name}`];
  const user_agent = field('user_agent');
  if (typeof user_agent !== 'string' || user_agent === '') return undefined;
  const number = (value: unknown) => (/^\d{1,6}$/.test(String(value)) ? Number(value) : 0);
  const text = (value: unknown, otherwise: string) => (typeof value === 'string' && value !== '' ? value : otherwise);
  return {
    user_agent: cut(user_agent, 2048),
    accept_header: cut(text(field('accept_header'), '*/*'), 2048),
    language: languageOf(text(field('language'), text(body['locale'], 'en'))),
    screen_width: number(field('screen_width')),
    screen_height: number(field('screen_height')),
    color_depth: Number(colourDepthOf(field('color_depth')) ?? 24),
    time_zone_offset: Number(timeZoneOf(text(field('time_zone'), 'UTC'), at) ?? 0),
    java_enabled: field('java_enabled') === true,
    javascript_enabled: field('js_enabled') === true,
  };
}
