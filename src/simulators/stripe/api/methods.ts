// Cards and customers that the simulated Stripe stores.
import { type Customer, type Intent, type Method, fingerprintOf, find, keep } from '../books.ts';
import { NAMED, behaviourOf, passesLuhn } from '../cards.ts';
import { cardError, invalid } from '../errors.ts';
import { type Form, metadataIn, oneOf, required, textIn } from '../form.ts';
import type { World } from '../world.ts';

const NEW = { customer: null, metadata: {} } as const;

export function makeMethod(world: World, account: string, form: Form): Method {
  oneOf(form, 'type', ['card']);
  required(form, 'type');
  const number = required(form, 'card[number]').replaceAll(' ', '');
  const [month, year] = [required(form, 'card[exp_month]'), required(form, 'card[exp_year]')];
  if (!passesLuhn(number)) throw wrong('incorrect_number', 'Your card number is incorrect.', 'number');
  if (!/^(?:0?[1-9]|1[0-2])$/.test(month))
    throw wrong('invalid_expiry_month', "Your card's expiration month is invalid.", 'exp_month');
  if (hasEnded(world, Number(month), Number(year)))
    throw wrong('invalid_expiry_year', "Your card's expiration year is invalid.", 'exp_year');
  if (!/^\d{3,4}$/.test(textIn(form, 'card[cvc]') ?? '000'))
    throw wrong('invalid_cvc', "Your card's security code is invalid.", 'cvc');
  return keep(world.books.methods, {
    id: world.id('pm'),
    account,
    created: world.now_s(),
    behaviour: behaviourOf(number),
    last4: number.slice(-4),
    exp_month: Number(month),
    exp_year: (Number(year) % 2000) + 2000,
    fingerprint: fingerprintOf(number),
    holder: textIn(form, 'billing_details[name]') ?? null,
    ...NEW,
    metadata: metadataIn(form),
  });
}

const wrong = (code: string, message: string, param: string) => cardError({ code, message, param });

function hasEnded(world: World, month: number, year: number): boolean {
  if (!Number.isInteger(year)) return true;
  return Date.UTC((year % 2000) + 2000, month) <= world.now_ms();
}

/** A payment method of the account, or one that Stripe names for tests. */
export function methodFor(world: World, id: string, intent: Intent): Method {
  const { account } = intent;
  const number = NAMED.get(id);
  if (number !== undefined) return named(world, account, number);
  const method = find(world.books.methods, id, { account, what: 'PaymentMethod', param: 'payment_method' });
  if (method.customer !== null && method.customer !== intent.customer)
    throw invalid(null, `The PaymentMethod ${id} belongs to a Customer, who must be given too.`, 'customer');
  return method;
}

function named(world: World, account: string, number: string): Method {
  const method = {
    id: world.id('pm'),
    account,
    created: world.now_s(),
    behaviour: behaviourOf(number),
    last4: number.slice(-4),
    exp_month: 12,
    exp_year: new Date(world.now_ms()).getUTCFullYear() + 5,
    fingerprint: fingerprintOf(number),
    holder: null,
    ...NEW,
    metadata: {},
  };
  return keep(world.books.methods, method);
}

export function makeCustomer(world: World, account: string, form: Form): Customer {
  const [email, name] = [textIn(form, 'email') ?? null, textIn(form, 'name') ?? null];
  const [id, created] = [world.id('cus'), world.now_s()];
  return keep(world.books.customers, { id, account, created, email, name, metadata: metadataIn(form) });
}
