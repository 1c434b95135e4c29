// The configuration of `new Florin({…})` (contract 12.2), read once and leniently, because the values of existing pages
// must work.
import { BUILD } from './build.ts';

export type SavedCard = {
  readonly token: string;
  readonly scheme: string;
  readonly last4: string;
  readonly expiry: string;
  readonly logo: string;
};

export type Outcome = { readonly token: string; readonly paymentMethodName: string; readonly tokenType: string };
export type Failure = { readonly code: string; readonly message: string };

export type Config = {
  readonly key: string;
  readonly locale: string;
  readonly environment: string;
  readonly token_type: string;
  readonly buttons: boolean;
  readonly holder: boolean;
  readonly save: boolean;
  readonly holder_name: string;
  readonly checkout_id: string;
  /** For the pay button: major units as decimal text, and an ISO 4217 code; both empty if the page gives none. */
  readonly amount: string;
  readonly currency: string;
  /** The schemes to offer; undefined: all; empty: the checkout has none. */
  readonly schemes: readonly string[] | undefined;
  readonly saved: readonly SavedCard[];
  readonly onSubmit: ((outcome: Outcome) => unknown) | undefined;
  readonly onError: ((failure: Failure) => unknown) | undefined;
};

type Given = Readonly<Record<string, unknown>>;

export function readConfig(given: Given): Config {
  const methods = objectOf(given['paymentmethods']);
  const checkout = objectOf(methods['checkout']);
  return {
    key: textOf(given['publicapikey']),
    locale: textOf(given['locale']),
    environment: textOf(given['environment']),
    token_type: textOf(given['tokentype']) === 'recurring' ? 'recurring' : 'oneshot',
    buttons: boolOf(given['displayButtons'], true),
    holder: boolOf(given['displayCardHolder'], false),
    save: boolOf(given['displaySave'], false),
    holder_name: textOf(given['CardHolderValue']) || textOf(given['cardHolderValue']),
    checkout_id: textOf(given['checkoutId']),
    amount: textOf(given['amount']) || textOf(checkout['amount']),
    currency: (textOf(given['currency']) || textOf(checkout['currency'])).toUpperCase(),
    ...readMethods(methods),
    onSubmit: callbackOf(given['onSubmit']),
    onError: callbackOf(given['onError']),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

function boolOf(value: unknown, otherwise: boolean): boolean {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : otherwise;
}

function callbackOf(value: unknown): ((given: object) => unknown) | undefined {
  return typeof value === 'function' ? (given) => value(given) : undefined;
}

function isObject(value: unknown): value is Given {
  return typeof value === 'object' && value !== null;
}

/** A JSON text or an object; any other value counts as empty. */
function objectOf(value: unknown): Given {
  const given = typeof value === 'string' ? parse(value) : value;
  return isObject(given) ? given : {};
}

/** A list of methods, a checkout, or a whole checkout answer. */
function readMethods(given: Given): Pick<Config, 'schemes' | 'saved'> {
  const holder = isObject(given['payment_methods']) ? given['payment_methods'] : given;
  const available = Array.isArray(holder) ? holder : holder['payment_methods_available'];
  const saved = Array.isArray(holder) ? [] : holder['payment_methods_saved'];
  return { schemes: readSchemes(available), saved: listOf(saved).flatMap(readSaved) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // an empty or broken text counts as none: every scheme is offered
    return undefined;
  }
}

function listOf(value: unknown): readonly Given[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function readSchemes(available: unknown): readonly string[] | undefined {
  if (!Array.isArray(available)) return undefined;
  const cards = listOf(available).filter((item) => (textOf(item['component_type']) || 'card') === 'card');
  const names = cards.map((item) => textOf(item['name']).toLowerCase());
  return names.filter((name) => Object.hasOwn(BUILD.schemes, name));
}

function readSaved(item: Given): readonly SavedCard[] {
  const details = new Map(listOf(item['payment_details']).map((row) => [textOf(row['key']), textOf(row['value'])]));
  const token = textOf(item['token']);
  if (!/^[0-9a-f]{64}$/.test(token)) return [];
  const month = (details.get('card_validity_month') ?? '').padStart(2, '0');
  const year = (details.get('card_validity_year') ?? '').slice(-2);
  const scheme = textOf(item['name']).toLowerCase();
  return [
    {
      token,
      scheme,
      last4: (details.get('last_4_digits') ?? '').slice(-4),
      expiry: year === '' ? '' : `${month}/${year}`,
      logo: logoUrl(textOf(item['logo_colorbg']) || textOf(item['logo']), scheme),
    },
  ];
}

/**
 * A logo as `visa.svg`, `visa`, a path, or nothing; the result is always a file of the vault, never of another host.
 */
function logoUrl(logo: string, scheme: string): string {
  const file = (logo.split(/[?#]/)[0] ?? '').split('/').at(-1) ?? '';
  const own = `${BUILD.schemes[scheme]?.stem ?? ''}_colorbg.svg`;
  const name = file === '' ? own : /\.(?:svg|png)$/.test(file) ? file : `${file}.svg`;
  return `${BUILD.vault_url}/image/logo/${encodeURIComponent(name)}`;
}
