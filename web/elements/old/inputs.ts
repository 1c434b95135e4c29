// The inputs of the old generation: they are made in the page's placeholders, and named after the fields of the token
// request.
import { schemesOf, schemesStarting } from '../../../src/core/card.ts';
import { expiryProblem, readExpiry } from '../inside/expiry.ts';
import { bytesOf, digitsOf, isWhole } from '../inside/number.ts';
import { formatExpiry, groupDigits, keepSeparators, takeDigits, whenTyped } from '../inside/typed.ts';
import { BUILD, named } from '../outside/build.ts';
import { partOf } from './status.ts';

export type Card = Readonly<Record<string, string>>;

export type Inputs = {
  /** The members of the token request, read at the call, because the page may have set some. */
  card(): Card;
  /** The name of the error text, and the input it is about. */
  problem(): { readonly says: string; readonly at: HTMLInputElement | undefined } | undefined;
  /** Makes the form safe for the page to post: without number, cvc and expiry (contract 12.3, 3). */
  leave(scheme: string, last4: string): void;
  /** Undoes `leave`, for another try. */
  restore(): void;
  has(target: EventTarget | null): boolean;
  /** Empties number, expiry and code. */
  wipe(): void;
  remove(): void;
};

/** The name in the request, the placeholder, and attributes for the browser. */
const VISIBLE = [
  ['card_number', 'payment-card', { autocomplete: 'cc-number', inputMode: 'numeric' }],
  ['card_validity', 'payment-expiry', { autocomplete: 'cc-exp', inputMode: 'numeric' }],
  ['cvc', 'payment-cvv', { autocomplete: 'cc-csc', inputMode: 'numeric' }],
  ['cardholder_name', 'payment-holder', { autocomplete: 'cc-name', inputMode: 'text', maxLength: 100 }],
] as const;
const LONGEST_CODE = 4;
const LABELS: Readonly<Record<string, string>> = {
  card_number: 'Card number',
  card_validity: 'MM / YY',
  cvc: 'CVC',
  cardholder_name: 'Name on card',
};
const CARD_DATA = ['card_number', 'card_validity', 'cvc'];
/** These are never in the page's post, even if the page changed their class. */
const ALWAYS_OUT = ['card_validity', 'cvc'];

export function makeInputs(form: HTMLFormElement): Inputs {
  const made = new Map<string, HTMLInputElement>();
  for (const [name, placeholder, looks] of VISIBLE) {
    const place = partOf(form, named(placeholder));
    if (place) made.set(name, makeVisible(name, place, looks));
  }
  for (const [name, value] of [
    ['customer_scheme_name', ''],
    ['token_type', 'oneshot'],
  ] as const) {
    const input = makeInput(name);
    input.type = 'hidden';
    input.value = value;
    form.append(input);
    made.set(name, input);
  }
  const value = (name: string) => made.get(name)?.value.trim() ?? '';
  formatWhileTyped(made, form);
  return {
    card: () => cardOf(value),
    problem: () => {
      const found = problemOf(value);
      return found && { says: found[1], at: made.get(found[0]) };
    },
    leave: (scheme, last4) => leave(made, scheme, last4),
    restore: () => restore(made),
    has: (target) => [...made.values()].some((input) => input === target),
    wipe: () => {
      for (const name of CARD_DATA) {
        const input = made.get(name);
        if (input) input.value = '';
      }
    },
    remove: () => {
      for (const input of made.values()) input.remove();
    },
  };
}

function makeInput(name: string): HTMLInputElement {
  const input = document.createElement('input');
  input.id = named(name);
  input.name = named(name);
  input.className = named('class');
  return input;
}

type Looks = { readonly autocomplete: AutoFill; readonly inputMode: string; readonly maxLength?: number };

/** data-class and data-placeholder of the placeholder are copied to the input (contract 12.3, 1). */
function makeVisible(name: string, place: HTMLElement, looks: Looks): HTMLInputElement {
  const input = makeInput(name);
  input.type = 'text';
  Object.assign(input, looks);
  input.placeholder = place.dataset['placeholder'] ?? '';
  const own_class = place.dataset['class'] ?? '';
  if (own_class.trim() !== '') input.classList.add(...own_class.trim().split(/\s+/));
  if (!document.querySelector(`label[for="${input.id}"]`))
    input.setAttribute('aria-label', place.dataset['placeholder'] || (LABELS[name] ?? ''));
  place.append(input);
  return input;
}

function cardOf(value: (name: string) => string): Card {
  const { month, year } = readExpiry(value('card_validity'));
  return {
    card_number: digitsOf(value('card_number')),
    card_validity_month: month,
    card_validity_year: year,
    cvc: digitsOf(value('cvc')),
    cardholder_name: value('cardholder_name'),
    customer_scheme_name: value('customer_scheme_name'),
    token_type: value('token_type') || 'oneshot',
  };
}

function problemOf(value: (name: string) => string): readonly [name: string, says: string] | undefined {
  const digits = digitsOf(value('card_number'));
  if (!isWhole(digits)) return ['card_number', 'number'];
  const expiry = expiryProblem(readExpiry(value('card_validity')), new Date());
  if (expiry) return ['card_validity', expiry === 'expiry_past' ? 'expired' : 'expiry'];
  return /^(?:\d{3,4})?$/.test(digitsOf(value('cvc'))) ? undefined : ['cvc', 'code'];
}

function formatWhileTyped(made: ReadonlyMap<string, HTMLInputElement>, form: HTMLFormElement): void {
  const [number, expiry, code] = [made.get('card_number'), made.get('card_validity'), made.get('cvc')];
  if (code) takeDigits(code, () => LONGEST_CODE);
  if (expiry) whenTyped(expiry, (event) => formatExpiry(expiry, event));
  if (!number) return;
  keepSeparators(number);
  whenTyped(number, () => {
    groupDigits(number);
    const bytes = bytesOf(digitsOf(number.value));
    const [scheme = ''] = [...schemesOf(bytes), ...schemesStarting(bytes)];
    const hidden = made.get('customer_scheme_name');
    if (hidden) hidden.value = scheme;
    showLogo(form, scheme);
  });
}

function showLogo(form: HTMLFormElement, scheme: string): void {
  const place = partOf(form, named('payment-logo'));
  if (!place) return;
  const known = BUILD.schemes[scheme];
  const image =
    place instanceof HTMLImageElement ? place : (place.querySelector('img') ?? document.createElement('img'));
  if (image !== place) place.replaceChildren(...(known ? [image] : []));
  image.alt = known?.name ?? '';
  if (known) image.src = `${BUILD.vault_url}/image/logo/${known.stem}_favicon_colorbg.svg`;
  else image.removeAttribute('src');
}

/** Replaces the number with stars and the last four digits: pages read those four, and nothing else of it. */
function leave(made: ReadonlyMap<string, HTMLInputElement>, scheme: string, last4: string): void {
  for (const [name, input] of made) {
    if (ALWAYS_OUT.includes(name)) input.value = '';
    if (ALWAYS_OUT.includes(name) || input.classList.contains(named('class'))) input.removeAttribute('name');
  }
  const number = made.get('card_number');
  if (number) number.value = `${'*'.repeat(12)}${last4}`;
  const hidden = made.get('customer_scheme_name');
  if (hidden && scheme !== '') hidden.value = scheme;
}

function restore(made: ReadonlyMap<string, HTMLInputElement>): void {
  for (const [name, input] of made) input.name = named(name);
  const number = made.get('card_number');
  if (number?.value.startsWith('*')) number.value = '';
}
