// The effect of each setting of an account, in words for the person who decides.
import { CHALLENGE_MINUTES } from '../../../../src/core/account-limits.ts';
import { POLICIES } from '../../../../src/core/retries/policy.ts';
import type { Settings } from '../../../../src/backoffice/wire/account.ts';
import { t } from '../../base/texts.ts';

export type Choice = { readonly value: string; readonly label: string };
export type Row = {
  readonly name: keyof Settings;
  readonly title: string;
  readonly text: string;
  /** A list of choices: the setting is one of them. */
  readonly as: 'switch' | 'seconds' | 'minutes' | 'score' | readonly Choice[];
  /** Shown if the setting is on. */
  readonly warning?: string;
};

export const PAYMENT_ROWS: readonly Row[] = [
  {
    name: 'default_authentication_indicator',
    title: t('Default 3-D Secure'),
    text: t('Used when neither the order nor the checkout sets it. Hosted pages always ask for it.'),
    as: [
      { value: 'no_3ds', label: t('None (no_3ds)') },
      { value: 'ask_3ds', label: t('Ask (ask_3ds)') },
      { value: 'force_3ds', label: t('Always (force_3ds)') },
    ],
  },
  {
    name: 'challenge_minutes',
    title: t('3-D Secure timeout'),
    text: t(
      'How long a payer may take to prove who they are, {least} to {most} minutes. After that the order is declined.',
      CHALLENGE_MINUTES,
    ),
    as: 'minutes',
  },
  {
    name: 'unique_order_merchant_id',
    title: t('One paid order for each reference'),
    text: t(
      'A second order with an order_merchant_id that already succeeded is refused. On, a mistake in your shop cannot charge twice.',
    ),
    as: 'switch',
  },
  {
    name: 'require_cvc_for_saved_cards',
    title: t('Ask for the cvc of saved cards'),
    text: t(
      'A payer who uses a saved card in your shop types its security code again. Fewer stolen accounts, a little more to type.',
    ),
    as: 'switch',
  },
  {
    name: 'mail_receipts',
    title: t('Receipts by mail'),
    text: t(
      'A payer whose customer_email is known gets a receipt when their money is taken, and when it is given back, in their language. Orders made from now on.',
    ),
    as: 'switch',
  },
  {
    name: 'strict_contract',
    title: t('Refuse unknown contracts'),
    text: t(
      'An order that names an unknown merchant_contract is refused. Off, such a name is ignored and the usual route is taken.',
    ),
    as: 'switch',
  },
  {
    name: 'risk_score_suspicious',
    title: t('Risk score that marks an order suspicious'),
    text: t(
      'A provider may give a score from 0 to 100 with its approval. From this one on the order says is_suspicious: look at it before you ship.',
    ),
    as: 'score',
  },
];

export const ROUTING_ROWS: readonly Row[] = [
  {
    name: 'named_contract',
    title: t('An order names its contract'),
    text: t(
      'Where routing rules are in force: what a merchant_contract in a request means. Only this one holds without rules, too: no other contract is tried, however its provider is.',
    ),
    as: [
      { value: 'first', label: t('First, then as the rules say (first)') },
      { value: 'only', label: t('Only this one (only)') },
      { value: 'advice', label: t('The rules decide (advice)') },
    ],
  },
  {
    name: 'fallback_on_generic_decline',
    title: t('Try another provider after a decline without a reason'),
    text: t(
      'Of payments whose payer is there, once, at once, and only where the bank gave no reason and the card scheme does not advise against it. Some banks approve by another way; one that is asked twice in a second may see an attack.',
    ),
    as: 'switch',
  },
  {
    name: 'default_retry_policy',
    title: t('Try declined payments again later'),
    text: t(
      'Of payments without the payer that name no retry_policy: {tries} tries within {days} days, on paydays or after hours, as the bank and the card scheme let it.',
      POLICIES.default,
    ),
    as: [
      { value: 'none', label: t('No (none)') },
      { value: 'default', label: t('Yes (default)') },
    ],
  },
  {
    name: 'caps_merchant',
    title: t('Limits of card schemes, without the payer'),
    text: t(
      'A payment that would pass a limit of its card scheme, or that the scheme forbids, is held back: declined with 421081, and nothing is sent. Or it is sent and counted, and the scheme may charge a fee. Later tries are held back either way.',
    ),
    as: [
      { value: 'hold', label: t('Held back (hold)') },
      { value: 'warn', label: t('Sent and counted (warn)') },
    ],
  },
  {
    name: 'caps_payer',
    title: t('Limits of card schemes, with the payer'),
    text: t(
      'The same of a payment whose payer is there. Holding back stops people who try out stolen cards; it also stops a payer who has just had their card unblocked.',
    ),
    as: [
      { value: 'count', label: t('Sent and counted (count)') },
      { value: 'hold', label: t('Held back (hold)') },
    ],
  },
];

