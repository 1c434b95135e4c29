// The meanings of the request fields (contract 5.1 and 4.2), in the groups in which the reference shows them. Types and
// limits come from the shapes; a test compares the names.
import type { Notes } from '../../kit/http/schema.ts';

export const PAYMENT_NOTES = {
  type: 'How the payer is met. hosted_page, qrcode and mail_to_pay are paid on our page, the others on yours',
  operation_type: 'authorize holds the amount and is captured later; direct_capture charges at once',
  amount: 'Amount of the payment in major units, with at most the decimals of the currency',
  currency: 'ISO 4217 code, in any case',
  order_merchant_id: 'Your own reference; it need not be unique',
  payment_channel: 'Default e-commerce',
  token_type: 'recurring is sent to save the card. Default oneshot',
  payment_method_name: 'Narrows the methods listed to this one, such as visa',
  expiration_date: '1 minute to 30 days ahead; default 15 minutes',
} as const satisfies Notes;

const URLS = {
  accept_url: 'Where the payer is sent after success',
  decline_url: 'Where the payer is sent after a decline',
  cancel_url: 'Where the payer is sent after pressing cancel',
  pending_url: 'Where the payer is sent while the outcome is not known',
  exception_url: 'Where the payer is sent after an error',
} as const satisfies Notes;

const MORE = {
  locale: 'Language of the payer, such as fr or fr_FR',
  website_url: 'Address of the shop',
  order_description: 'Shown to people, never interpreted',
  order_tax_amount: 'Tax within the amount',
  order_availability: 'The goods are there',
  order_availability_date: 'When the goods will be there',
  authentication_indicator:
    'no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without',
  challenge_preference: 'What you wish from the issuer when it authenticates the payer',
  sca_exemption_reason: 'The exemption from authentication you ask for',
  max_attempts:
    'How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none',
  merchant_contract: 'Id or name of the provider contract to use',
  dynamic_descriptor_authorization: 'Text for the statement of the cardholder',
  merchant_store_id: 'Your own id of the store',
  integration_id: 'Name of the integration that sends the request',
  hosted_fields_version: 'Version of the hosted fields',
  sdk_version: 'Version of the software kit',
  payment_method_type: 'Your own word for the payment method',
  device_type: 'What the payer uses',
} as const satisfies Notes;

const CUSTOMER = {
  customer_id: 'Your own id of the customer; needed for saved cards',
  customer_email: 'E-mail address',
  customer_first_name: 'First name',
  customer_last_name: 'Last name',
  customer_gender: 'Gender',
  customer_birth_date: 'Date of birth; of a date and time the date is taken',
  customer_ip: 'IP address of the payer; of a list the first is taken',
  customer_phone_number: 'Phone number, as the customer wrote it',
  customer_phone_number_type: 'Kind of phone number',
  customer_identification_number: 'Number of a document or of the tax office',
  customer_os_version: 'Operating system of the payer',
  is_customer_registered: 'The customer has an account with you',
  is_return_accepted: 'You take goods back',
  customer_items_reorder: 'The customer bought the same before',
} as const satisfies Notes;

const ADDRESS = {
  customer_street_name: 'Street and number',
  customer_city: 'City',
  customer_zip_code: 'Postal code',
  customer_country: 'ISO 3166 code, in any case',
  customer_billing_first_name: 'Billing: first name',
  customer_billing_last_name: 'Billing: last name',
  customer_billing_street_name: 'Billing: street and number',
  customer_billing_city: 'Billing: city',
  customer_billing_zip_code: 'Billing: postal code',
  customer_billing_country: 'Billing: ISO 3166 code',
} as const satisfies Notes;

const SHIPPING = {
  shipping_address_street_name_line1: 'Street and number',
  shipping_address_street_name_line2: 'Second line',
  shipping_address_city: 'City',
  shipping_address_state: 'State or region',
  shipping_address_zip_code: 'Postal code',
  shipping_address_country: 'ISO 3166 code, in any case',
  shipping_address_first_use_date: 'First use of this address',
  shipping_id: 'Your own id of the delivery',
  shipping_carrier_name: 'Who delivers',
  shipping_first_name: 'First name',
  shipping_last_name: 'Last name',
  shipping_delivery_range: 'How soon it is delivered',
  shipping_delivery_method: 'Where it is delivered',
  shipping_price: 'Price of the delivery',
  shipping_tax: 'Tax on the delivery',
  shipping_tax_rate: 'Tax rate, as you write it',
  shipping_email: 'E-mail address',
  shipping_phone_number: 'Phone number',
} as const satisfies Notes;

const HISTORY = {
  customer_account_creation_date: 'Account made',
  customer_account_change_date: 'Account last changed',
  customer_account_change_password_date: 'Password last changed',
  customer_account_add_payment_means_date: 'Payment means last added',
  customer_account_attempts_order_day: 'Orders tried in a day',
  customer_account_attempts_order_six_months: 'Orders tried in six months',
  customer_account_attempts_order_year: 'Orders tried in a year',
  customer_account_successful_orders_day: 'Orders made in a day',
  customer_account_successful_orders_six_months: 'Orders made in six months',
  customer_account_successful_orders_year: 'Orders made in a year',
  customer_account_attempts_add_card: 'Cards tried to be added',
} as const satisfies Notes;

const BROWSER = {
  customer_browser_info_js_enabled: 'Scripts run',
  customer_browser_info_java_enabled: 'Java runs',
  customer_browser_info_screen_height: 'Pixels',
  customer_browser_info_screen_width: 'Pixels',
  customer_browser_info_color_depth:
    'Bits per pixel; any text is taken, and used where it is a whole number from 1 to 64',
  customer_browser_info_time_zone: 'IANA name such as Europe/Paris, or an offset such as +02:00',
  customer_browser_info_language: 'Language tag',
  customer_browser_info_user_agent: 'User agent',
  customer_browser_info_accept_header: 'Accept header',
} as const satisfies Notes;

const SUBSCRIPTION = {
  subscription_id: 'Id of the subscription a payment belongs to',
  plan_id: 'Your own id of the plan',
  contract_id: 'Your own id of the contract with the customer',
  subscriber_id: 'Your own id of the subscriber',
  subscription_description: 'Shown to people, never interpreted',
  subscription_count: 'Number of payments',
  subscription_end_date: 'Last day',
  subscription_recurrence: 'How often it is paid',
} as const satisfies Notes;

/** Groups of contract 4.2, taken by checkouts and orders alike. */
export const GROUP_NOTES: Readonly<Record<string, Notes>> = {
  'Return addresses': URLS,
  'More on the payment': MORE,
  Customer: CUSTOMER,
  Addresses: ADDRESS,
  Shipping: SHIPPING,
  'History of the customer account': HISTORY,
  Basket: {
    basket_id: 'Your own id of the basket',
    basket_type: 'What is sold',
    basket_content: 'What is in the basket',
  },
  'Browser of the payer': BROWSER,
  Subscription: SUBSCRIPTION,
  'Your own data': { merchant_data: 'Stored with the payment and answered again' },
};

export const CHECKOUT_NOTES: Readonly<Record<string, Notes>> = { 'The payment': PAYMENT_NOTES, ...GROUP_NOTES };

export const CHECKOUT_EXAMPLE = {
  type: 'api',
  operation_type: 'authorize',
  amount: '42.50',
  currency: 'EUR',
  order_merchant_id: 'cart-1881',
  customer_id: '5512',
};
