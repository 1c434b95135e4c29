// Settings of a merchant account (contract 1.3): name, default, what may be given. Stored sparsely: what is absent is
// the default.
import { bool, int, oneOf, text, withoutCard } from '../../core/fields.ts';
import type { JsonValue } from '../../core/json.ts';
import { CHALLENGE_MINUTES, PAGE_LENGTH, RISK_SCORE, WAIT_S } from '../../core/account-limits.ts';
import { readLimits } from '../../core/people/two-people.ts';
import { type Colours, unreadable } from '../../core/payer/colours.ts';
import { PAGE_LANGUAGES } from '../../core/payer/language.ts';
import { NO_RETRIES, POLICY_NAMES } from '../../core/retries/policy.ts';
import type { RiskInForce } from '../../core/risk/rules.ts';
import type { ExperimentInForce } from '../../core/routing/experiment.ts';
import type { WeightsInForce } from '../../core/routing/learn/in-force.ts';
import type { RoutingInForce } from '../../core/routing/table.ts';
import type { Field, JsonSchema, Read, Shape } from '../../core/shape.ts';

export const PAGE_WALLETS = ['google_pay', 'apple_pay'] as const;
export type PageWallet = (typeof PAGE_WALLETS)[number];

/**
 * The settings as the account stores them: with the rules in force, which are published and not set
 * (payment/versions.ts).
 */
export type AccountSettings = Settings & {
  readonly risk?: RiskInForce;
  readonly routing?: RoutingInForce;
  /** The weights that the account's best_of rules have learnt. */
  readonly weights?: WeightsInForce;
  readonly experiment?: ExperimentInForce;
};

export const DEFAULT_SETTINGS: Settings = {
  page_inputs: false,
  registered_origins: [],
  strict_contract: false,
  named_contract: 'first',
  require_cvc_for_saved_cards: false,
  default_authentication_indicator: 'no_3ds',
  wait_authorize: 0,
  wait_direct_capture: 10,
  wait_capture: 10,
  wait_refund: 10,
  wait_cancel: 10,
  unique_order_merchant_id: false,
  challenge_minutes: 10,
  display_save: false,
  mail_receipts: false,
  risk_score_suspicious: 60,
  page_name: '',
  page_colour: '#0b5d57',
  page_panel_colour: '',
  page_panel_text: '',
  page_terms_url: '',
  page_privacy_url: '',
  page_help_url: '',
  page_shop_url: '',
  page_logo: '',
  page_note: '',
  page_languages: [],
  page_wallets: [],
  page_picture_hosts: [],
  return_url_hosts: [],
  refunds_two_people_above: [],
  fallback_on_generic_decline: false,
  caps_merchant: 'hold',
  caps_payer: 'count',
  default_retry_policy: NO_RETRIES,
};

const MAX_ORIGINS = 50;
const MAX_HOSTS = 50;
const MAX_LIMITS = 50;

function given<T>(schema: JsonSchema, says: string, read: (value: JsonValue) => T | undefined): Field<T, false> {
  return {
    schema,
    required: false,
    read: (value, name, reading) => read(value) ?? reading.refuse(name, `must be ${says}`),
  };
}

/** A list without repetition; one that cannot be read spoils it. */
function listed<T>(max: number, says: string, read: (text: string) => T | undefined): Field<readonly T[], false> {
  return given(
    { type: 'array', items: { type: 'string' }, maxItems: max },
    `a list of at most ${max} ${says}`,
    (value) => {
      if (!Array.isArray(value) || value.length > max) return undefined;
      const all = value.map((one: JsonValue) => (typeof one === 'string' ? read(one) : undefined));
      return all.every((one) => one !== undefined) ? [...new Set(all)] : undefined;
    },
  );
}

const origins = listed(MAX_ORIGINS, 'origins such as https://shop.example, without a path', originOf);

const hosts = listed(MAX_HOSTS, 'hosts such as shop.example, without scheme, port and path', hostOf);

