// The optional field groups of contract 4.2, accepted on checkout and order alike.
import {
  anyText,
  bool,
  country,
  date,
  datetime,
  email,
  id24,
  int,
  intText,
  ip,
  locale,
  money0,
  oneOf,
  text,
  textOfForm,
  url,
  websiteUrl,
  words,
} from '../../core/fields.ts';
import { type Shape, listOf, required } from '../../core/shape.ts';

/** What is paid for, as the payer reads it. */
export const DESCRIPTION = text(255, 'many');

const LINE = words(text(255));
const ZIP_CODE = words(text(32));

const PAYMENT = {
  locale,
  website_url: websiteUrl,
  order_description: words(DESCRIPTION),
  order_tax_amount: money0,
  order_availability: bool,
  order_availability_date: datetime,
  authentication_indicator: oneOf('no_3ds', 'ask_3ds', 'force_3ds'),
  challenge_preference: oneOf('no_preference', 'challenge_mandatory', 'challenge_requested', 'no_challenge'),
  sca_exemption_reason: oneOf('low_value', 'corporate', 'trusted_beneficiary', 'risk_analysis'),
  max_attempts: intText(1, 10),
  merchant_contract: text(64),
  dynamic_descriptor_authorization: text(22),
  merchant_store_id: text(255),
  integration_id: text(255),
  hosted_fields_version: text(255),
  sdk_version: text(255),
  payment_method_type: text(255),
  device_type: oneOf('mobile', 'laptop', 'desktop', 'watch', 'smart_home', 'other'),
} as const satisfies Shape;

const CUSTOMER = {
  customer_id: text(255),
  customer_email: email,
  customer_first_name: LINE,
  customer_last_name: LINE,
  customer_gender: oneOf('male', 'female', 'other'),
  customer_birth_date: date,
  customer_ip: ip,
  customer_phone_number: text(50),
  customer_phone_number_type: oneOf('mobile', 'home', 'work'),
  customer_identification_number: text(64),
  customer_os_version: text(64),
  is_customer_registered: bool,
  is_return_accepted: bool,
  customer_items_reorder: bool,
} as const satisfies Shape;

const ADDRESSES = {
  customer_street_name: LINE,
  customer_city: LINE,
  customer_zip_code: ZIP_CODE,
  customer_country: country,
  customer_billing_first_name: LINE,
  customer_billing_last_name: LINE,
  customer_billing_street_name: LINE,
  customer_billing_city: LINE,
  customer_billing_zip_code: ZIP_CODE,
  customer_billing_country: country,
} as const satisfies Shape;

const SHIPPING = {
  shipping_address_street_name_line1: LINE,
  shipping_address_street_name_line2: LINE,
  shipping_address_city: LINE,
  shipping_address_state: LINE,
  shipping_address_zip_code: ZIP_CODE,
  shipping_address_country: country,
  shipping_address_first_use_date: datetime,
  shipping_id: text(255),
  shipping_carrier_name: text(255),
  shipping_first_name: LINE,
  shipping_last_name: LINE,
  shipping_delivery_range: oneOf('sameday', 'lessthan2days', 'morethan2days'),
  shipping_delivery_method: oneOf('customer_address', 'in_store', 'pickup_store', 'pickup', 'other'),
  shipping_price: money0,
  shipping_tax: money0,
  shipping_tax_rate: text(16),
  shipping_email: email,
  shipping_phone_number: text(50),
} as const satisfies Shape;

const COUNT = int(0, 1_000_000);

const ACCOUNT_HISTORY = {
  customer_account_creation_date: datetime,
  customer_account_change_date: datetime,
  customer_account_change_password_date: datetime,
  customer_account_add_payment_means_date: datetime,
  customer_account_attempts_order_day: COUNT,
  customer_account_attempts_order_six_months: COUNT,
  customer_account_attempts_order_year: COUNT,
  customer_account_successful_orders_day: COUNT,
  customer_account_successful_orders_six_months: COUNT,
  customer_account_successful_orders_year: COUNT,
  customer_account_attempts_add_card: COUNT,
} as const satisfies Shape;