export const WAIT_ROWS: readonly Row[] = [
  {
    name: 'wait_authorize',
    title: t('Authorize'),
    text: t('With 0 an authorization is answered as requested at once, and its outcome follows by notification.'),
    as: 'seconds',
  },
  {
    name: 'wait_direct_capture',
    title: t('Direct capture'),
    text: t('Integrations that read only the first answer need it above 0.'),
    as: 'seconds',
  },
  {
    name: 'wait_capture',
    title: t('Capture'),
    text: t('If still undecided: capture_requested, and a notification later.'),
    as: 'seconds',
  },
  {
    name: 'wait_refund',
    title: t('Refund'),
    text: t('If still undecided: refund_requested, and a notification later.'),
    as: 'seconds',
  },
  {
    name: 'wait_cancel',
    title: t('Cancel [noun]'),
    text: t('If still undecided: authorization_cancel_requested, and a notification later.'),
    as: 'seconds',
  },
];

export const CARD_ROWS: readonly Row[] = [
  {
    name: 'page_inputs',
    title: t('Card inputs in your own page (old element)'),
    text: t(
      'Lets the first generation of the browser element read card fields of your page and post them to the vault. Leave it off unless an existing integration needs it.',
    ),
    as: 'switch',
    warning: t(
      'Your page now touches card numbers: you answer the long questionnaire (SAQ A-EP or SAQ D of PCI DSS) instead of SAQ A, and every script of your page is in its scope. Hosted fields do the same without that.',
    ),
  },
];

/** A list that a person types. */
export type ListOf = Pick<Row, 'title' | 'text'> & {
  readonly name: 'registered_origins' | 'page_picture_hosts' | 'return_url_hosts' | 'refunds_two_people_above';
  readonly example: string;
};

export const ORIGINS: ListOf = {
  name: 'registered_origins',
  title: t('Allowed origins'),
  text: t(
    'Pages that may show the card fields, each as https://shop.example without a path. Empty: any https page, which is fine while you build and not in production.',
  ),
  example: 'https://shop.example',
};

export const PICTURE_HOSTS: ListOf = {
  name: 'page_picture_hosts',
  title: t('Pictures of order lines'),
  text: t(
    'Hosts from which the hosted page shows the product_image_url of an order line, each as images.shop.example. The browser of the payer asks them for it. Empty: no pictures, and the page asks nobody else.',
  ),
  example: 'images.shop.example',
};

export const RETURN_HOSTS: ListOf = {
  name: 'return_url_hosts',
  title: t('Allowed return URLs'),
  text: t(
    'Hosts that accept_url, decline_url, cancel_url, pending_url and exception_url may name, each as shop.example. A checkout or order that names another is refused, and no payer is led to one that you take out of the list. Empty: any host.',
  ),
  example: 'shop.example',
};

export const REFUND_LIMITS: ListOf = {
  name: 'refunds_two_people_above',
  title: t('Refunds that take two people'),
  text: t(
    'A refund in the back office that brings an order above this amount waits until a second person approves it; one line a currency. A currency that is not listed takes one person. Refunds by a private key are not held: give such a key no scope refunds instead.',
  ),
  example: 'EUR=500',
};