/** Looked at together: of a currency that stands there twice nobody could say which amount holds. */
const limits = given(
  { type: 'array', items: { type: 'string' }, maxItems: MAX_LIMITS },
  `a list of at most ${MAX_LIMITS} amounts in major units such as EUR=500, each currency once`,
  (value) => {
    if (!Array.isArray(value) || value.length > MAX_LIMITS) return undefined;
    const written = new Set(value.map((one: JsonValue) => (typeof one === 'string' ? one.trim() : '')));
    return readLimits([...written]) ? [...written] : undefined;
  },
);

const languages = listed(PAGE_LANGUAGES.length, `of ${PAGE_LANGUAGES.join(', ')}`, (code) =>
  PAGE_LANGUAGES.find((name) => name === code),
);

const wallets = listed(PAGE_WALLETS.length, `of ${PAGE_WALLETS.join(', ')}`, (name) =>
  PAGE_WALLETS.find((one) => one === name),
);

/** A host as addresses of it are read: in lower case, and in its ASCII form. */
function hostOf(written: string): string | undefined {
  if (written.length > 255 || /[/\\?#@%\s]/.test(written)) return undefined;
  const address = URL.parse(`https://${written}/`);
  return address?.port === '' && HOST.test(address.hostname) && !/:\d*$/.test(written) ? address.hostname : undefined;
}

/** An origin as browsers write it: they are compared as texts. */
function originOf(written: string): string | undefined {
  const address = /^https?:\/\/[^/?#@\s]+\/?$/i.test(written) ? URL.parse(written) : null;
  return address && ORIGIN.test(address.origin) ? address.origin : undefined;
}

/**
 * An origin that is copied into policies of pages as it is: a host is letters, digits, dots and hyphens, or an address,
 * never a pattern.
 */
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/;
const HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])$/;

const colour = given({ type: 'string', pattern: '^#[0-9a-f]{6}$' }, 'a colour such as #0b5d57', (value) =>
  typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined,
);

/** An address that a payer is led to by a link: never one that runs a script. */
const linked = (says: string, forms: RegExp) =>
  given({ type: 'string', maxLength: PAGE_LENGTH.link }, `${says} of at most ${PAGE_LENGTH.link} characters`, (value) =>
    typeof value === 'string' && value.length <= PAGE_LENGTH.link && forms.test(value) && URL.canParse(value)
      ? value
      : undefined,
  );

const HTTPS = String.raw`https:\/\/[^/\\?#\s@][!-?A-~]*`;
const link = linked('an https address', new RegExp(`^${HTTPS}$`, 'i'));
const help = linked(
  'an https, mailto: or tel: address',
  new RegExp(`^(?:${HTTPS}|mailto:[!-?A-~]+@[!-?A-~]+|tel:\\+?[0-9().-]+)$`, 'i'),
);

const logo = given(
  { type: 'string', maxLength: PAGE_LENGTH.logo },
  `a PNG, JPEG or SVG picture of at most ${PAGE_LENGTH.logo} characters, as data:image/png;base64,…`,
  (value) =>
    typeof value === 'string' &&
    value.length <= PAGE_LENGTH.logo &&
    /^data:image\/(?:png|jpeg|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/.test(value)
      ? value
      : undefined,
);

/** Problems of settings together: colours that cannot be read beside each other. */
export function problemsTogether(settings: Settings): readonly { readonly field: string; readonly message: string }[] {
  const [worst] = unreadable(coloursOf(settings));
  if (worst === undefined) return [];
  const { pair, contrast, least } = worst;
  return [
    {
      field: 'page_panel_text',
      message: `cannot be read on its ground (${pair}): contrast ${contrast}, needed ${least}`,
    },
  ];
}

export function coloursOf(settings: Pick<Settings, 'page_colour' | 'page_panel_colour' | 'page_panel_text'>): Colours {
  const { page_colour, page_panel_colour: panel_colour, page_panel_text: panel_text } = settings;
  return { page_colour, panel_colour, panel_text };
}

/** The shape of each setting; a text that is null or "" goes back to its default. */
export const SETTINGS_SHAPE = {
  page_inputs: bool,
  registered_origins: origins,
  strict_contract: bool,
  /** The meaning of a request's merchant_contract if routing rules are in force. */
  named_contract: oneOf('first', 'only', 'advice'),
  require_cvc_for_saved_cards: bool,
  default_authentication_indicator: oneOf('no_3ds', 'ask_3ds', 'force_3ds'),
  wait_authorize: int(WAIT_S.least, WAIT_S.most),
  wait_direct_capture: int(WAIT_S.least, WAIT_S.most),
  wait_capture: int(WAIT_S.least, WAIT_S.most),
  wait_refund: int(WAIT_S.least, WAIT_S.most),
  wait_cancel: int(WAIT_S.least, WAIT_S.most),
  unique_order_merchant_id: bool,
  challenge_minutes: int(CHALLENGE_MINUTES.least, CHALLENGE_MINUTES.most),
  /** The hosted page: offer to save the card, and what the page looks like. */
  display_save: bool,
  /** A payer whose address is known gets a receipt by mail when their money is taken. */
  mail_receipts: bool,
  /** A provider's risk score from which an order is suspicious. */
  risk_score_suspicious: int(RISK_SCORE.least, RISK_SCORE.most),
  // without a card number: the audit keeps its old and its new value
  /** Shown instead of the account's name; "" = the account's name. */
  page_name: withoutCard(text(PAGE_LENGTH.name)),
  /** #rrggbb; of the pay button and what is marked. */
  page_colour: colour,
  /** #rrggbb; the ground of the merchant's side of the page. "" = made of page_colour. */
  page_panel_colour: colour,
  /** #rrggbb; what is written on it. "" = black or white. A pair that cannot be read is refused. */
  page_panel_text: colour,
  /** Linked on the page; "" = no link. Help may be a mailto: or tel: address, too. */
  page_terms_url: link,
  page_privacy_url: link,
  page_help_url: help,
  /** The way back to the shop from a page of ours that ends a payment; "" = none. */
  page_shop_url: link,
  /** A PNG, JPEG or SVG picture as a data: address, so that the page asks no other host for it; "" = none. */
  page_logo: logo,
  /** Shown under the form, such as where to ask; "" = none. */
  page_note: withoutCard(text(PAGE_LENGTH.note, 'many')),
  /** The languages of the hosted page; the first is for payers who want none of them. Empty: all, and English first. */
  page_languages: languages,
  /** Wallets with a button on the hosted page: of a sandbox, by a simulated sheet; in production Apple Pay alone. */
  page_wallets: wallets,
  /** Hosts from which the hosted page shows pictures of order lines (product_image_url); empty = it shows none. */
  page_picture_hosts: hosts,
  /** Hosts that accept_url, decline_url, cancel_url, pending_url and exception_url may name, exactly; empty = any. */
  return_url_hosts: hosts,
  /**
   * A refund by a person above it takes two people: CURRENCY=AMOUNT in major units; a currency that is not named takes
   * one.
   */
  refunds_two_people_above: limits,
  /** After a decline by the issuer without a reason the next provider is tried once, while the payer is there. */
  fallback_on_generic_decline: bool,
  /** A payment without the payer that a card scheme's limit forbids: held back, or sent and counted. */
  caps_merchant: oneOf('hold', 'warn'),
  /** The same for a payment whose payer is present. */
  caps_payer: oneOf('count', 'hold'),
  /** The policy of payments without the payer that name no retry_policy; none: they are not tried again later. */
  default_retry_policy: oneOf(...POLICY_NAMES),
} as const satisfies Shape;

export type Settings = Required<Read<typeof SETTINGS_SHAPE>>;