const PRODUCT = {
  product_sku: text(255),
  product_id: text(255),
  product_name: LINE,
  seller_id: text(255),
  seller_name: LINE,
  product_description: words(text(1024, 'many')),
  product_image_url: url,
  product_price: money0,
  product_tax_amount: money0,
  total_amount: money0,
  seller_commission: money0,
  product_quantity: COUNT,
  product_availability: bool,
  product_type: oneOf('physical', 'digital', 'mixed'),
} as const satisfies Shape;

const BASKET = {
  basket_id: text(64),
  basket_type: oneOf('physical', 'digital', 'mixed'),
  basket_content: listOf(PRODUCT, 200),
} as const satisfies Shape;

const BROWSER = {
  customer_browser_info_js_enabled: bool,
  customer_browser_info_java_enabled: bool,
  customer_browser_info_screen_height: int(0, 99_999),
  customer_browser_info_screen_width: int(0, 99_999),
  // a device hint never stops a payment: whatever it is, it is kept and answered as given
  customer_browser_info_color_depth: text(16),
  customer_browser_info_time_zone: textOfForm(
    /^[A-Za-z0-9_+\-/:]{1,64}$/,
    'an IANA time zone name or an offset such as +02:00',
  ),
  customer_browser_info_language: text(35),
  customer_browser_info_user_agent: text(2048),
  customer_browser_info_accept_header: text(2048),
} as const satisfies Shape;

const SUBSCRIPTION = {
  subscription_id: id24,
  plan_id: text(255),
  contract_id: text(255),
  subscriber_id: text(255),
  subscription_description: words(text(255, 'many')),
  subscription_count: int(0, 100_000),
  subscription_end_date: datetime,
  subscription_recurrence: oneOf('weekly', 'fifteen_days', 'month', 'two_months', 'three_months', 'yearly', 'other'),
} as const satisfies Shape;

export const MERCHANT_DATA = {
  key: required(text(50)),
  type: oneOf('string', 'number', 'date', 'boolean', 'integer'),
  value: anyText(255),
  is_personal_data: bool,
} as const satisfies Shape;

export const RETURN_URLS = {
  accept_url: url,
  decline_url: url,
  cancel_url: url,
  pending_url: url,
  exception_url: url,
} as const satisfies Shape;

export const GROUPS = {
  ...PAYMENT,
  ...CUSTOMER,
  ...ADDRESSES,
  ...SHIPPING,
  ...ACCOUNT_HISTORY,
  ...BASKET,
  ...BROWSER,
  ...SUBSCRIPTION,
  merchant_data: listOf(MERCHANT_DATA, 50),
} as const satisfies Shape;

/** Fields that hold an amount: canonical decimal text inside, a number in answers. */
const AMOUNT_NAMES = [
  'order_tax_amount',
  'shipping_price',
  'shipping_tax',
  'giftcard_amount',
  'product_price',
  'product_tax_amount',
  'total_amount',
  'seller_commission',
] as const;
const AMOUNTS = new Set<string>(AMOUNT_NAMES);

type Echo<T, Name> = Name extends (typeof AMOUNT_NAMES)[number]
  ? number
  : T extends readonly (infer Item)[]
    ? readonly Echoed<Item>[]
    : T;
type Echoed<T> = { readonly [Name in keyof T]: Echo<T[Name], Name> };

/**
 * A request as it is stored and answered. Any field may be absent: the other request of a payment may give it, or a
 * former version did not.
 */
export type Stored<T> = Partial<Echoed<T>>;

/** The stored and answered form of the accepted fields: amounts as numbers, defaults of list items filled in. */
export function echoed<T extends object>(fields: T): Stored<T> {
  return withAmounts(fields, Number) as Stored<T>;
}

/** A stored form as the request it came from: its amounts are texts again. */
export function requested<T>(stored: Stored<T>): Partial<T> {
  return withAmounts(stored, String) as Partial<T>;
}

function withAmounts(fields: object, amountOf: (value: unknown) => unknown): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const [name, value] of Object.entries<unknown>({ ...fields })) {
    if (AMOUNTS.has(name)) out[name] = amountOf(value);
    else if (name === 'basket_content' && Array.isArray(value))
      out[name] = value.map((item: object) => withAmounts(item, amountOf));
    else if (name === 'merchant_data' && Array.isArray(value))
      out[name] = value.map((item: object) => ({ type: 'string', value: '', is_personal_data: false, ...item }));
    else out[name] = value;
  }
  return out;
}
