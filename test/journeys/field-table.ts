// Which field of contract 4.2, 5.1 and 7.1 is of which type.
import {
  type FieldType,
  bool,
  choice,
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
  text,
  timeZone,
  url,
} from './field-types.ts';

const of = (type: FieldType, names: string): [string, FieldType][] => names.split(' ').map((name) => [name, type]);

/** Groups of contract 4.2, accepted on checkout and order alike. */
export const GROUPS: readonly (readonly [string, FieldType])[] = [
  ...of(locale, 'locale'),
  ...of(url, 'website_url'),
  ...of(text(255, 'lines'), 'order_description subscription_description'),
  ...of(money0, 'order_tax_amount shipping_price shipping_tax'),
  ...of(bool, 'order_availability is_customer_registered is_return_accepted customer_items_reorder'),
  ...of(bool, 'customer_browser_info_js_enabled customer_browser_info_java_enabled'),
  ...of(datetime, 'order_availability_date shipping_address_first_use_date subscription_end_date'),
  ...of(datetime, 'customer_account_creation_date customer_account_change_date'),
  ...of(datetime, 'customer_account_change_password_date customer_account_add_payment_means_date'),
  ...of(choice('no_3ds', 'ask_3ds', 'force_3ds'), 'authentication_indicator'),
  ...of(choice('no_preference', 'challenge_mandatory', 'challenge_requested', 'no_challenge'), 'challenge_preference'),
  ...of(choice('low_value', 'corporate', 'trusted_beneficiary', 'risk_analysis'), 'sca_exemption_reason'),
  ...of(choice('mobile', 'laptop', 'desktop', 'watch', 'smart_home', 'other'), 'device_type'),
  ...of(choice('male', 'female', 'other'), 'customer_gender'),
  ...of(choice('mobile', 'home', 'work'), 'customer_phone_number_type'),
  ...of(choice('sameday', 'lessthan2days', 'morethan2days'), 'shipping_delivery_range'),
  ...of(choice('customer_address', 'in_store', 'pickup_store', 'pickup', 'other'), 'shipping_delivery_method'),
  ...of(choice('physical', 'digital', 'mixed'), 'basket_type'),
  ...of(
    choice('weekly', 'fifteen_days', 'month', 'two_months', 'three_months', 'yearly', 'other'),
    'subscription_recurrence',
  ),
  ...of(intText(1, 10), 'max_attempts'),
  ...of(text(16), 'shipping_tax_rate'),
  ...of(text(22), 'dynamic_descriptor_authorization'),
  ...of(text(32), 'customer_zip_code customer_billing_zip_code shipping_address_zip_code'),
  ...of(text(35), 'customer_browser_info_language'),
  ...of(text(50), 'customer_phone_number shipping_phone_number'),
  ...of(text(64), 'merchant_contract customer_identification_number customer_os_version basket_id'),
  ...of(text(255), 'merchant_store_id integration_id hosted_fields_version sdk_version payment_method_type'),
  ...of(text(255), 'customer_id customer_first_name customer_last_name customer_street_name customer_city'),
  ...of(text(255), 'customer_billing_first_name customer_billing_last_name customer_billing_street_name'),
  ...of(text(255), 'customer_billing_city shipping_address_street_name_line1 shipping_address_street_name_line2'),
  ...of(text(255), 'shipping_address_city shipping_address_state shipping_id shipping_carrier_name'),
  ...of(text(255), 'shipping_first_name shipping_last_name plan_id contract_id subscriber_id'),
  ...of(text(2048), 'customer_browser_info_user_agent customer_browser_info_accept_header'),
  ...of(timeZone, 'customer_browser_info_time_zone'),
  ...of(int(0, 99_999), 'customer_browser_info_screen_height customer_browser_info_screen_width'),
  ...of(text(16), 'customer_browser_info_color_depth'),
  ...of(int(0, 1_000_000), 'customer_account_attempts_order_day customer_account_attempts_order_six_months'),
  ...of(int(0, 1_000_000), 'customer_account_attempts_order_year customer_account_successful_orders_day'),
  ...of(int(0, 1_000_000), 'customer_account_successful_orders_six_months customer_account_successful_orders_year'),
  ...of(int(0, 1_000_000), 'customer_account_attempts_add_card'),
  ...of(int(0, 100_000), 'subscription_count'),
  ...of(date, 'customer_birth_date'),
  ...of(country, 'customer_country customer_billing_country shipping_address_country'),
  ...of(email, 'customer_email shipping_email'),
  ...of(ip, 'customer_ip'),
  ...of(id24, 'subscription_id'),
];

/** Further fields of 5.1, also on orders. */
export const CHECKOUT_FIELDS: readonly (readonly [string, FieldType])[] = [
  ...of(choice('api', 'hosted_page', 'hosted_fields', 'mobile_sdk', 'qrcode', 'mail_to_pay'), 'type'),
  ...of(choice('authorize', 'direct_capture'), 'operation_type'),
  ...of(choice('e-commerce', 'recurring', 'moto', 'pos'), 'payment_channel'),
  ...of(choice('oneshot', 'recurring'), 'token_type'),
  ...of(url, 'accept_url decline_url cancel_url pending_url exception_url'),
  ...of(text(32), 'payment_method_name'),
  ...of(text(255), 'order_merchant_id'),
];

/** Items of basket_content. */
export const PRODUCT: readonly (readonly [string, FieldType])[] = [
  ...of(text(255), 'product_sku product_id product_name seller_id seller_name'),
  ...of(text(1024, 'lines'), 'product_description'),
  ...of(money0, 'product_price product_tax_amount total_amount seller_commission'),
  ...of(int(0, 1_000_000), 'product_quantity'),
  ...of(bool, 'product_availability'),
  ...of(choice('physical', 'digital', 'mixed'), 'product_type'),
];

const THREE_DS = 'network_score cavv cavv_algorithm ucaf_aav eci x_id pares_status directory_veres version';

/** Further fields of 7.1, on orders only; `3ds_data` by its members. */
export const ORDER_FIELDS: readonly (readonly [string, FieldType])[] = [
  ...of(id24, 'subscription_first_id'),
  ...of(bool, 'giftcard_used'),
  ...of(text(64), 'giftcard_number'),
  ...THREE_DS.split(' ').map((name) => [`3ds_data.${name}`, text(64)] as const),
];
