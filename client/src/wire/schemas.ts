// Written by `npm run docs` from the tables in src; not to be edited.
import type { Amount, Money } from '../money.ts';

/** A word of a list that may grow: new ones may come in any release. */
export type Open<Word extends string> = Word | (string & {});

/** Every event of a notification. */
export type EventName =
  | 'risk_assessment_requested'
  | 'risk_assessment_approved'
  | 'risk_assessment_declined'
  | 'authentication_requested'
  | 'authentication_successful'
  | 'authentication_declined'
  | 'authorization_requested'
  | 'authorization_successful'
  | 'authorization_declined'
  | 'authorization_cancelled'
  | 'authorization_expired'
  | 'authorization_cancel_requested'
  | 'authorization_cancel_declined'
  | 'capture_requested'
  | 'capture_successful'
  | 'capture_declined'
  | 'refund_requested'
  | 'refund_successful'
  | 'refund_declined'
  | 'checkout.expired'
  | 'customer.updated'
  | 'dispute.opened'
  | 'dispute.updated'
  | 'dispute.due'
  | 'dispute.won'
  | 'dispute.lost'
  | 'order.contradicted'
  | 'order.retries_ended'
  | 'provider.health_changed';

/** RFC 9457 problem details */
export type Problem = {
  /** Page that explains the problem */
  readonly type: string;
  /** The problem, in words */
  readonly title: string;
  /** HTTP status */
  readonly status: number;
  /** The reason of this case, and what to do; never repeats a value */
  readonly detail: string;
  /** The request id */
  readonly instance: string;
  readonly result: {
    /** Code of the first entry of errors */
    readonly code: string;
    /** What the code means */
    readonly description: string;
  };
  /** Where such an object exists */
  readonly order_id?: string | undefined;
  /** Where such an object exists */
  readonly transaction_id?: string | undefined;
  /** Where such an object exists */
  readonly capture_id?: string | undefined;
  /** Where such an object exists */
  readonly refund_id?: string | undefined;
  /** The order's status, where there is an order */
  readonly order_status?: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'> | undefined;
  /** Every problem of the fields at once, missing ones first */
  readonly errors?: ReadonlyArray<{
    /** Body path, query name, path parameter or header name */
    readonly field: string;
    readonly code: string;
    /** Completes the name of the field */
    readonly message: string;
  }> | undefined;
};

export type CheckoutRequest = {
  /** How the payer is met. hosted_page, qrcode and mail_to_pay are paid on our page, the others on yours */
  readonly type: 'api' | 'hosted_page' | 'hosted_fields' | 'mobile_sdk' | 'qrcode' | 'mail_to_pay';
  /** authorize holds the amount and is captured later; direct_capture charges at once */
  readonly operation_type: 'authorize' | 'direct_capture';
  /** Amount of the payment in major units, with at most the decimals of the currency */
  readonly amount: Amount;
  /** ISO 4217 code, in any case */
  readonly currency: string;
  /** Your own reference; it need not be unique */
  readonly order_merchant_id: string;
  /** Default e-commerce */
  readonly payment_channel?: 'e-commerce' | 'recurring' | 'moto' | 'pos' | null | undefined;
  /** recurring is sent to save the card. Default oneshot */
  readonly token_type?: 'oneshot' | 'recurring' | null | undefined;
  /** Narrows the methods listed to this one, such as visa */
  readonly payment_method_name?: string | null | undefined;
  /** 1 minute to 30 days ahead; default 15 minutes */
  readonly expiration_date?: string | null | undefined;
  /** Where the payer is sent after success */
  readonly accept_url?: string | null | undefined;
  /** Where the payer is sent after a decline */
  readonly decline_url?: string | null | undefined;
  /** Where the payer is sent after pressing cancel */
  readonly cancel_url?: string | null | undefined;
  /** Where the payer is sent while the outcome is not known */
  readonly pending_url?: string | null | undefined;
  /** Where the payer is sent after an error */
  readonly exception_url?: string | null | undefined;
  /** Language of the payer, such as fr or fr_FR */
  readonly locale?: string | null | undefined;
  /** Address of the shop */
  readonly website_url?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly order_description?: string | null | undefined;
  /** Tax within the amount */
  readonly order_tax_amount?: Amount | null | undefined;
  /** The goods are there */
  readonly order_availability?: boolean | null | undefined;
  /** When the goods will be there */
  readonly order_availability_date?: string | null | undefined;
  /** no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without */
  readonly authentication_indicator?: 'no_3ds' | 'ask_3ds' | 'force_3ds' | null | undefined;
  /** What you wish from the issuer when it authenticates the payer */
  readonly challenge_preference?: 'no_preference' | 'challenge_mandatory' | 'challenge_requested' | 'no_challenge' | null | undefined;
  /** The exemption from authentication you ask for */
  readonly sca_exemption_reason?: 'low_value' | 'corporate' | 'trusted_beneficiary' | 'risk_analysis' | null | undefined;
  /** How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none */
  readonly max_attempts?: number | null | undefined;
  /** Id or name of the provider contract to use */
  readonly merchant_contract?: string | null | undefined;
  /** Text for the statement of the cardholder */
  readonly dynamic_descriptor_authorization?: string | null | undefined;
  /** Your own id of the store */
  readonly merchant_store_id?: string | null | undefined;
  /** Name of the integration that sends the request */
  readonly integration_id?: string | null | undefined;
  /** Version of the hosted fields */
  readonly hosted_fields_version?: string | null | undefined;
  /** Version of the software kit */
  readonly sdk_version?: string | null | undefined;
  /** Your own word for the payment method */
  readonly payment_method_type?: string | null | undefined;
  /** What the payer uses */
  readonly device_type?: 'mobile' | 'laptop' | 'desktop' | 'watch' | 'smart_home' | 'other' | null | undefined;
  /** Your own id of the customer; needed for saved cards */
  readonly customer_id?: string | null | undefined;
  /** E-mail address */
  readonly customer_email?: string | null | undefined;
  /** First name */
  readonly customer_first_name?: string | null | undefined;
  /** Last name */
  readonly customer_last_name?: string | null | undefined;
  /** Gender */
  readonly customer_gender?: 'male' | 'female' | 'other' | null | undefined;
  /** Date of birth; of a date and time the date is taken */
  readonly customer_birth_date?: string | null | undefined;
  /** IP address of the payer; of a list the first is taken */
  readonly customer_ip?: string | null | undefined;
  /** Phone number, as the customer wrote it */
  readonly customer_phone_number?: string | null | undefined;
  /** Kind of phone number */
  readonly customer_phone_number_type?: 'mobile' | 'home' | 'work' | null | undefined;
  /** Number of a document or of the tax office */
  readonly customer_identification_number?: string | null | undefined;
  /** Operating system of the payer */
  readonly customer_os_version?: string | null | undefined;
  /** The customer has an account with you */
  readonly is_customer_registered?: boolean | null | undefined;
  /** You take goods back */
  readonly is_return_accepted?: boolean | null | undefined;
  /** The customer bought the same before */
  readonly customer_items_reorder?: boolean | null | undefined;
  /** Street and number */
  readonly customer_street_name?: string | null | undefined;
  /** City */
  readonly customer_city?: string | null | undefined;
  /** Postal code */
  readonly customer_zip_code?: string | null | undefined;
  /** ISO 3166 code, in any case */
  readonly customer_country?: string | null | undefined;
  /** Billing: first name */
  readonly customer_billing_first_name?: string | null | undefined;
  /** Billing: last name */
  readonly customer_billing_last_name?: string | null | undefined;
  /** Billing: street and number */
  readonly customer_billing_street_name?: string | null | undefined;
  /** Billing: city */
  readonly customer_billing_city?: string | null | undefined;
  /** Billing: postal code */
  readonly customer_billing_zip_code?: string | null | undefined;
  /** Billing: ISO 3166 code */
  readonly customer_billing_country?: string | null | undefined;
  /** Street and number */
  readonly shipping_address_street_name_line1?: string | null | undefined;
  /** Second line */
  readonly shipping_address_street_name_line2?: string | null | undefined;
  /** City */
  readonly shipping_address_city?: string | null | undefined;
  /** State or region */
  readonly shipping_address_state?: string | null | undefined;
  /** Postal code */
  readonly shipping_address_zip_code?: string | null | undefined;
  /** ISO 3166 code, in any case */
  readonly shipping_address_country?: string | null | undefined;
  /** First use of this address */
  readonly shipping_address_first_use_date?: string | null | undefined;
  /** Your own id of the delivery */
  readonly shipping_id?: string | null | undefined;
  /** Who delivers */
  readonly shipping_carrier_name?: string | null | undefined;
  /** First name */
  readonly shipping_first_name?: string | null | undefined;
  /** Last name */
  readonly shipping_last_name?: string | null | undefined;
  /** How soon it is delivered */
  readonly shipping_delivery_range?: 'sameday' | 'lessthan2days' | 'morethan2days' | null | undefined;
  /** Where it is delivered */
  readonly shipping_delivery_method?: 'customer_address' | 'in_store' | 'pickup_store' | 'pickup' | 'other' | null | undefined;
  /** Price of the delivery */
  readonly shipping_price?: Amount | null | undefined;
  /** Tax on the delivery */
  readonly shipping_tax?: Amount | null | undefined;
  /** Tax rate, as you write it */
  readonly shipping_tax_rate?: string | null | undefined;
  /** E-mail address */
  readonly shipping_email?: string | null | undefined;
  /** Phone number */
  readonly shipping_phone_number?: string | null | undefined;
  /** Account made */
  readonly customer_account_creation_date?: string | null | undefined;
  /** Account last changed */
  readonly customer_account_change_date?: string | null | undefined;
  /** Password last changed */
  readonly customer_account_change_password_date?: string | null | undefined;
  /** Payment means last added */
  readonly customer_account_add_payment_means_date?: string | null | undefined;
  /** Orders tried in a day */
  readonly customer_account_attempts_order_day?: number | null | undefined;
  /** Orders tried in six months */
  readonly customer_account_attempts_order_six_months?: number | null | undefined;
  /** Orders tried in a year */
  readonly customer_account_attempts_order_year?: number | null | undefined;
  /** Orders made in a day */
  readonly customer_account_successful_orders_day?: number | null | undefined;
  /** Orders made in six months */
  readonly customer_account_successful_orders_six_months?: number | null | undefined;
  /** Orders made in a year */
  readonly customer_account_successful_orders_year?: number | null | undefined;
  /** Cards tried to be added */
  readonly customer_account_attempts_add_card?: number | null | undefined;
  /** Your own id of the basket */
  readonly basket_id?: string | null | undefined;
  /** What is sold */
  readonly basket_type?: 'physical' | 'digital' | 'mixed' | null | undefined;
  /** What is in the basket */
  readonly basket_content?: ReadonlyArray<{
    readonly product_sku?: string | null | undefined;
    readonly product_id?: string | null | undefined;
    readonly product_name?: string | null | undefined;
    readonly seller_id?: string | null | undefined;
    readonly seller_name?: string | null | undefined;
    readonly product_description?: string | null | undefined;
    readonly product_image_url?: string | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly product_price?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly product_tax_amount?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly total_amount?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly seller_commission?: Amount | null | undefined;
    readonly product_quantity?: number | null | undefined;
    readonly product_availability?: boolean | null | undefined;
    readonly product_type?: 'physical' | 'digital' | 'mixed' | null | undefined;
  }> | null | undefined;
  /** Scripts run */
  readonly customer_browser_info_js_enabled?: boolean | null | undefined;
  /** Java runs */
  readonly customer_browser_info_java_enabled?: boolean | null | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_height?: number | null | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_width?: number | null | undefined;
  /** Bits per pixel; any text is taken, and used where it is a whole number from 1 to 64 */
  readonly customer_browser_info_color_depth?: string | null | undefined;
  /** IANA name such as Europe/Paris, or an offset such as +02:00 */
  readonly customer_browser_info_time_zone?: string | null | undefined;
  /** Language tag */
  readonly customer_browser_info_language?: string | null | undefined;
  /** User agent */
  readonly customer_browser_info_user_agent?: string | null | undefined;
  /** Accept header */
  readonly customer_browser_info_accept_header?: string | null | undefined;
  /** Id of the subscription a payment belongs to */
  readonly subscription_id?: string | null | undefined;
  /** Your own id of the plan */
  readonly plan_id?: string | null | undefined;
  /** Your own id of the contract with the customer */
  readonly contract_id?: string | null | undefined;
  /** Your own id of the subscriber */
  readonly subscriber_id?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly subscription_description?: string | null | undefined;
  /** Number of payments */
  readonly subscription_count?: number | null | undefined;
  /** Last day */
  readonly subscription_end_date?: string | null | undefined;
  /** How often it is paid */
  readonly subscription_recurrence?: 'weekly' | 'fifteen_days' | 'month' | 'two_months' | 'three_months' | 'yearly' | 'other' | null | undefined;
  /** Stored with the payment and answered again */
  readonly merchant_data?: ReadonlyArray<{
    readonly key: string;
    readonly type?: 'string' | 'number' | 'date' | 'boolean' | 'integer' | null | undefined;
    readonly value?: string | number | boolean | null | undefined;
    readonly is_personal_data?: boolean | null | undefined;
  }> | null | undefined;
};

export type Result = {
  /** Result code: compare it as a text; docs/codes.md lists all */
  readonly code: string;
  /** What the code means, in words; test the code only */
  readonly description: string;
};

export type Checkout = {
  /** Id of the checkout */
  readonly checkout_id: string;
  /** Where the checkout stands */
  readonly status: Open<'created' | 'processing' | 'completed' | 'declined' | 'cancelled' | 'expired'>;
  /** As sent */
  readonly type: string;
  /** As sent */
  readonly operation_type: string;
  /** As sent, or e-commerce */
  readonly payment_channel: string;
  /** As sent, or oneshot */
  readonly token_type: string;
  /** As sent */
  readonly order_merchant_id: string;
  /** Amount in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** When the checkout can no longer be paid; a long textual date */
  readonly expiration_date: string;
  /** Your own data; an empty list when there are none */
  readonly merchant_data: ReadonlyArray<{
    readonly key?: string | undefined;
    readonly type?: Open<'string' | 'number' | 'date' | 'boolean' | 'integer'> | undefined;
    readonly value?: string | undefined;
    readonly is_personal_data?: boolean | undefined;
  }>;
  readonly hosted_page_configuration: {
    /** Settings of the hosted fields */
    readonly hosted_fields: Readonly<Record<string, unknown>>;
  };
  /** Reads only: how often it can still be paid */
  readonly attempts_remaining?: number | undefined;
  /** The payment link that it was opened from */
  readonly link_id?: string | undefined;
  /** Reads only: orders made from it, newest first */
  readonly orders?: ReadonlyArray<{
    /** Id of the order */
    readonly order_id: string;
    /** Its status */
    readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  }> | undefined;
  /** Where the payer is sent after success */
  readonly accept_url?: string | undefined;
  /** Where the payer is sent after a decline */
  readonly decline_url?: string | undefined;
  /** Where the payer is sent after pressing cancel */
  readonly cancel_url?: string | undefined;
  /** Where the payer is sent while the outcome is not known */
  readonly pending_url?: string | undefined;
  /** Where the payer is sent after an error */
  readonly exception_url?: string | undefined;
  /** Narrows the methods listed to this one, such as visa */
  readonly payment_method_name?: string | undefined;
  /** Language of the payer, such as fr or fr_FR */
  readonly locale?: string | undefined;
  /** Address of the shop */
  readonly website_url?: string | undefined;
  /** Shown to people, never interpreted */
  readonly order_description?: string | undefined;
  /** Tax within the amount */
  readonly order_tax_amount?: Money | undefined;
  /** The goods are there */
  readonly order_availability?: boolean | undefined;
  /** When the goods will be there */
  readonly order_availability_date?: string | undefined;
  /** no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without */
  readonly authentication_indicator?: Open<'no_3ds' | 'ask_3ds' | 'force_3ds'> | undefined;
  /** What you wish from the issuer when it authenticates the payer */
  readonly challenge_preference?: Open<'no_preference' | 'challenge_mandatory' | 'challenge_requested' | 'no_challenge'> | undefined;
  /** The exemption from authentication you ask for */
  readonly sca_exemption_reason?: Open<'low_value' | 'corporate' | 'trusted_beneficiary' | 'risk_analysis'> | undefined;
  /** How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none */
  readonly max_attempts?: string | undefined;
  /** Id or name of the provider contract to use */
  readonly merchant_contract?: string | undefined;
  /** Text for the statement of the cardholder */
  readonly dynamic_descriptor_authorization?: string | undefined;
  /** Your own id of the store */
  readonly merchant_store_id?: string | undefined;
  /** Name of the integration that sends the request */
  readonly integration_id?: string | undefined;
  /** Version of the hosted fields */
  readonly hosted_fields_version?: string | undefined;
  /** Version of the software kit */
  readonly sdk_version?: string | undefined;
  /** Your own word for the payment method */
  readonly payment_method_type?: string | undefined;
  /** What the payer uses */
  readonly device_type?: Open<'mobile' | 'laptop' | 'desktop' | 'watch' | 'smart_home' | 'other'> | undefined;
  /** Your own id of the customer; needed for saved cards */
  readonly customer_id?: string | undefined;
  /** E-mail address */
  readonly customer_email?: string | undefined;
  /** First name */
  readonly customer_first_name?: string | undefined;
  /** Last name */
  readonly customer_last_name?: string | undefined;
  /** Gender */
  readonly customer_gender?: Open<'male' | 'female' | 'other'> | undefined;
  /** Date of birth; of a date and time the date is taken */
  readonly customer_birth_date?: string | undefined;
  /** IP address of the payer; of a list the first is taken */
  readonly customer_ip?: string | undefined;
  /** Phone number, as the customer wrote it */
  readonly customer_phone_number?: string | undefined;
  /** Kind of phone number */
  readonly customer_phone_number_type?: Open<'mobile' | 'home' | 'work'> | undefined;
  /** Number of a document or of the tax office */
  readonly customer_identification_number?: string | undefined;
  /** Operating system of the payer */
  readonly customer_os_version?: string | undefined;
  /** The customer has an account with you */
  readonly is_customer_registered?: boolean | undefined;
  /** You take goods back */
  readonly is_return_accepted?: boolean | undefined;
  /** The customer bought the same before */
  readonly customer_items_reorder?: boolean | undefined;
  /** Street and number */
  readonly customer_street_name?: string | undefined;
  /** City */
  readonly customer_city?: string | undefined;
  /** Postal code */
  readonly customer_zip_code?: string | undefined;
  /** ISO 3166 code, in any case */
  readonly customer_country?: string | undefined;
  /** Billing: first name */
  readonly customer_billing_first_name?: string | undefined;
  /** Billing: last name */
  readonly customer_billing_last_name?: string | undefined;
  /** Billing: street and number */
  readonly customer_billing_street_name?: string | undefined;
  /** Billing: city */
  readonly customer_billing_city?: string | undefined;
  /** Billing: postal code */
  readonly customer_billing_zip_code?: string | undefined;
  /** Billing: ISO 3166 code */
  readonly customer_billing_country?: string | undefined;
  /** Street and number */
  readonly shipping_address_street_name_line1?: string | undefined;
  /** Second line */
  readonly shipping_address_street_name_line2?: string | undefined;
  /** City */
  readonly shipping_address_city?: string | undefined;
  /** State or region */
  readonly shipping_address_state?: string | undefined;
  /** Postal code */
  readonly shipping_address_zip_code?: string | undefined;
  /** ISO 3166 code, in any case */
  readonly shipping_address_country?: string | undefined;
  /** First use of this address */
  readonly shipping_address_first_use_date?: string | undefined;
  /** Your own id of the delivery */
  readonly shipping_id?: string | undefined;
  /** Who delivers */
  readonly shipping_carrier_name?: string | undefined;
  /** First name */
  readonly shipping_first_name?: string | undefined;
  /** Last name */
  readonly shipping_last_name?: string | undefined;
  /** How soon it is delivered */
  readonly shipping_delivery_range?: Open<'sameday' | 'lessthan2days' | 'morethan2days'> | undefined;
  /** Where it is delivered */
  readonly shipping_delivery_method?: Open<'customer_address' | 'in_store' | 'pickup_store' | 'pickup' | 'other'> | undefined;
  /** Price of the delivery */
  readonly shipping_price?: Money | undefined;
  /** Tax on the delivery */
  readonly shipping_tax?: Money | undefined;
  /** Tax rate, as you write it */
  readonly shipping_tax_rate?: string | undefined;
  /** E-mail address */
  readonly shipping_email?: string | undefined;
  /** Phone number */
  readonly shipping_phone_number?: string | undefined;
  /** Account made */
  readonly customer_account_creation_date?: string | undefined;
  /** Account last changed */
  readonly customer_account_change_date?: string | undefined;
  /** Password last changed */
  readonly customer_account_change_password_date?: string | undefined;
  /** Payment means last added */
  readonly customer_account_add_payment_means_date?: string | undefined;
  /** Orders tried in a day */
  readonly customer_account_attempts_order_day?: number | undefined;
  /** Orders tried in six months */
  readonly customer_account_attempts_order_six_months?: number | undefined;
  /** Orders tried in a year */
  readonly customer_account_attempts_order_year?: number | undefined;
  /** Orders made in a day */
  readonly customer_account_successful_orders_day?: number | undefined;
  /** Orders made in six months */
  readonly customer_account_successful_orders_six_months?: number | undefined;
  /** Orders made in a year */
  readonly customer_account_successful_orders_year?: number | undefined;
  /** Cards tried to be added */
  readonly customer_account_attempts_add_card?: number | undefined;
  /** Your own id of the basket */
  readonly basket_id?: string | undefined;
  /** What is sold */
  readonly basket_type?: Open<'physical' | 'digital' | 'mixed'> | undefined;
  /** What is in the basket */
  readonly basket_content?: ReadonlyArray<{
    readonly product_sku?: string | undefined;
    readonly product_id?: string | undefined;
    readonly product_name?: string | undefined;
    readonly seller_id?: string | undefined;
    readonly seller_name?: string | undefined;
    readonly product_description?: string | undefined;
    readonly product_image_url?: string | undefined;
    readonly product_price?: Money | undefined;
    readonly product_tax_amount?: Money | undefined;
    readonly total_amount?: Money | undefined;
    readonly seller_commission?: Money | undefined;
    readonly product_quantity?: number | undefined;
    readonly product_availability?: boolean | undefined;
    readonly product_type?: Open<'physical' | 'digital' | 'mixed'> | undefined;
  }> | undefined;
  /** Scripts run */
  readonly customer_browser_info_js_enabled?: boolean | undefined;
  /** Java runs */
  readonly customer_browser_info_java_enabled?: boolean | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_height?: number | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_width?: number | undefined;
  /** Bits per pixel; any text is taken, and used where it is a whole number from 1 to 64 */
  readonly customer_browser_info_color_depth?: string | undefined;
  /** IANA name such as Europe/Paris, or an offset such as +02:00 */
  readonly customer_browser_info_time_zone?: string | undefined;
  /** Language tag */
  readonly customer_browser_info_language?: string | undefined;
  /** User agent */
  readonly customer_browser_info_user_agent?: string | undefined;
  /** Accept header */
  readonly customer_browser_info_accept_header?: string | undefined;
  /** Id of the subscription a payment belongs to */
  readonly subscription_id?: string | undefined;
  /** Your own id of the plan */
  readonly plan_id?: string | undefined;
  /** Your own id of the contract with the customer */
  readonly contract_id?: string | undefined;
  /** Your own id of the subscriber */
  readonly subscriber_id?: string | undefined;
  /** Shown to people, never interpreted */
  readonly subscription_description?: string | undefined;
  /** Number of payments */
  readonly subscription_count?: number | undefined;
  /** Last day */
  readonly subscription_end_date?: string | undefined;
  /** How often it is paid */
  readonly subscription_recurrence?: Open<'weekly' | 'fifteen_days' | 'month' | 'two_months' | 'three_months' | 'yearly' | 'other'> | undefined;
};

export type PaymentMethod = {
  /** Identifier of the method, such as a card scheme in lower case */
  readonly name: string;
  /** Name to show */
  readonly display_name: string;
  /** What the payer fills in */
  readonly component_type: Open<'card' | 'form_redirect' | 'no_form_redirect'>;
  /** Provider that processes it */
  readonly partner: string;
  /** Fields an order with it needs */
  readonly required_fields: readonly string[];
  /** Countries it is offered in, or all */
  readonly countries: readonly string[];
  /** Inputs of a payment form */
  readonly form_fields: ReadonlyArray<{
    /** Label of the input */
    readonly label: string;
    /** Name of the field */
    readonly name: string;
    /** Kind of value */
    readonly data_type: Open<'integer' | 'date' | 'name'>;
    /** Values to choose from; empty: free */
    readonly enum: readonly string[];
    /** A value */
    readonly example: string;
    /** Name to show */
    readonly display_name: string;
  }>;
  /** File under {vault_url}/image/logo/ */
  readonly logo: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_white: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_colorbg: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_whitebg: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_favicon_colorbg: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_favicon_whitebg: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_png: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_white_png: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_colorbg_png: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_whitebg_png: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_favicon_colorbg_png: string;
  /** File under {vault_url}/image/logo/ */
  readonly logo_favicon_whitebg_png: string;
};

/** For the types api, hosted_fields and mobile_sdk, while status is created */
export type PaymentMethods = {
  /** Saved cards of the customer, newest use first */
  readonly payment_methods_saved: ReadonlyArray<{
    /** Identifier of the method, such as a card scheme in lower case */
    readonly name: string;
    /** Name to show */
    readonly display_name: string;
    /** What the payer fills in */
    readonly component_type: Open<'card' | 'form_redirect' | 'no_form_redirect'>;
    /** Provider that processes it */
    readonly partner: string;
    /** Fields an order with it needs */
    readonly required_fields: readonly string[];
    /** Countries it is offered in, or all */
    readonly countries: readonly string[];
    /** Inputs of a payment form */
    readonly form_fields: ReadonlyArray<{
      /** Label of the input */
      readonly label: string;
      /** Name of the field */
      readonly name: string;
      /** Kind of value */
      readonly data_type: Open<'integer' | 'date' | 'name'>;
      /** Values to choose from; empty: free */
      readonly enum: readonly string[];
      /** A value */
      readonly example: string;
      /** Name to show */
      readonly display_name: string;
    }>;
    /** File under {vault_url}/image/logo/ */
    readonly logo: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_white: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_colorbg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_whitebg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_colorbg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_whitebg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_white_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_colorbg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_whitebg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_colorbg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_whitebg_png: string;
    /** How often it was used */
    readonly nb_use: number;
    /** Last use, ISO 8601; null before the first */
    readonly date_last_use: string | null;
    /** Id of the saved card */
    readonly id: string;
    /** Token of 64 hexadecimal characters */
    readonly token: string;
    /** last_4_digits, first_6_digits, card_validity_month, card_validity_year */
    readonly payment_details: ReadonlyArray<{
      /** Name */
      readonly key: string;
      /** Value */
      readonly value: string;
    }>;
  }>;
  /** Methods the customer used before */
  readonly payment_methods_used: ReadonlyArray<{
    /** Identifier of the method, such as a card scheme in lower case */
    readonly name: string;
    /** Name to show */
    readonly display_name: string;
    /** What the payer fills in */
    readonly component_type: Open<'card' | 'form_redirect' | 'no_form_redirect'>;
    /** Provider that processes it */
    readonly partner: string;
    /** Fields an order with it needs */
    readonly required_fields: readonly string[];
    /** Countries it is offered in, or all */
    readonly countries: readonly string[];
    /** Inputs of a payment form */
    readonly form_fields: ReadonlyArray<{
      /** Label of the input */
      readonly label: string;
      /** Name of the field */
      readonly name: string;
      /** Kind of value */
      readonly data_type: Open<'integer' | 'date' | 'name'>;
      /** Values to choose from; empty: free */
      readonly enum: readonly string[];
      /** A value */
      readonly example: string;
      /** Name to show */
      readonly display_name: string;
    }>;
    /** File under {vault_url}/image/logo/ */
    readonly logo: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_white: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_colorbg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_whitebg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_colorbg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_whitebg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_white_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_colorbg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_whitebg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_colorbg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_whitebg_png: string;
    /** How often it was used */
    readonly nb_use: number;
    /** Last use, ISO 8601; null before the first */
    readonly date_last_use: string | null;
  }>;
  /** What the checkout can be paid with; an empty list is a success */
  readonly payment_methods_available: readonly PaymentMethod[];
};

export type CheckoutAnswer = {
  readonly result: Result;
  readonly checkout: Checkout;
  readonly payment_methods?: PaymentMethods | undefined;
  /** For the types hosted_page, qrcode and mail_to_pay, while status is created: the page where the payer pays */
  readonly redirect_url?: string | undefined;
};

/** The card to tokenize. cvc is required with a public key, except for maestro and bancontact. */
export type TokenRequest = {
  /** Required but for the last two groups. 14 to 19 digits; spaces and hyphens between them are dropped. Never a JSON number: it would lose digits */
  readonly card_number?: string | null | undefined;
  /** Required with a card number. Month, one or two digits */
  readonly card_validity_month?: string | null | undefined;
  /** Required with a card number. Year, two or four digits, at most 20 years ahead */
  readonly card_validity_year?: string | null | undefined;
  /** Three digits, four for amex. Required with a public key, except for maestro and bancontact; never stored durably */
  readonly cvc?: string | null | undefined;
  /** Name on the card */
  readonly cardholder_name?: string | null | undefined;
  /** The payer's choice on a co-badged card; a brand the card does not carry is replaced */
  readonly customer_scheme_name?: 'visa' | 'mastercard' | 'amex' | 'diners' | 'discover' | 'jcb' | 'unionpay' | 'cb' | 'maestro' | 'bancontact' | null | undefined;
  /** oneshot pays one order within 15 minutes; recurring is a saved card. Default oneshot */
  readonly token_type?: 'oneshot' | 'recurring' | null | undefined;
  /** Default card; psp_token: a token of a partner, in place of a card; google_pay, apple_pay: what a wallet gave; network_token: a token of a scheme with its cryptogram */
  readonly token_kind?: 'card' | 'psp_token' | 'network_token' | 'google_pay' | 'apple_pay' | null | undefined;
  /** Binds the token, or the cvc entered again, to this checkout */
  readonly checkout_id?: string | null | undefined;
  /** A recurring token, in place of card_number: its cvc is entered again, for one payment within 15 minutes. Needs cvc */
  readonly token?: string | null | undefined;
  /** With token_kind google_pay: the token that Google Pay gave, as it is. With apple_pay: its payment data as JSON text. Pays once, and is taken once */
  readonly wallet_payload?: string | null | undefined;
  /** With token_kind network_token, where card_number is the token: the cryptogram for this one payment, base64. Kept no longer than a cvc */
  readonly cryptogram?: string | null | undefined;
  /** What came with the cryptogram, two digits */
  readonly eci?: string | null | undefined;
  /** The partner's own token, with token_kind psp_token. Needs a private key */
  readonly psp_token?: string | null | undefined;
  /** The partner it is of: one that is configured for the account */
  readonly partner?: string | null | undefined;
  /** Brand of the card behind it; this or customer_scheme_name is required */
  readonly payment_method_name?: 'visa' | 'mastercard' | 'amex' | 'diners' | 'discover' | 'jcb' | 'unionpay' | 'cb' | 'maestro' | 'bancontact' | null | undefined;
  /** The partner's own id of the customer */
  readonly psp_customer_id?: string | null | undefined;
  /** First six digits, where they are known */
  readonly card_6_digits?: string | null | undefined;
  /** Last four digits, where they are known */
  readonly card_4_digits?: string | null | undefined;
};

export type TokenAnswer = {
  readonly result: Result;
  /** When it was made */
  readonly created_date: string;
  /** The token: pass it to POST /payment/order */
  readonly token: string;
  /** As asked */
  readonly token_type: Open<'oneshot' | 'recurring'>;
  /** Kind of token */
  readonly token_kind: Open<'card' | 'psp_token' | 'network_token' | 'google_pay' | 'apple_pay'>;
  /** Scheme the payer chose, else that of the number */
  readonly customer_scheme_name: Open<'visa' | 'mastercard' | 'amex' | 'diners' | 'discover' | 'jcb' | 'unionpay' | 'cb' | 'maestro' | 'bancontact'>;
  /** Scheme of the number */
  readonly bin_scheme_name: Open<'visa' | 'mastercard' | 'amex' | 'diners' | 'discover' | 'jcb' | 'unionpay' | 'cb' | 'maestro' | 'bancontact'>;
  /** First six digits */
  readonly card_6_digits?: string | undefined;
  /** Last four digits */
  readonly card_4_digits?: string | undefined;
  /** Two digits */
  readonly card_validity_month?: string | undefined;
  /** Two digits */
  readonly card_validity_year?: string | undefined;
  /** The same for the same card within an account */
  readonly card_unique_id?: string | undefined;
  /** Only when it was sent */
  readonly checkout_id?: string | undefined;
  /** Only of a partner's token: its later payments name it */
  readonly subscription_id?: string | undefined;
};

export type PaymentLinkRequest = {
  /** once: one payment in all, however many people open it. many: every payer makes a payment of their own. Default once */
  readonly usage?: 'once' | 'many' | null | undefined;
  /** Fixed amount in major units. Absent: the payer says it, within the two bounds */
  readonly amount?: Amount | null | undefined;
  /** The least that a payer may pay; needed where no amount is fixed */
  readonly amount_least?: Amount | null | undefined;
  /** The most that a payer may pay; needed where no amount is fixed */
  readonly amount_most?: Amount | null | undefined;
  /** ISO 4217 code, in any case */
  readonly currency: string;
  /** Your own reference. Orders of a link that many pay have it with a number behind: stand-1, stand-2 */
  readonly order_merchant_id: string;
  /** From then on it opens no payment. 1 minute to 5 years ahead; default never */
  readonly expiration_date?: string | null | undefined;
  /** Your own data, at most 10: on every checkout and order of the link, and in their notifications */
  readonly merchant_data?: ReadonlyArray<{
    readonly key: string;
    readonly type?: 'string' | 'number' | 'date' | 'boolean' | 'integer' | null | undefined;
    readonly value?: string | number | boolean | null | undefined;
    readonly is_personal_data?: boolean | null | undefined;
  }> | null | undefined;
  /** authorize holds the amount and is captured later; direct_capture charges at once. Default direct_capture */
  readonly operation_type?: 'authorize' | 'direct_capture' | null | undefined;
  /** Narrows the methods listed to this one, such as visa */
  readonly payment_method_name?: string | null | undefined;
  /** Where the payer is sent after success */
  readonly accept_url?: string | null | undefined;
  /** Where the payer is sent after a decline */
  readonly decline_url?: string | null | undefined;
  /** Where the payer is sent after pressing cancel */
  readonly cancel_url?: string | null | undefined;
  /** Where the payer is sent while the outcome is not known */
  readonly pending_url?: string | null | undefined;
  /** Where the payer is sent after an error */
  readonly exception_url?: string | null | undefined;
  /** Language of the payer, such as fr or fr_FR */
  readonly locale?: string | null | undefined;
  /** Address of the shop */
  readonly website_url?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly order_description?: string | null | undefined;
  /** no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without */
  readonly authentication_indicator?: 'no_3ds' | 'ask_3ds' | 'force_3ds' | null | undefined;
  /** How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none */
  readonly max_attempts?: number | null | undefined;
  /** Id or name of the provider contract to use */
  readonly merchant_contract?: string | null | undefined;
  /** Text for the statement of the cardholder */
  readonly dynamic_descriptor_authorization?: string | null | undefined;
  /** Your own id of the store */
  readonly merchant_store_id?: string | null | undefined;
};

export type PaymentLink = {
  /** Id of the link */
  readonly link_id: string;
  /** Where it stands: active and paused are yours to change */
  readonly status: Open<'active' | 'paused' | 'paid' | 'expired' | 'ended'>;
  /** The address to share: a page that makes a checkout for each payer who opens it */
  readonly url: string;
  /** once: one payment. many: any number of payers */
  readonly usage: Open<'once' | 'many'>;
  /** Fixed amount in major units; null: the payer says it */
  readonly amount: Money | null;
  /** The least that a payer may pay; null where the amount is fixed */
  readonly amount_least: Money | null;
  /** The most that a payer may pay; null where the amount is fixed */
  readonly amount_most: Money | null;
  /** ISO 4217 code */
  readonly currency: string;
  /** As sent, or direct_capture */
  readonly operation_type: string;
  /** As sent */
  readonly order_merchant_id: string;
  readonly merchant_data: ReadonlyArray<{
    readonly key?: string | undefined;
    readonly type?: Open<'string' | 'number' | 'date' | 'boolean' | 'integer'> | undefined;
    readonly value?: string | undefined;
    readonly is_personal_data?: boolean | undefined;
  }>;
  /** How many checkouts were made from it */
  readonly opened: number;
  /** A payment of it is unpaid here, and its outcome is not known: no other is opened until it is. Of usage many false: see its orders */
  readonly is_in_doubt: boolean;
  /** From when on it opens no payment; a long textual date, null while there is none */
  readonly expiration_date: string | null;
  /** When it was made */
  readonly createdAt: string;
  /** Where the payer is sent after success */
  readonly accept_url?: string | undefined;
  /** Where the payer is sent after a decline */
  readonly decline_url?: string | undefined;
  /** Where the payer is sent after pressing cancel */
  readonly cancel_url?: string | undefined;
  /** Where the payer is sent while the outcome is not known */
  readonly pending_url?: string | undefined;
  /** Where the payer is sent after an error */
  readonly exception_url?: string | undefined;
  /** Narrows the methods listed to this one, such as visa */
  readonly payment_method_name?: string | undefined;
  /** Language of the payer, such as fr or fr_FR */
  readonly locale?: string | undefined;
  /** Address of the shop */
  readonly website_url?: string | undefined;
  /** Shown to people, never interpreted */
  readonly order_description?: string | undefined;
  /** no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without */
  readonly authentication_indicator?: Open<'no_3ds' | 'ask_3ds' | 'force_3ds'> | undefined;
  /** How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none */
  readonly max_attempts?: string | undefined;
  /** Id or name of the provider contract to use */
  readonly merchant_contract?: string | undefined;
  /** Text for the statement of the cardholder */
  readonly dynamic_descriptor_authorization?: string | undefined;
  /** Your own id of the store */
  readonly merchant_store_id?: string | undefined;
};

export type PaymentLinkAnswer = {
  readonly result: Result;
  readonly link: PaymentLink;
};

export type PaymentLinkChange = {
  /** paused: opens no payment until it is active again. ended: for good */
  readonly status: 'active' | 'paused' | 'ended';
};

export type PaymentLinkList = {
  readonly result: Result;
  /** Newest first */
  readonly links: readonly PaymentLink[];
  /** There are older ones */
  readonly has_more: boolean;
  /** Send it as `cursor` for the next page; null on the last */
  readonly next_cursor: string | null;
};

export type PaymentLinkOrder = {
  /** Id of the order */
  readonly order_id: string;
  /** Id of the checkout that a payer opened */
  readonly checkout_id: string;
  /** Reference of the link, with a number behind where many pay it */
  readonly order_merchant_id: string;
  /** Status of the order */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** Its outcome is not known, whatever its status says */
  readonly is_in_doubt: boolean;
  /** When the payer paid, or tried */
  readonly createdAt: string;
};

export type PaymentLinkOrderList = {
  readonly result: Result;
  /** Those of the checkout that was opened last come first */
  readonly orders: readonly PaymentLinkOrder[];
  /** There are older ones */
  readonly has_more: boolean;
  /** Send it as `cursor` for the next page; null on the last */
  readonly next_cursor: string | null;
};

export type OrderRequest = {
  /** The token of the card, from POST {vault_url}/token */
  readonly token?: string | null | undefined;
  /** The checkout to pay; every field missing here is taken from it */
  readonly checkout_id?: string | null | undefined;
  /** How the payer is met. hosted_page, qrcode and mail_to_pay are paid on our page, the others on yours */
  readonly type?: 'api' | 'hosted_page' | 'hosted_fields' | 'mobile_sdk' | 'qrcode' | 'mail_to_pay' | null | undefined;
  /** authorize holds the amount and is captured later; direct_capture charges at once. Without a checkout it is required */
  readonly operation_type?: 'authorize' | 'direct_capture' | null | undefined;
  /** Amount of the payment in major units, with at most the decimals of the currency. Without a checkout it is required; with one it must be equal */
  readonly amount?: Amount | null | undefined;
  /** ISO 4217 code, in any case. Without a checkout it is required; with one it must be equal */
  readonly currency?: string | null | undefined;
  /** Your own reference; it need not be unique. Without a checkout it is required */
  readonly order_merchant_id?: string | null | undefined;
  /** Default e-commerce */
  readonly payment_channel?: 'e-commerce' | 'recurring' | 'moto' | 'pos' | null | undefined;
  /** recurring is sent to save the card; it never changes the token itself */
  readonly token_type?: 'oneshot' | 'recurring' | null | undefined;
  /** Chooses a brand of a co-badged card */
  readonly payment_method_name?: string | null | undefined;
  /** Of a payment without the payer: default tries it again later after a decline; none does not. Absent: as the account says */
  readonly retry_policy?: 'default' | 'none' | null | undefined;
  /** Where the payer is sent after success */
  readonly accept_url?: string | null | undefined;
  /** Where the payer is sent after a decline */
  readonly decline_url?: string | null | undefined;
  /** Where the payer is sent after pressing cancel */
  readonly cancel_url?: string | null | undefined;
  /** Where the payer is sent while the outcome is not known */
  readonly pending_url?: string | null | undefined;
  /** Where the payer is sent after an error */
  readonly exception_url?: string | null | undefined;
  /** Language of the payer, such as fr or fr_FR */
  readonly locale?: string | null | undefined;
  /** Address of the shop */
  readonly website_url?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly order_description?: string | null | undefined;
  /** Tax within the amount */
  readonly order_tax_amount?: Amount | null | undefined;
  /** The goods are there */
  readonly order_availability?: boolean | null | undefined;
  /** When the goods will be there */
  readonly order_availability_date?: string | null | undefined;
  /** no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without */
  readonly authentication_indicator?: 'no_3ds' | 'ask_3ds' | 'force_3ds' | null | undefined;
  /** What you wish from the issuer when it authenticates the payer */
  readonly challenge_preference?: 'no_preference' | 'challenge_mandatory' | 'challenge_requested' | 'no_challenge' | null | undefined;
  /** The exemption from authentication you ask for */
  readonly sca_exemption_reason?: 'low_value' | 'corporate' | 'trusted_beneficiary' | 'risk_analysis' | null | undefined;
  /** How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none */
  readonly max_attempts?: number | null | undefined;
  /** Id or name of the provider contract to use */
  readonly merchant_contract?: string | null | undefined;
  /** Text for the statement of the cardholder */
  readonly dynamic_descriptor_authorization?: string | null | undefined;
  /** Your own id of the store */
  readonly merchant_store_id?: string | null | undefined;
  /** Name of the integration that sends the request */
  readonly integration_id?: string | null | undefined;
  /** Version of the hosted fields */
  readonly hosted_fields_version?: string | null | undefined;
  /** Version of the software kit */
  readonly sdk_version?: string | null | undefined;
  /** Your own word for the payment method */
  readonly payment_method_type?: string | null | undefined;
  /** What the payer uses */
  readonly device_type?: 'mobile' | 'laptop' | 'desktop' | 'watch' | 'smart_home' | 'other' | null | undefined;
  /** Your own id of the customer; needed for saved cards */
  readonly customer_id?: string | null | undefined;
  /** E-mail address */
  readonly customer_email?: string | null | undefined;
  /** First name */
  readonly customer_first_name?: string | null | undefined;
  /** Last name */
  readonly customer_last_name?: string | null | undefined;
  /** Gender */
  readonly customer_gender?: 'male' | 'female' | 'other' | null | undefined;
  /** Date of birth; of a date and time the date is taken */
  readonly customer_birth_date?: string | null | undefined;
  /** IP address of the payer; of a list the first is taken */
  readonly customer_ip?: string | null | undefined;
  /** Phone number, as the customer wrote it */
  readonly customer_phone_number?: string | null | undefined;
  /** Kind of phone number */
  readonly customer_phone_number_type?: 'mobile' | 'home' | 'work' | null | undefined;
  /** Number of a document or of the tax office */
  readonly customer_identification_number?: string | null | undefined;
  /** Operating system of the payer */
  readonly customer_os_version?: string | null | undefined;
  /** The customer has an account with you */
  readonly is_customer_registered?: boolean | null | undefined;
  /** You take goods back */
  readonly is_return_accepted?: boolean | null | undefined;
  /** The customer bought the same before */
  readonly customer_items_reorder?: boolean | null | undefined;
  /** Street and number */
  readonly customer_street_name?: string | null | undefined;
  /** City */
  readonly customer_city?: string | null | undefined;
  /** Postal code */
  readonly customer_zip_code?: string | null | undefined;
  /** ISO 3166 code, in any case */
  readonly customer_country?: string | null | undefined;
  /** Billing: first name */
  readonly customer_billing_first_name?: string | null | undefined;
  /** Billing: last name */
  readonly customer_billing_last_name?: string | null | undefined;
  /** Billing: street and number */
  readonly customer_billing_street_name?: string | null | undefined;
  /** Billing: city */
  readonly customer_billing_city?: string | null | undefined;
  /** Billing: postal code */
  readonly customer_billing_zip_code?: string | null | undefined;
  /** Billing: ISO 3166 code */
  readonly customer_billing_country?: string | null | undefined;
  /** Street and number */
  readonly shipping_address_street_name_line1?: string | null | undefined;
  /** Second line */
  readonly shipping_address_street_name_line2?: string | null | undefined;
  /** City */
  readonly shipping_address_city?: string | null | undefined;
  /** State or region */
  readonly shipping_address_state?: string | null | undefined;
  /** Postal code */
  readonly shipping_address_zip_code?: string | null | undefined;
  /** ISO 3166 code, in any case */
  readonly shipping_address_country?: string | null | undefined;
  /** First use of this address */
  readonly shipping_address_first_use_date?: string | null | undefined;
  /** Your own id of the delivery */
  readonly shipping_id?: string | null | undefined;
  /** Who delivers */
  readonly shipping_carrier_name?: string | null | undefined;
  /** First name */
  readonly shipping_first_name?: string | null | undefined;
  /** Last name */
  readonly shipping_last_name?: string | null | undefined;
  /** How soon it is delivered */
  readonly shipping_delivery_range?: 'sameday' | 'lessthan2days' | 'morethan2days' | null | undefined;
  /** Where it is delivered */
  readonly shipping_delivery_method?: 'customer_address' | 'in_store' | 'pickup_store' | 'pickup' | 'other' | null | undefined;
  /** Price of the delivery */
  readonly shipping_price?: Amount | null | undefined;
  /** Tax on the delivery */
  readonly shipping_tax?: Amount | null | undefined;
  /** Tax rate, as you write it */
  readonly shipping_tax_rate?: string | null | undefined;
  /** E-mail address */
  readonly shipping_email?: string | null | undefined;
  /** Phone number */
  readonly shipping_phone_number?: string | null | undefined;
  /** Account made */
  readonly customer_account_creation_date?: string | null | undefined;
  /** Account last changed */
  readonly customer_account_change_date?: string | null | undefined;
  /** Password last changed */
  readonly customer_account_change_password_date?: string | null | undefined;
  /** Payment means last added */
  readonly customer_account_add_payment_means_date?: string | null | undefined;
  /** Orders tried in a day */
  readonly customer_account_attempts_order_day?: number | null | undefined;
  /** Orders tried in six months */
  readonly customer_account_attempts_order_six_months?: number | null | undefined;
  /** Orders tried in a year */
  readonly customer_account_attempts_order_year?: number | null | undefined;
  /** Orders made in a day */
  readonly customer_account_successful_orders_day?: number | null | undefined;
  /** Orders made in six months */
  readonly customer_account_successful_orders_six_months?: number | null | undefined;
  /** Orders made in a year */
  readonly customer_account_successful_orders_year?: number | null | undefined;
  /** Cards tried to be added */
  readonly customer_account_attempts_add_card?: number | null | undefined;
  /** Your own id of the basket */
  readonly basket_id?: string | null | undefined;
  /** What is sold */
  readonly basket_type?: 'physical' | 'digital' | 'mixed' | null | undefined;
  /** What is in the basket */
  readonly basket_content?: ReadonlyArray<{
    readonly product_sku?: string | null | undefined;
    readonly product_id?: string | null | undefined;
    readonly product_name?: string | null | undefined;
    readonly seller_id?: string | null | undefined;
    readonly seller_name?: string | null | undefined;
    readonly product_description?: string | null | undefined;
    readonly product_image_url?: string | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly product_price?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly product_tax_amount?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly total_amount?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly seller_commission?: Amount | null | undefined;
    readonly product_quantity?: number | null | undefined;
    readonly product_availability?: boolean | null | undefined;
    readonly product_type?: 'physical' | 'digital' | 'mixed' | null | undefined;
  }> | null | undefined;
  /** Scripts run */
  readonly customer_browser_info_js_enabled?: boolean | null | undefined;
  /** Java runs */
  readonly customer_browser_info_java_enabled?: boolean | null | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_height?: number | null | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_width?: number | null | undefined;
  /** Bits per pixel; any text is taken, and used where it is a whole number from 1 to 64 */
  readonly customer_browser_info_color_depth?: string | null | undefined;
  /** IANA name such as Europe/Paris, or an offset such as +02:00 */
  readonly customer_browser_info_time_zone?: string | null | undefined;
  /** Language tag */
  readonly customer_browser_info_language?: string | null | undefined;
  /** User agent */
  readonly customer_browser_info_user_agent?: string | null | undefined;
  /** Accept header */
  readonly customer_browser_info_accept_header?: string | null | undefined;
  /** Id of the subscription a payment belongs to */
  readonly subscription_id?: string | null | undefined;
  /** Your own id of the plan */
  readonly plan_id?: string | null | undefined;
  /** Your own id of the contract with the customer */
  readonly contract_id?: string | null | undefined;
  /** Your own id of the subscriber */
  readonly subscriber_id?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly subscription_description?: string | null | undefined;
  /** Number of payments */
  readonly subscription_count?: number | null | undefined;
  /** Last day */
  readonly subscription_end_date?: string | null | undefined;
  /** How often it is paid */
  readonly subscription_recurrence?: 'weekly' | 'fifteen_days' | 'month' | 'two_months' | 'three_months' | 'yearly' | 'other' | null | undefined;
  /** Id of the order that began the subscription */
  readonly subscription_first_id?: string | null | undefined;
  /** Stored with the payment and answered again */
  readonly merchant_data?: ReadonlyArray<{
    readonly key: string;
    readonly type?: 'string' | 'number' | 'date' | 'boolean' | 'integer' | null | undefined;
    readonly value?: string | number | boolean | null | undefined;
    readonly is_personal_data?: boolean | null | undefined;
  }> | null | undefined;
  /** Result of an authentication made elsewhere; it replaces our own */
  readonly '3ds_data'?: {
    readonly network_score?: string | null | undefined;
    readonly cavv?: string | null | undefined;
    readonly cavv_algorithm?: string | null | undefined;
    readonly ucaf_aav?: string | null | undefined;
    readonly eci?: string | null | undefined;
    readonly x_id?: string | null | undefined;
    readonly pares_status?: string | null | undefined;
    readonly directory_veres?: string | null | undefined;
    readonly version?: string | null | undefined;
  } | null | undefined;
  /** A gift card paid a part */
  readonly giftcard_used?: boolean | null | undefined;
  /** How much it paid */
  readonly giftcard_amount?: Amount | null | undefined;
  /** ISO 4217 code, in any case */
  readonly giftcard_currency?: string | null | undefined;
  /** Its number; stored with the order */
  readonly giftcard_number?: string | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly airline_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly insurance_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly car_rental_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly lodging_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
};

/** A declined order is a 200 too: read result.code */
export type OrderAnswer = {
  readonly result: Result;
  /** Id of the order */
  readonly order_id: string;
  /** Id of its last attempt */
  readonly transaction_id: string;
  /** Its checkout, or "" */
  readonly checkout_id: string;
  /** Your own reference */
  readonly order_merchant_id: string;
  /** Where the order stands; docs/states.md lists all */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Same as operation_type */
  readonly type: Open<'authorize' | 'direct_capture'>;
  /** As sent, or e-commerce */
  readonly payment_channel: string;
  /** Card scheme the order is paid with */
  readonly payment_method_name: string;
  /** Amount in major units */
  readonly order_amount: Money;
  /** ISO 4217 code */
  readonly order_currency: string;
  /** As sent, or "" */
  readonly order_description: string;
  /** Amount asked of the provider */
  readonly authorization_amount: Money;
  /** Code of the approval, or "" */
  readonly authorization_code: string;
  /** When the authorization was decided; a long textual date, null while there is none */
  readonly authorization_date: string | null;
  /** Outcome of the authorization */
  readonly authorization_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** no_3ds, ask_3ds or force_3ds */
  readonly authentication_indicator: string;
  /** Who authenticated the payer, or "" */
  readonly authentication_partner: string;
  /** When the payer was authenticated; a long textual date, null while there is none */
  readonly authentication_date: string | null;
  /** Outcome of the authentication */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** Something is captured */
  readonly is_captured: boolean;
  /** Something is refunded, in full or in part */
  readonly is_refunded: boolean;
  /** The authorization is cancelled */
  readonly is_cancelled: boolean;
  /** The outcome of an operation is unknown and is being resolved, or a reversal has not ended */
  readonly is_in_doubt: boolean;
  /** Approved, but the risk score is high or a rule marked it: look before you ship */
  readonly is_suspicious: boolean;
  /** Who assessed the risk: risk_rules (yours) or a provider; or "" */
  readonly risk_assessment_partner: string;
  /** When the risk was assessed; a long textual date, null while there is none */
  readonly risk_assessment_date: string | null;
  /** Outcome of the risk assessment */
  readonly risk_assessment_result: Open<'' | 'accepted' | 'refused'>;
  /** Why it was refused or marked: rule, version, what was seen; or "" */
  readonly risk_assessment_reason: string;
  /** Why it was refused, as a code; or "" */
  readonly risk_assessment_reason_code: string;
  /** Provider of the last attempt, or "" */
  readonly payin_partner: string;
  /** The provider's own code, or "" */
  readonly psp_result_code: string;
  /** The provider's own text, or "" */
  readonly psp_result_description: string;
  /** Contract with the provider, or "" */
  readonly merchant_contract_id: string;
  /** What follows its decline; null: none, or not known */
  readonly retry_class: Open<'other_route' | 'other_route_soft' | 'later' | 'with_3ds' | 'fix_input' | 'payer' | 'none' | 'stop'> | null;
  /** When the last capture was decided; a long textual date, null while there is none */
  readonly capture_date: string | null;
  /** Outcome of the last capture */
  readonly capture_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** Amount of the last capture; "" when there is none */
  readonly capture_amount: Money | '';
  /** Captured so far; "" when nothing is */
  readonly capture_total_amount: Money | '';
  /** When the last refund was decided; a long textual date, null while there is none */
  readonly refund_date: string | null;
  /** Outcome of the last refund */
  readonly refund_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** Refunded so far; "" when nothing is */
  readonly refund_total_amount: Money | '';
  /** When the cancellation was decided; a long textual date, null while there is none */
  readonly cancellation_date: string | null;
  /** Outcome of the cancellation */
  readonly cancellation_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** As sent, or "" */
  readonly website_url: string;
  /** As sent, or "" */
  readonly accept_url: string;
  /** As sent, or "" */
  readonly decline_url: string;
  /** As sent, or "" */
  readonly cancel_url: string;
  /** As sent, or "" */
  readonly pending_url: string;
  /** As sent, or "" */
  readonly exception_url: string;
  /** As sent, or "" */
  readonly customer_id: string;
  /** As sent, or "" */
  readonly customer_first_name: string;
  /** As sent, or "" */
  readonly customer_last_name: string;
  /** As sent, or "" */
  readonly customer_email: string;
  /** As sent, or "" */
  readonly customer_ip: string;
  /** As sent, or "" */
  readonly customer_street_name: string;
  /** As sent, or "" */
  readonly customer_city: string;
  /** As sent, or "" */
  readonly customer_zip_code: string;
  /** As sent, or "" */
  readonly customer_country: string;
  /** How often the payment can still be tried */
  readonly attempts_remaining: number;
  /** Only while the payer must act: send the payer there */
  readonly redirect_url?: string | undefined;
  /** The subscription it belongs to, when there is one */
  readonly subscription_id?: string | undefined;
  /** Later tries of a payment without the payer, once a decline has put its retry_policy to work */
  readonly retry?: {
    /** waiting for the next try, running, or ended for good */
    readonly state: Open<'waiting' | 'running' | 'ended'>;
    /** The policy that holds */
    readonly policy: Open<'default' | 'none'>;
    /** Later tries that were made */
    readonly tries: number;
    /** How many the policy still allows */
    readonly tries_left: number;
    /** When the next one is made; null while none is planned; a long textual date, null while there is none */
    readonly next_try_date: string | null;
    /** Why it is tried again; once it has ended, why */
    readonly reason: Open<'advice' | 'funds' | 'technical' | 'generic' | 'approved' | 'stopped' | 'payer_needed' | 'not_retryable' | 'limit_reached' | 'tries_used_up' | 'days_over' | 'card_expired' | 'card_removed' | 'paid_elsewhere' | 'refused' | 'cancelled' | 'tried_again' | 'stopped_by_merchant' | 'stopped_by_person' | 'undecided'>;
  } | undefined;
};

export type RetryRequest = {
  /** The token of the card, from POST {vault_url}/token */
  readonly token?: string | null | undefined;
  /** The checkout to pay; every field missing here is taken from it */
  readonly checkout_id?: string | null | undefined;
  /** How the payer is met. hosted_page, qrcode and mail_to_pay are paid on our page, the others on yours */
  readonly type?: 'api' | 'hosted_page' | 'hosted_fields' | 'mobile_sdk' | 'qrcode' | 'mail_to_pay' | null | undefined;
  /** authorize holds the amount and is captured later; direct_capture charges at once. Without a checkout it is required */
  readonly operation_type?: 'authorize' | 'direct_capture' | null | undefined;
  /** Amount of the payment in major units, with at most the decimals of the currency. Without a checkout it is required; with one it must be equal */
  readonly amount?: Amount | null | undefined;
  /** ISO 4217 code, in any case. Without a checkout it is required; with one it must be equal */
  readonly currency?: string | null | undefined;
  /** Your own reference; it need not be unique. Without a checkout it is required */
  readonly order_merchant_id?: string | null | undefined;
  /** Default e-commerce */
  readonly payment_channel?: 'e-commerce' | 'recurring' | 'moto' | 'pos' | null | undefined;
  /** recurring is sent to save the card; it never changes the token itself */
  readonly token_type?: 'oneshot' | 'recurring' | null | undefined;
  /** Chooses a brand of a co-badged card */
  readonly payment_method_name?: string | null | undefined;
  /** Of a payment without the payer: default tries it again later after a decline; none does not. Absent: as the account says */
  readonly retry_policy?: 'default' | 'none' | null | undefined;
  /** Where the payer is sent after success */
  readonly accept_url?: string | null | undefined;
  /** Where the payer is sent after a decline */
  readonly decline_url?: string | null | undefined;
  /** Where the payer is sent after pressing cancel */
  readonly cancel_url?: string | null | undefined;
  /** Where the payer is sent while the outcome is not known */
  readonly pending_url?: string | null | undefined;
  /** Where the payer is sent after an error */
  readonly exception_url?: string | null | undefined;
  /** Language of the payer, such as fr or fr_FR */
  readonly locale?: string | null | undefined;
  /** Address of the shop */
  readonly website_url?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly order_description?: string | null | undefined;
  /** Tax within the amount */
  readonly order_tax_amount?: Amount | null | undefined;
  /** The goods are there */
  readonly order_availability?: boolean | null | undefined;
  /** When the goods will be there */
  readonly order_availability_date?: string | null | undefined;
  /** no_3ds: no authentication unless the issuer asks; ask_3ds: authenticate where possible; force_3ds: no payment without */
  readonly authentication_indicator?: 'no_3ds' | 'ask_3ds' | 'force_3ds' | null | undefined;
  /** What you wish from the issuer when it authenticates the payer */
  readonly challenge_preference?: 'no_preference' | 'challenge_mandatory' | 'challenge_requested' | 'no_challenge' | null | undefined;
  /** The exemption from authentication you ask for */
  readonly sca_exemption_reason?: 'low_value' | 'corporate' | 'trusted_beneficiary' | 'risk_analysis' | null | undefined;
  /** How often the payment may be tried, default 3; an order may lower the value its checkout named, and set one where it named none */
  readonly max_attempts?: number | null | undefined;
  /** Id or name of the provider contract to use */
  readonly merchant_contract?: string | null | undefined;
  /** Text for the statement of the cardholder */
  readonly dynamic_descriptor_authorization?: string | null | undefined;
  /** Your own id of the store */
  readonly merchant_store_id?: string | null | undefined;
  /** Name of the integration that sends the request */
  readonly integration_id?: string | null | undefined;
  /** Version of the hosted fields */
  readonly hosted_fields_version?: string | null | undefined;
  /** Version of the software kit */
  readonly sdk_version?: string | null | undefined;
  /** Your own word for the payment method */
  readonly payment_method_type?: string | null | undefined;
  /** What the payer uses */
  readonly device_type?: 'mobile' | 'laptop' | 'desktop' | 'watch' | 'smart_home' | 'other' | null | undefined;
  /** Your own id of the customer; needed for saved cards */
  readonly customer_id?: string | null | undefined;
  /** E-mail address */
  readonly customer_email?: string | null | undefined;
  /** First name */
  readonly customer_first_name?: string | null | undefined;
  /** Last name */
  readonly customer_last_name?: string | null | undefined;
  /** Gender */
  readonly customer_gender?: 'male' | 'female' | 'other' | null | undefined;
  /** Date of birth; of a date and time the date is taken */
  readonly customer_birth_date?: string | null | undefined;
  /** IP address of the payer; of a list the first is taken */
  readonly customer_ip?: string | null | undefined;
  /** Phone number, as the customer wrote it */
  readonly customer_phone_number?: string | null | undefined;
  /** Kind of phone number */
  readonly customer_phone_number_type?: 'mobile' | 'home' | 'work' | null | undefined;
  /** Number of a document or of the tax office */
  readonly customer_identification_number?: string | null | undefined;
  /** Operating system of the payer */
  readonly customer_os_version?: string | null | undefined;
  /** The customer has an account with you */
  readonly is_customer_registered?: boolean | null | undefined;
  /** You take goods back */
  readonly is_return_accepted?: boolean | null | undefined;
  /** The customer bought the same before */
  readonly customer_items_reorder?: boolean | null | undefined;
  /** Street and number */
  readonly customer_street_name?: string | null | undefined;
  /** City */
  readonly customer_city?: string | null | undefined;
  /** Postal code */
  readonly customer_zip_code?: string | null | undefined;
  /** ISO 3166 code, in any case */
  readonly customer_country?: string | null | undefined;
  /** Billing: first name */
  readonly customer_billing_first_name?: string | null | undefined;
  /** Billing: last name */
  readonly customer_billing_last_name?: string | null | undefined;
  /** Billing: street and number */
  readonly customer_billing_street_name?: string | null | undefined;
  /** Billing: city */
  readonly customer_billing_city?: string | null | undefined;
  /** Billing: postal code */
  readonly customer_billing_zip_code?: string | null | undefined;
  /** Billing: ISO 3166 code */
  readonly customer_billing_country?: string | null | undefined;
  /** Street and number */
  readonly shipping_address_street_name_line1?: string | null | undefined;
  /** Second line */
  readonly shipping_address_street_name_line2?: string | null | undefined;
  /** City */
  readonly shipping_address_city?: string | null | undefined;
  /** State or region */
  readonly shipping_address_state?: string | null | undefined;
  /** Postal code */
  readonly shipping_address_zip_code?: string | null | undefined;
  /** ISO 3166 code, in any case */
  readonly shipping_address_country?: string | null | undefined;
  /** First use of this address */
  readonly shipping_address_first_use_date?: string | null | undefined;
  /** Your own id of the delivery */
  readonly shipping_id?: string | null | undefined;
  /** Who delivers */
  readonly shipping_carrier_name?: string | null | undefined;
  /** First name */
  readonly shipping_first_name?: string | null | undefined;
  /** Last name */
  readonly shipping_last_name?: string | null | undefined;
  /** How soon it is delivered */
  readonly shipping_delivery_range?: 'sameday' | 'lessthan2days' | 'morethan2days' | null | undefined;
  /** Where it is delivered */
  readonly shipping_delivery_method?: 'customer_address' | 'in_store' | 'pickup_store' | 'pickup' | 'other' | null | undefined;
  /** Price of the delivery */
  readonly shipping_price?: Amount | null | undefined;
  /** Tax on the delivery */
  readonly shipping_tax?: Amount | null | undefined;
  /** Tax rate, as you write it */
  readonly shipping_tax_rate?: string | null | undefined;
  /** E-mail address */
  readonly shipping_email?: string | null | undefined;
  /** Phone number */
  readonly shipping_phone_number?: string | null | undefined;
  /** Account made */
  readonly customer_account_creation_date?: string | null | undefined;
  /** Account last changed */
  readonly customer_account_change_date?: string | null | undefined;
  /** Password last changed */
  readonly customer_account_change_password_date?: string | null | undefined;
  /** Payment means last added */
  readonly customer_account_add_payment_means_date?: string | null | undefined;
  /** Orders tried in a day */
  readonly customer_account_attempts_order_day?: number | null | undefined;
  /** Orders tried in six months */
  readonly customer_account_attempts_order_six_months?: number | null | undefined;
  /** Orders tried in a year */
  readonly customer_account_attempts_order_year?: number | null | undefined;
  /** Orders made in a day */
  readonly customer_account_successful_orders_day?: number | null | undefined;
  /** Orders made in six months */
  readonly customer_account_successful_orders_six_months?: number | null | undefined;
  /** Orders made in a year */
  readonly customer_account_successful_orders_year?: number | null | undefined;
  /** Cards tried to be added */
  readonly customer_account_attempts_add_card?: number | null | undefined;
  /** Your own id of the basket */
  readonly basket_id?: string | null | undefined;
  /** What is sold */
  readonly basket_type?: 'physical' | 'digital' | 'mixed' | null | undefined;
  /** What is in the basket */
  readonly basket_content?: ReadonlyArray<{
    readonly product_sku?: string | null | undefined;
    readonly product_id?: string | null | undefined;
    readonly product_name?: string | null | undefined;
    readonly seller_id?: string | null | undefined;
    readonly seller_name?: string | null | undefined;
    readonly product_description?: string | null | undefined;
    readonly product_image_url?: string | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly product_price?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly product_tax_amount?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly total_amount?: Amount | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly seller_commission?: Amount | null | undefined;
    readonly product_quantity?: number | null | undefined;
    readonly product_availability?: boolean | null | undefined;
    readonly product_type?: 'physical' | 'digital' | 'mixed' | null | undefined;
  }> | null | undefined;
  /** Scripts run */
  readonly customer_browser_info_js_enabled?: boolean | null | undefined;
  /** Java runs */
  readonly customer_browser_info_java_enabled?: boolean | null | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_height?: number | null | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_width?: number | null | undefined;
  /** Bits per pixel; any text is taken, and used where it is a whole number from 1 to 64 */
  readonly customer_browser_info_color_depth?: string | null | undefined;
  /** IANA name such as Europe/Paris, or an offset such as +02:00 */
  readonly customer_browser_info_time_zone?: string | null | undefined;
  /** Language tag */
  readonly customer_browser_info_language?: string | null | undefined;
  /** User agent */
  readonly customer_browser_info_user_agent?: string | null | undefined;
  /** Accept header */
  readonly customer_browser_info_accept_header?: string | null | undefined;
  /** Id of the subscription a payment belongs to */
  readonly subscription_id?: string | null | undefined;
  /** Your own id of the plan */
  readonly plan_id?: string | null | undefined;
  /** Your own id of the contract with the customer */
  readonly contract_id?: string | null | undefined;
  /** Your own id of the subscriber */
  readonly subscriber_id?: string | null | undefined;
  /** Shown to people, never interpreted */
  readonly subscription_description?: string | null | undefined;
  /** Number of payments */
  readonly subscription_count?: number | null | undefined;
  /** Last day */
  readonly subscription_end_date?: string | null | undefined;
  /** How often it is paid */
  readonly subscription_recurrence?: 'weekly' | 'fifteen_days' | 'month' | 'two_months' | 'three_months' | 'yearly' | 'other' | null | undefined;
  /** Id of the order that began the subscription */
  readonly subscription_first_id?: string | null | undefined;
  /** Stored with the payment and answered again */
  readonly merchant_data?: ReadonlyArray<{
    readonly key: string;
    readonly type?: 'string' | 'number' | 'date' | 'boolean' | 'integer' | null | undefined;
    readonly value?: string | number | boolean | null | undefined;
    readonly is_personal_data?: boolean | null | undefined;
  }> | null | undefined;
  /** Result of an authentication made elsewhere; it replaces our own */
  readonly '3ds_data'?: {
    readonly network_score?: string | null | undefined;
    readonly cavv?: string | null | undefined;
    readonly cavv_algorithm?: string | null | undefined;
    readonly ucaf_aav?: string | null | undefined;
    readonly eci?: string | null | undefined;
    readonly x_id?: string | null | undefined;
    readonly pares_status?: string | null | undefined;
    readonly directory_veres?: string | null | undefined;
    readonly version?: string | null | undefined;
  } | null | undefined;
  /** A gift card paid a part */
  readonly giftcard_used?: boolean | null | undefined;
  /** How much it paid */
  readonly giftcard_amount?: Amount | null | undefined;
  /** ISO 4217 code, in any case */
  readonly giftcard_currency?: string | null | undefined;
  /** Its number; stored with the order */
  readonly giftcard_number?: string | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly airline_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly insurance_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly car_rental_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
  /** Object or list, stored and passed on where the provider takes it */
  readonly lodging_data?: Readonly<Record<string, unknown>> | readonly unknown[] | null | undefined;
};

export type Operation = {
  /** Id of the operation */
  readonly _id: string;
  /** What was asked of the provider */
  readonly type: Open<'authorization' | 'authentication' | 'risk_assessment' | 'capture' | 'refund' | 'cancellation' | 'reversal'>;
  /** How it stands; docs/states.md explains it */
  readonly state: Open<'requested' | 'successful' | 'declined' | 'in_doubt'>;
  /** Amount in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** When it was asked for */
  readonly request_date: string;
  /** How that stands */
  readonly request_status: Open<'pending' | 'success' | 'failure'> | null;
  /** The provider's text */
  readonly request_response: string | null;
  /** When it was decided */
  readonly request_result_date: string | null;
  /** When it was decided */
  readonly result_date: string | null;
  /** Its outcome */
  readonly result_status: Open<'pending' | 'success' | 'failure'> | null;
  /** The provider's text */
  readonly result_response: string | null;
  /** The provider's reference */
  readonly partner_operation_id: string | null;
  /** The provider's own code */
  readonly partner_result_code: string | null;
  /** The provider's own text */
  readonly partner_result_description: string | null;
  /** Your own reference of the operation */
  readonly operation_merchant_id: string | null;
  /** The transaction it belongs to */
  readonly transaction: string;
  /** The account it belongs to */
  readonly merchant_account: string;
  /** When it was created */
  readonly createdAt: string;
  readonly createdBy: {
    /** Who asked for it */
    readonly name: string;
  };
  /** Its last change */
  readonly updatedAt: string;
  readonly updatedBy: {
    /** Who changed it */
    readonly name: string;
  };
  /** The request that caused it */
  readonly request_id: string | null;
};

export type Transaction = {
  /** Id of the transaction */
  readonly id: string;
  /** authorize or direct_capture */
  readonly type: Open<'authorize' | 'direct_capture'>;
  /** Amount in major units */
  readonly amount: Money;
  /** Amount and currency, to show */
  readonly amount_formatted: string;
  /** ISO 4217 code */
  readonly currency: string;
  /** Where the transaction stands */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Your own reference */
  readonly order_merchant_id: string;
  /** As sent, or e-commerce */
  readonly payment_channel: string | null;
  /** Card scheme */
  readonly payment_method_name: string;
  /** As sent */
  readonly payment_method_type: string | null;
  /** Contract with the provider */
  readonly merchant_contract: string | null;
  /** Provider */
  readonly payin_partner: string | null;
  /** A new attempt, not a fallback of the one before */
  readonly is_new_transaction: boolean;
  /** The last one: the top level speaks of it */
  readonly is_order_last_transaction: boolean;
  /** Another provider was tried within the same attempt */
  readonly is_fallback: boolean;
  /** Paid on the channel recurring */
  readonly recurring: boolean;
  /** Number of the payment in its subscription */
  readonly occurrence: number | null;
  /** When the last authorization was asked for */
  readonly authorization_request_date: string | null;
  /** How that stands */
  readonly authorization_request_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When it was decided */
  readonly authorization_date: string | null;
  /** Its outcome */
  readonly authorization_result: Open<'pending' | 'success' | 'failure'> | null;
  /** Same as authorization_result */
  readonly authorization_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When the last capture was asked for */
  readonly capture_request_date: string | null;
  /** How that stands */
  readonly capture_request_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When it was decided */
  readonly capture_date: string | null;
  /** Its outcome */
  readonly capture_result: Open<'pending' | 'success' | 'failure'> | null;
  /** Same as capture_result */
  readonly capture_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When the last refund was asked for */
  readonly refund_request_date: string | null;
  /** How that stands */
  readonly refund_request_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When it was decided */
  readonly refund_date: string | null;
  /** Its outcome */
  readonly refund_result: Open<'pending' | 'success' | 'failure'> | null;
  /** Same as refund_result */
  readonly refund_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When the last cancellation was asked for */
  readonly cancellation_request_date: string | null;
  /** How that stands */
  readonly cancellation_request_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When it was decided */
  readonly cancellation_date: string | null;
  /** Its outcome */
  readonly cancellation_result: Open<'pending' | 'success' | 'failure'> | null;
  /** Same as cancellation_result */
  readonly cancellation_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When the authentication was asked for */
  readonly authentication_request_date: string | null;
  /** How that stands */
  readonly authentication_request_status: Open<'pending' | 'success' | 'failure'> | null;
  /** When it was decided */
  readonly authentication_date: string | null;
  /** Its outcome */
  readonly authentication_result: string | null;
  /** no_3ds, ask_3ds or force_3ds */
  readonly authentication_indicator: string | null;
  /** Who authenticated the payer */
  readonly authentication_partner: string | null;
  /** The same, as its interface names it */
  readonly authentication_partner_api_name: string | null;
  /** Reason of the last refund */
  readonly refund_reason: string | null;
  /** The amount is held */
  readonly is_authorized: boolean;
  /** Something is captured */
  readonly is_captured: boolean;
  /** The authorization is cancelled */
  readonly is_cancelled: boolean;
  /** Something is refunded */
  readonly is_refunded: boolean;
  /** The payer disputed it */
  readonly is_chargebacked: boolean;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** The risk score is high, or a rule marked it */
  readonly is_suspicious: boolean;
  /** Something can be captured now */
  readonly is_capturable: boolean;
  /** Something can be refunded now */
  readonly is_refundable: boolean;
  /** The authorization can be cancelled now */
  readonly is_cancellable: boolean;
  /** The provider takes several captures */
  readonly is_multiple_captures_available: boolean;
  /** The provider takes a part */
  readonly is_partial_capture_available: boolean;
  /** The provider takes several refunds */
  readonly is_multiple_refunds_available: boolean;
  /** The provider refunds a part */
  readonly is_partial_refund_available: boolean;
  /** Shipping and billing street differ */
  readonly is_shipping_diff_billing: boolean;
  /** Customer and billing street differ */
  readonly is_customer_diff_billing: boolean;
  /** Customer and shipping street differ */
  readonly is_customer_diff_shipping: boolean;
  /** Captured so far */
  readonly captured_amount: Money;
  /** What can be captured now */
  readonly capturable_amount: Money;
  /** Asked to be captured, not yet decided */
  readonly capture_amount_request: Money;
  /** Refunded so far */
  readonly refunded_amount: Money;
  /** What can be refunded now */
  readonly refundable_amount: Money;
  /** Asked to be refunded, not yet decided */
  readonly refund_amount_request: Money;
  /** When the risk was assessed */
  readonly risk_assessment_date: string | null;
  /** Who assessed it */
  readonly risk_assessment_partner: string | null;
  /** The same, as its interface names it */
  readonly risk_assessment_partner_api_name: string | null;
  /** The assessor's own id */
  readonly risk_assessment_partner_id: string | null;
  /** Outcome */
  readonly risk_assessment_result: Open<'accepted' | 'refused'> | null;
  /** Why it was refused or marked */
  readonly risk_assessment_reason: string | null;
  /** The same as a code */
  readonly risk_assessment_reason_code: string | null;
  /** 0 (good) to 100 (bad) */
  readonly risk_assessment_score: number | null;
  /** Why this contract; null: no routing rules were in force */
  readonly routing: {
    /** Version of the rules; 0: none, and a provider that was not well was passed over */
    readonly version?: number | undefined;
    /** The rule that decided */
    readonly rule?: string | null | undefined;
    /** What decided */
    readonly because?: Open<'named' | 'rule' | 'priority'> | undefined;
    /** Contracts in the order in which they were to be tried */
    readonly offered?: readonly string[] | undefined;
    /** How likely the first of them came first, over all draws */
    readonly propensity?: number | undefined;
    /** The experiment that the order is of; null: no versions of rules were compared */
    readonly experiment?: {
      /** Number of the experiment */
      readonly number?: number | undefined;
      /** By which version: a, the one in force; b, the other */
      readonly group?: Open<'b' | 'a'> | undefined;
    } | null | undefined;
    /** Contracts that were left out, and why */
    readonly skipped?: ReadonlyArray<{
      /** Its id */
      readonly contract?: string | undefined;
      /** Why */
      readonly reason?: Open<'off' | 'unfit' | 'open' | 'half' | 'spread' | 'held' | 'suspected'> | undefined;
    }> | undefined;
  } | null;
  /** The provider's reference */
  readonly psp_transaction_id: string | null;
  /** When the provider answered */
  readonly psp_transaction_date: string | null;
  /** Always null */
  readonly psp_token: null;
  /** The provider's own code */
  readonly psp_result_code: string | null;
  /** The provider's own text */
  readonly psp_result_description: string | null;
  /** What follows its decline; null: none, or not known */
  readonly retry_class: Open<'other_route' | 'other_route_soft' | 'later' | 'with_3ds' | 'fix_input' | 'payer' | 'none' | 'stop'> | null;
  /** What the card's scheme advised beside the decline: source and code */
  readonly advice_code: string | null;
  /** Always null: a token that can pay again is kept sealed; payment_methods_saved of its customer has it */
  readonly token: string | null;
  /** First six digits */
  readonly card_6_digits: string | null;
  /** Last four digits */
  readonly card_4_digits: string | null;
  /** Two digits */
  readonly card_validity_month: string | null;
  /** Two digits */
  readonly card_validity_year: string | null;
  /** Bank that issued the card */
  readonly card_issuer: string | null;
  /** Its country */
  readonly card_country: string | null;
  /** When the payer disputed it */
  readonly chargeback_date: string | null;
  /** Why */
  readonly chargeback_reason: string | null;
  /** The same as a code */
  readonly chargeback_reason_code: string | null;
  /** Disputed amount */
  readonly chargeback_amount: Money | null;
  /** IP address of the payer; null where none was sent */
  readonly customer_ip: string | null;
  /** Country of customer_ip */
  readonly customer_ip_country: string | null;
  /** Captures, oldest first */
  readonly captures: ReadonlyArray<{
    /** Id of the capture */
    readonly capture_id: string;
    /** Amount in major units */
    readonly amount: Money;
    /** Refunded of it */
    readonly refunded_amount: Money;
    /** How it stands */
    readonly state: Open<'requested' | 'successful' | 'declined' | 'in_doubt'>;
    /** When it was decided */
    readonly date: string | null;
  }>;
  /** Refunds, oldest first */
  readonly refunds: ReadonlyArray<{
    /** Id of the refund */
    readonly refund_id: string;
    /** The capture it refunds */
    readonly capture_id: string | null;
    /** Amount in major units */
    readonly amount: Money;
    /** How it stands */
    readonly state: Open<'requested' | 'successful' | 'declined' | 'in_doubt'>;
    /** When it was decided */
    readonly date: string | null;
    /** As sent */
    readonly refund_reason: string | null;
  }>;
  /** Statuses the order took, oldest first: all in its last transaction, empty in the others */
  readonly status_history: ReadonlyArray<{
    /** Status the order took */
    readonly status: string;
    /** Result code of that moment */
    readonly code: string | null;
    /** When */
    readonly date: string;
    /** The request that caused it */
    readonly request_id: string | null;
  }>;
  /** What was asked of the provider, oldest first */
  readonly operations: readonly Operation[];
  /** Your own id of the customer; needed for saved cards */
  readonly customer_id?: string | undefined;
  /** E-mail address */
  readonly customer_email?: string | undefined;
  /** First name */
  readonly customer_first_name?: string | undefined;
  /** Last name */
  readonly customer_last_name?: string | undefined;
  /** Gender */
  readonly customer_gender?: Open<'male' | 'female' | 'other'> | undefined;
  /** Date of birth; of a date and time the date is taken */
  readonly customer_birth_date?: string | undefined;
  /** Phone number, as the customer wrote it */
  readonly customer_phone_number?: string | undefined;
  /** Kind of phone number */
  readonly customer_phone_number_type?: Open<'mobile' | 'home' | 'work'> | undefined;
  /** Number of a document or of the tax office */
  readonly customer_identification_number?: string | undefined;
  /** Operating system of the payer */
  readonly customer_os_version?: string | undefined;
  /** The customer has an account with you */
  readonly is_customer_registered?: boolean | undefined;
  /** You take goods back */
  readonly is_return_accepted?: boolean | undefined;
  /** The customer bought the same before */
  readonly customer_items_reorder?: boolean | undefined;
  /** Street and number */
  readonly customer_street_name?: string | undefined;
  /** City */
  readonly customer_city?: string | undefined;
  /** Postal code */
  readonly customer_zip_code?: string | undefined;
  /** ISO 3166 code, in any case */
  readonly customer_country?: string | undefined;
  /** Billing: first name */
  readonly customer_billing_first_name?: string | undefined;
  /** Billing: last name */
  readonly customer_billing_last_name?: string | undefined;
  /** Billing: street and number */
  readonly customer_billing_street_name?: string | undefined;
  /** Billing: city */
  readonly customer_billing_city?: string | undefined;
  /** Billing: postal code */
  readonly customer_billing_zip_code?: string | undefined;
  /** Billing: ISO 3166 code */
  readonly customer_billing_country?: string | undefined;
  /** Street and number */
  readonly shipping_address_street_name_line1?: string | undefined;
  /** Second line */
  readonly shipping_address_street_name_line2?: string | undefined;
  /** City */
  readonly shipping_address_city?: string | undefined;
  /** State or region */
  readonly shipping_address_state?: string | undefined;
  /** Postal code */
  readonly shipping_address_zip_code?: string | undefined;
  /** ISO 3166 code, in any case */
  readonly shipping_address_country?: string | undefined;
  /** First use of this address */
  readonly shipping_address_first_use_date?: string | undefined;
  /** Your own id of the delivery */
  readonly shipping_id?: string | undefined;
  /** Who delivers */
  readonly shipping_carrier_name?: string | undefined;
  /** First name */
  readonly shipping_first_name?: string | undefined;
  /** Last name */
  readonly shipping_last_name?: string | undefined;
  /** How soon it is delivered */
  readonly shipping_delivery_range?: Open<'sameday' | 'lessthan2days' | 'morethan2days'> | undefined;
  /** Where it is delivered */
  readonly shipping_delivery_method?: Open<'customer_address' | 'in_store' | 'pickup_store' | 'pickup' | 'other'> | undefined;
  /** Price of the delivery */
  readonly shipping_price?: Money | undefined;
  /** Tax on the delivery */
  readonly shipping_tax?: Money | undefined;
  /** Tax rate, as you write it */
  readonly shipping_tax_rate?: string | undefined;
  /** E-mail address */
  readonly shipping_email?: string | undefined;
  /** Phone number */
  readonly shipping_phone_number?: string | undefined;
  /** Account made */
  readonly customer_account_creation_date?: string | undefined;
  /** Account last changed */
  readonly customer_account_change_date?: string | undefined;
  /** Password last changed */
  readonly customer_account_change_password_date?: string | undefined;
  /** Payment means last added */
  readonly customer_account_add_payment_means_date?: string | undefined;
  /** Orders tried in a day */
  readonly customer_account_attempts_order_day?: number | undefined;
  /** Orders tried in six months */
  readonly customer_account_attempts_order_six_months?: number | undefined;
  /** Orders tried in a year */
  readonly customer_account_attempts_order_year?: number | undefined;
  /** Orders made in a day */
  readonly customer_account_successful_orders_day?: number | undefined;
  /** Orders made in six months */
  readonly customer_account_successful_orders_six_months?: number | undefined;
  /** Orders made in a year */
  readonly customer_account_successful_orders_year?: number | undefined;
  /** Cards tried to be added */
  readonly customer_account_attempts_add_card?: number | undefined;
  /** Scripts run */
  readonly customer_browser_info_js_enabled?: boolean | undefined;
  /** Java runs */
  readonly customer_browser_info_java_enabled?: boolean | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_height?: number | undefined;
  /** Pixels */
  readonly customer_browser_info_screen_width?: number | undefined;
  /** Bits per pixel; any text is taken, and used where it is a whole number from 1 to 64 */
  readonly customer_browser_info_color_depth?: string | undefined;
  /** IANA name such as Europe/Paris, or an offset such as +02:00 */
  readonly customer_browser_info_time_zone?: string | undefined;
  /** Language tag */
  readonly customer_browser_info_language?: string | undefined;
  /** User agent */
  readonly customer_browser_info_user_agent?: string | undefined;
  /** Accept header */
  readonly customer_browser_info_accept_header?: string | undefined;
};

/** The flat answer and transactions[], as they stand now */
export type Order = {
  readonly result: Result;
  /** Id of the order */
  readonly order_id: string;
  /** Id of its last attempt */
  readonly transaction_id: string;
  /** Its checkout, or "" */
  readonly checkout_id: string;
  /** Your own reference */
  readonly order_merchant_id: string;
  /** Where the order stands; docs/states.md lists all */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Same as operation_type */
  readonly type: Open<'authorize' | 'direct_capture'>;
  /** As sent, or e-commerce */
  readonly payment_channel: string;
  /** Card scheme the order is paid with */
  readonly payment_method_name: string;
  /** Amount in major units */
  readonly order_amount: Money;
  /** ISO 4217 code */
  readonly order_currency: string;
  /** As sent, or "" */
  readonly order_description: string;
  /** Amount asked of the provider */
  readonly authorization_amount: Money;
  /** Code of the approval, or "" */
  readonly authorization_code: string;
  /** When the authorization was decided; a long textual date, null while there is none */
  readonly authorization_date: string | null;
  /** Outcome of the authorization */
  readonly authorization_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** no_3ds, ask_3ds or force_3ds */
  readonly authentication_indicator: string;
  /** Who authenticated the payer, or "" */
  readonly authentication_partner: string;
  /** When the payer was authenticated; a long textual date, null while there is none */
  readonly authentication_date: string | null;
  /** Outcome of the authentication */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** Something is captured */
  readonly is_captured: boolean;
  /** Something is refunded, in full or in part */
  readonly is_refunded: boolean;
  /** The authorization is cancelled */
  readonly is_cancelled: boolean;
  /** The outcome of an operation is unknown and is being resolved, or a reversal has not ended */
  readonly is_in_doubt: boolean;
  /** Approved, but the risk score is high or a rule marked it: look before you ship */
  readonly is_suspicious: boolean;
  /** Who assessed the risk: risk_rules (yours) or a provider; or "" */
  readonly risk_assessment_partner: string;
  /** When the risk was assessed; a long textual date, null while there is none */
  readonly risk_assessment_date: string | null;
  /** Outcome of the risk assessment */
  readonly risk_assessment_result: Open<'' | 'accepted' | 'refused'>;
  /** Why it was refused or marked: rule, version, what was seen; or "" */
  readonly risk_assessment_reason: string;
  /** Why it was refused, as a code; or "" */
  readonly risk_assessment_reason_code: string;
  /** Provider of the last attempt, or "" */
  readonly payin_partner: string;
  /** The provider's own code, or "" */
  readonly psp_result_code: string;
  /** The provider's own text, or "" */
  readonly psp_result_description: string;
  /** Contract with the provider, or "" */
  readonly merchant_contract_id: string;
  /** What follows its decline; null: none, or not known */
  readonly retry_class: Open<'other_route' | 'other_route_soft' | 'later' | 'with_3ds' | 'fix_input' | 'payer' | 'none' | 'stop'> | null;
  /** When the last capture was decided; a long textual date, null while there is none */
  readonly capture_date: string | null;
  /** Outcome of the last capture */
  readonly capture_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** Amount of the last capture; "" when there is none */
  readonly capture_amount: Money | '';
  /** Captured so far; "" when nothing is */
  readonly capture_total_amount: Money | '';
  /** When the last refund was decided; a long textual date, null while there is none */
  readonly refund_date: string | null;
  /** Outcome of the last refund */
  readonly refund_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** Refunded so far; "" when nothing is */
  readonly refund_total_amount: Money | '';
  /** When the cancellation was decided; a long textual date, null while there is none */
  readonly cancellation_date: string | null;
  /** Outcome of the cancellation */
  readonly cancellation_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** As sent, or "" */
  readonly website_url: string;
  /** As sent, or "" */
  readonly accept_url: string;
  /** As sent, or "" */
  readonly decline_url: string;
  /** As sent, or "" */
  readonly cancel_url: string;
  /** As sent, or "" */
  readonly pending_url: string;
  /** As sent, or "" */
  readonly exception_url: string;
  /** As sent, or "" */
  readonly customer_id: string;
  /** As sent, or "" */
  readonly customer_first_name: string;
  /** As sent, or "" */
  readonly customer_last_name: string;
  /** As sent, or "" */
  readonly customer_email: string;
  /** As sent, or "" */
  readonly customer_ip: string;
  /** As sent, or "" */
  readonly customer_street_name: string;
  /** As sent, or "" */
  readonly customer_city: string;
  /** As sent, or "" */
  readonly customer_zip_code: string;
  /** As sent, or "" */
  readonly customer_country: string;
  /** How often the payment can still be tried */
  readonly attempts_remaining: number;
  /** Same as order_id */
  readonly _id: string;
  /** Same as order_amount */
  readonly amount: Money;
  /** Same as order_currency */
  readonly currency: string;
  /** Rises by one with every change of status */
  readonly order_version: number;
  /** As sent */
  readonly giftcard_used: boolean;
  /** Baskets sent with the order */
  readonly baskets: ReadonlyArray<{
    /** As sent */
    readonly basket_id: string | null;
    /** As sent */
    readonly basket_type: string | null;
    /** As sent */
    readonly basket_content: ReadonlyArray<Readonly<Record<string, unknown>>>;
  }>;
  /** Your own data; an empty list when there are none */
  readonly merchant_data: ReadonlyArray<{
    readonly key?: string | undefined;
    readonly type?: Open<'string' | 'number' | 'date' | 'boolean' | 'integer'> | undefined;
    readonly value?: string | undefined;
    readonly is_personal_data?: boolean | undefined;
  }>;
  /** The account the order belongs to */
  readonly merchant_account: string;
  /** When the order was created */
  readonly createdAt: string;
  /** Its last change */
  readonly updatedAt: string;
  readonly createdBy: {
    /** Who created it */
    readonly name: string;
  };
  /** One for each attempt or fallback, oldest first */
  readonly transactions: readonly Transaction[];
  /** Only while the payer must act: send the payer there */
  readonly redirect_url?: string | undefined;
  /** The subscription it belongs to, when there is one */
  readonly subscription_id?: string | undefined;
  /** Later tries of a payment without the payer, once a decline has put its retry_policy to work */
  readonly retry?: {
    /** waiting for the next try, running, or ended for good */
    readonly state: Open<'waiting' | 'running' | 'ended'>;
    /** The policy that holds */
    readonly policy: Open<'default' | 'none'>;
    /** Later tries that were made */
    readonly tries: number;
    /** How many the policy still allows */
    readonly tries_left: number;
    /** When the next one is made; null while none is planned; a long textual date, null while there is none */
    readonly next_try_date: string | null;
    /** Why it is tried again; once it has ended, why */
    readonly reason: Open<'advice' | 'funds' | 'technical' | 'generic' | 'approved' | 'stopped' | 'payer_needed' | 'not_retryable' | 'limit_reached' | 'tries_used_up' | 'days_over' | 'card_expired' | 'card_removed' | 'paid_elsewhere' | 'refused' | 'cancelled' | 'tried_again' | 'stopped_by_merchant' | 'stopped_by_person' | 'undecided'>;
  } | undefined;
};

export type RetryStopped = {
  readonly result: Result;
  /** The order */
  readonly order_id: string;
  /** Later tries of a payment without the payer, once a decline has put its retry_policy to work */
  readonly retry: {
    /** waiting for the next try, running, or ended for good */
    readonly state: Open<'waiting' | 'running' | 'ended'>;
    /** The policy that holds */
    readonly policy: Open<'default' | 'none'>;
    /** Later tries that were made */
    readonly tries: number;
    /** How many the policy still allows */
    readonly tries_left: number;
    /** When the next one is made; null while none is planned; a long textual date, null while there is none */
    readonly next_try_date: string | null;
    /** Why it is tried again; once it has ended, why */
    readonly reason: Open<'advice' | 'funds' | 'technical' | 'generic' | 'approved' | 'stopped' | 'payer_needed' | 'not_retryable' | 'limit_reached' | 'tries_used_up' | 'days_over' | 'card_expired' | 'card_removed' | 'paid_elsewhere' | 'refused' | 'cancelled' | 'tried_again' | 'stopped_by_merchant' | 'stopped_by_person' | 'undecided'>;
  };
};

export type ListedOrder = {
  /** Id of the order */
  readonly order_id: string;
  /** Id of its last attempt */
  readonly transaction_id: string;
  /** Its checkout, or "" */
  readonly checkout_id: string;
  /** Your own reference */
  readonly order_merchant_id: string;
  /** Where the order stands; docs/states.md lists all */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Same as operation_type */
  readonly type: Open<'authorize' | 'direct_capture'>;
  /** As sent, or e-commerce */
  readonly payment_channel: string;
  /** Card scheme the order is paid with */
  readonly payment_method_name: string;
  /** Amount in major units */
  readonly order_amount: Money;
  /** ISO 4217 code */
  readonly order_currency: string;
  /** As sent, or "" */
  readonly order_description: string;
  /** Amount asked of the provider */
  readonly authorization_amount: Money;
  /** Code of the approval, or "" */
  readonly authorization_code: string;
  /** When the authorization was decided; a long textual date, null while there is none */
  readonly authorization_date: string | null;
  /** Outcome of the authorization */
  readonly authorization_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** no_3ds, ask_3ds or force_3ds */
  readonly authentication_indicator: string;
  /** Who authenticated the payer, or "" */
  readonly authentication_partner: string;
  /** When the payer was authenticated; a long textual date, null while there is none */
  readonly authentication_date: string | null;
  /** Outcome of the authentication */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** Something is captured */
  readonly is_captured: boolean;
  /** Something is refunded, in full or in part */
  readonly is_refunded: boolean;
  /** The authorization is cancelled */
  readonly is_cancelled: boolean;
  /** The outcome of an operation is unknown and is being resolved, or a reversal has not ended */
  readonly is_in_doubt: boolean;
  /** Approved, but the risk score is high or a rule marked it: look before you ship */
  readonly is_suspicious: boolean;
  /** Who assessed the risk: risk_rules (yours) or a provider; or "" */
  readonly risk_assessment_partner: string;
  /** When the risk was assessed; a long textual date, null while there is none */
  readonly risk_assessment_date: string | null;
  /** Outcome of the risk assessment */
  readonly risk_assessment_result: Open<'' | 'accepted' | 'refused'>;
  /** Why it was refused or marked: rule, version, what was seen; or "" */
  readonly risk_assessment_reason: string;
  /** Why it was refused, as a code; or "" */
  readonly risk_assessment_reason_code: string;
  /** Provider of the last attempt, or "" */
  readonly payin_partner: string;
  /** The provider's own code, or "" */
  readonly psp_result_code: string;
  /** The provider's own text, or "" */
  readonly psp_result_description: string;
  /** Contract with the provider, or "" */
  readonly merchant_contract_id: string;
  /** What follows its decline; null: none, or not known */
  readonly retry_class: Open<'other_route' | 'other_route_soft' | 'later' | 'with_3ds' | 'fix_input' | 'payer' | 'none' | 'stop'> | null;
  /** When the last capture was decided; a long textual date, null while there is none */
  readonly capture_date: string | null;
  /** Outcome of the last capture */
  readonly capture_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** Amount of the last capture; "" when there is none */
  readonly capture_amount: Money | '';
  /** Captured so far; "" when nothing is */
  readonly capture_total_amount: Money | '';
  /** When the last refund was decided; a long textual date, null while there is none */
  readonly refund_date: string | null;
  /** Outcome of the last refund */
  readonly refund_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** Refunded so far; "" when nothing is */
  readonly refund_total_amount: Money | '';
  /** When the cancellation was decided; a long textual date, null while there is none */
  readonly cancellation_date: string | null;
  /** Outcome of the cancellation */
  readonly cancellation_result: Open<'' | 'pending' | 'success' | 'failure'>;
  /** As sent, or "" */
  readonly website_url: string;
  /** As sent, or "" */
  readonly accept_url: string;
  /** As sent, or "" */
  readonly decline_url: string;
  /** As sent, or "" */
  readonly cancel_url: string;
  /** As sent, or "" */
  readonly pending_url: string;
  /** As sent, or "" */
  readonly exception_url: string;
  /** As sent, or "" */
  readonly customer_id: string;
  /** As sent, or "" */
  readonly customer_first_name: string;
  /** As sent, or "" */
  readonly customer_last_name: string;
  /** As sent, or "" */
  readonly customer_email: string;
  /** As sent, or "" */
  readonly customer_ip: string;
  /** As sent, or "" */
  readonly customer_street_name: string;
  /** As sent, or "" */
  readonly customer_city: string;
  /** As sent, or "" */
  readonly customer_zip_code: string;
  /** As sent, or "" */
  readonly customer_country: string;
  /** How often the payment can still be tried */
  readonly attempts_remaining: number;
  /** Same as order_id */
  readonly _id: string;
  /** When the order was created */
  readonly createdAt: string;
  /** Only while the payer must act: send the payer there */
  readonly redirect_url?: string | undefined;
  /** The subscription it belongs to, when there is one */
  readonly subscription_id?: string | undefined;
  /** Later tries of a payment without the payer, once a decline has put its retry_policy to work */
  readonly retry?: {
    /** waiting for the next try, running, or ended for good */
    readonly state: Open<'waiting' | 'running' | 'ended'>;
    /** The policy that holds */
    readonly policy: Open<'default' | 'none'>;
    /** Later tries that were made */
    readonly tries: number;
    /** How many the policy still allows */
    readonly tries_left: number;
    /** When the next one is made; null while none is planned; a long textual date, null while there is none */
    readonly next_try_date: string | null;
    /** Why it is tried again; once it has ended, why */
    readonly reason: Open<'advice' | 'funds' | 'technical' | 'generic' | 'approved' | 'stopped' | 'payer_needed' | 'not_retryable' | 'limit_reached' | 'tries_used_up' | 'days_over' | 'card_expired' | 'card_removed' | 'paid_elsewhere' | 'refused' | 'cancelled' | 'tried_again' | 'stopped_by_merchant' | 'stopped_by_person' | 'undecided'>;
  } | undefined;
};

export type OrderList = {
  readonly result: Result;
  /** Newest first */
  readonly orders: readonly ListedOrder[];
  /** There are older ones */
  readonly has_more: boolean;
  /** Send it as `cursor` for the next page; null on the last one */
  readonly next_cursor: string | null;
};

export type CaptureRequest = {
  /** Major units, as a number or as text; left out: all that is left. */
  readonly amount?: Amount | null | undefined;
  /** true: no further capture follows, and what is left of the authorization is released. */
  readonly final?: boolean | null | undefined;
  /** Your own reference, once for an order and operation; comes back in the answer. */
  readonly operation_merchant_id?: string | null | undefined;
};

/** Done, or accepted and not yet decided; a refused capture is never 2xx */
export type CaptureAnswer = {
  readonly result: Result;
  /** Id of the order */
  readonly order_id: string;
  /** Attempt that holds the money */
  readonly transaction_id: string;
  /** Where the order stands now */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order in major units */
  readonly order_amount: Money;
  /** ISO 4217 code */
  readonly order_currency: string;
  /** Your own reference of the order */
  readonly order_merchant_id: string;
  /** Card scheme the order was paid with */
  readonly payment_method_name: string;
  /** Provider */
  readonly payin_partner: string;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** An amount is authorized */
  readonly is_authorized: boolean;
  /** Id of this request */
  readonly request_id: string;
  /** Your own reference of this operation, or "" */
  readonly operation_merchant_id: string;
  /** Id of the capture */
  readonly capture_id: string;
  /** When it was decided; null while it is not; a long textual date, null while there is none */
  readonly capture_date: string | null;
  /** Outcome */
  readonly capture_request_status: Open<'pending' | 'success' | 'failure'>;
  /** Captured so far */
  readonly captured_amount: Money;
  /** What can still be captured */
  readonly capturable_amount: Money;
  /** Amount of this capture */
  readonly capture_amount_requested: Money;
  /** All captures that are done or undecided */
  readonly total_capture_amount_requested: Money;
};

export type RefundRequest = {
  /** Major units, as a number or as text; left out: all that is left. */
  readonly amount?: Amount | null | undefined;
  /** The capture to refund; left out: the only one, or the oldest that covers the amount. */
  readonly capture_id?: string | null | undefined;
  /** Kept with the refund. */
  readonly refund_reason?: 'requested_by_customer' | 'fraudulent' | 'duplicate' | 'other' | null | undefined;
  /** true: refund also what the payer’s bank has taken back in a dispute that is open or lost; the payer then has it twice. */
  readonly even_if_disputed?: boolean | null | undefined;
  /** Your own reference, once for an order and operation; comes back in the answer. */
  readonly operation_merchant_id?: string | null | undefined;
};

/** Done, or accepted and not yet decided; a refused refund is never 2xx */
export type RefundAnswer = {
  readonly result: Result;
  /** Id of the order */
  readonly order_id: string;
  /** Attempt that holds the money */
  readonly transaction_id: string;
  /** Where the order stands now */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order in major units */
  readonly order_amount: Money;
  /** ISO 4217 code */
  readonly order_currency: string;
  /** Your own reference of the order */
  readonly order_merchant_id: string;
  /** Card scheme the order was paid with */
  readonly payment_method_name: string;
  /** Provider */
  readonly payin_partner: string;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** An amount is authorized */
  readonly is_authorized: boolean;
  /** Id of this request */
  readonly request_id: string;
  /** Your own reference of this operation, or "" */
  readonly operation_merchant_id: string;
  /** Id of the refund */
  readonly refund_id: string;
  /** The capture it refunds */
  readonly capture_id: string;
  /** When it was decided; null while it is not; a long textual date, null while there is none */
  readonly refund_date: string | null;
  /** Outcome */
  readonly refund_request_status: Open<'pending' | 'success' | 'failure'>;
  /** Refunded so far */
  readonly refunded_amount: Money;
  /** What can still be refunded */
  readonly refundable_amount: Money;
  /** Amount of this refund */
  readonly refund_amount_requested: Money;
  /** All refunds that are done or undecided */
  readonly total_refund_amount_requested: Money;
};

export type CancelRequest = {
  /** Your own reference, once for an order and operation; comes back in the answer. */
  readonly operation_merchant_id?: string | null | undefined;
};

/** Done, or accepted and not yet decided; a refused cancel is never 2xx */
export type CancelAnswer = {
  readonly result: Result;
  /** Id of the order */
  readonly order_id: string;
  /** Attempt that holds the money */
  readonly transaction_id: string;
  /** Where the order stands now */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order in major units */
  readonly order_amount: Money;
  /** ISO 4217 code */
  readonly order_currency: string;
  /** Your own reference of the order */
  readonly order_merchant_id: string;
  /** Card scheme the order was paid with */
  readonly payment_method_name: string;
  /** Provider */
  readonly payin_partner: string;
  /** The liability is shifted to the issuer */
  readonly is_authenticated: boolean;
  /** An amount is authorized */
  readonly is_authorized: boolean;
  /** Id of this request */
  readonly request_id: string;
  /** Your own reference of this operation, or "" */
  readonly operation_merchant_id: string;
  /** When it was decided; null while it is not; a long textual date, null while there is none */
  readonly cancellation_date: string | null;
  /** Outcome */
  readonly cancellation_result: Open<'pending' | 'success' | 'failure'>;
};

export type Customer = {
  readonly result: Result;
  /** Id of the record */
  readonly _id: string;
  /** Your account */
  readonly merchant_account: string;
  /** Your own id of the customer */
  readonly customer_id: string;
  /** How often the record has changed */
  readonly __v: number;
  /** Of the last request that gave it; null before */
  readonly browser_info_accept_header: string | null;
  /** Bits per pixel */
  readonly browser_info_color_depth: string | null;
  /** The browser runs scripts */
  readonly browser_info_js_enabled: boolean | null;
  /** The browser runs Java */
  readonly browser_info_java_enabled: boolean | null;
  /** Language tag */
  readonly browser_info_language: string | null;
  /** Pixels */
  readonly browser_info_screen_height: number | null;
  /** Pixels */
  readonly browser_info_screen_width: number | null;
  /** IANA name */
  readonly browser_info_time_zone: string | null;
  /** As the browser says */
  readonly browser_info_user_agent: string | null;
  /** Address of the last request that gave one */
  readonly ip: string | null;
  /** Country of the address; null where it is not known */
  readonly ip_country: string | null;
  /** When the customer was first named */
  readonly createdAt: string;
  /** When the record last changed */
  readonly updatedAt: string;
  /** Saved cards, newest use first */
  readonly payment_methods_saved: ReadonlyArray<{
    /** Identifier of the method, such as a card scheme in lower case */
    readonly name: string;
    /** Name to show */
    readonly display_name: string;
    /** What the payer fills in */
    readonly component_type: Open<'card' | 'form_redirect' | 'no_form_redirect'>;
    /** Provider that processes it */
    readonly partner: string;
    /** Fields an order with it needs */
    readonly required_fields: readonly string[];
    /** Countries it is offered in, or all */
    readonly countries: readonly string[];
    /** Inputs of a payment form */
    readonly form_fields: ReadonlyArray<{
      /** Label of the input */
      readonly label: string;
      /** Name of the field */
      readonly name: string;
      /** Kind of value */
      readonly data_type: Open<'integer' | 'date' | 'name'>;
      /** Values to choose from; empty: free */
      readonly enum: readonly string[];
      /** A value */
      readonly example: string;
      /** Name to show */
      readonly display_name: string;
    }>;
    /** File under {vault_url}/image/logo/ */
    readonly logo: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_white: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_colorbg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_whitebg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_colorbg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_whitebg: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_white_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_colorbg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_whitebg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_colorbg_png: string;
    /** File under {vault_url}/image/logo/ */
    readonly logo_favicon_whitebg_png: string;
    /** How often it was used */
    readonly nb_use: number;
    /** Last use, ISO 8601; null before the first */
    readonly date_last_use: string | null;
    /** Id of the saved card */
    readonly id: string;
    /** Token of 64 hexadecimal characters */
    readonly token: string;
    /** last_4_digits, first_6_digits, card_validity_month, card_validity_year */
    readonly payment_details: ReadonlyArray<{
      /** Name */
      readonly key: string;
      /** Value */
      readonly value: string;
    }>;
  }>;
  /** Methods the customer has paid with, the last one first */
  readonly payment_methods_used: ReadonlyArray<{
    /** Method, such as a card scheme in lower case */
    readonly name: string;
    /** Last use */
    readonly date_last_use: string;
    /** How often it was used */
    readonly nb_use: number;
  }>;
  /** Always empty */
  readonly pm_merchant_accounts: readonly string[];
};

export type SavedCardRemoval = {
  /** Your own id of the customer. With neither token nor id, every saved card of the customer is removed */
  readonly customer_id: string;
  /** Removes only the saved card with this token; older tokens of the same card name it too */
  readonly token?: string | null | undefined;
  /** Removes only this saved card; with token, both must name the same one */
  readonly id?: string | null | undefined;
};

export type EndpointRequest = {
  /** Where notifications go: https, port 443 or 8443, a public host. A sandbox may be set up to allow more */
  readonly url: string;
  /** Which events it gets. Unless given: all that end in _successful, _declined, _cancelled or _expired, and those with a dot. authorization_successful is the sensible minimum */
  readonly events?: ReadonlyArray<'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined' | 'checkout.expired' | 'customer.updated' | 'dispute.opened' | 'dispute.updated' | 'dispute.due' | 'dispute.won' | 'dispute.lost' | 'order.contradicted' | 'order.retries_ended' | 'provider.health_changed'> | null | undefined;
  /** For people */
  readonly description?: string | null | undefined;
  /** The secret both signatures are made with, to go on with one that a receiver has already; made by us unless given. After whsec_ there must be base64 */
  readonly secret?: string | null | undefined;
};

export type EndpointWithSecret = {
  /** Endpoint */
  readonly _id: string;
  /** Where notifications go */
  readonly url: string;
  /** Which it gets */
  readonly events: readonly string[];
  /** For people */
  readonly description: string;
  /** It gets notifications; an answer 410 switches it off, until it is activated */
  readonly active: boolean;
  /** When it was made */
  readonly createdAt: string;
  /** What both signatures are made with. Shown here and never again */
  readonly secret: string;
};

export type EndpointAnswer = {
  readonly result: Result;
  readonly endpoint: EndpointWithSecret;
};

export type EndpointHealth = {
  /** How it stands */
  readonly state: Open<'ok' | 'failing' | 'off'>;
  /** When its first try without a success since failed */
  readonly failing_since: string | null;
  /** Notifications that wait for it */
  readonly waiting: number;
};

export type Endpoint = {
  /** Endpoint */
  readonly _id: string;
  /** Where notifications go */
  readonly url: string;
  /** Which it gets */
  readonly events: readonly string[];
  /** For people */
  readonly description: string;
  /** It gets notifications; an answer 410 switches it off, until it is activated */
  readonly active: boolean;
  /** When it was made */
  readonly createdAt: string;
  readonly health: EndpointHealth;
};

export type EndpointList = {
  readonly result: Result;
  /** The oldest first */
  readonly endpoints: readonly Endpoint[];
};

export type NotificationDone = {
  readonly result: Result;
};

export type EndpointTest = {
  readonly result: Result;
  /** The endpoint answered 2xx */
  readonly delivered: boolean;
  /** What it answered; null: nothing */
  readonly http_status: number | null;
  /** How long that took */
  readonly duration_ms: number;
};

export type EndpointActivation = {
  readonly result: Result;
  /** It was switched off before */
  readonly was_off: boolean;
};

export type SecretRotation = {
  /** For so long both secrets are good: webhook-signature carries one signature of each, the brand signature uses the older. 24 unless given */
  readonly overlap_hours?: number | null | undefined;
};

export type Notification = {
  /** Its webhook-id */
  readonly _id: string;
  /** Endpoint */
  readonly endpoint_id: string;
  /** What happened */
  readonly event: string;
  /** Order; "" where there is none */
  readonly order_id: string;
  /** Its number among the events of the order */
  readonly sequence: number;
  /** How it stands */
  readonly state: Open<'delivered' | 'waiting' | 'parked'>;
  /** Tries of the schedule */
  readonly tries: number;
  /** Of the last try */
  readonly last_http_status: number | null;
  /** Of the last try */
  readonly last_error: string | null;
  /** When it is tried next */
  readonly next_try_date: string | null;
  /** When it happened */
  readonly createdAt: string;
  /** What is sent */
  readonly body: Readonly<Record<string, unknown>>;
};

export type NotificationList = {
  readonly result: Result;
  /** Newest first */
  readonly notifications: readonly Notification[];
  /** There are older ones */
  readonly has_more: boolean;
  /** Send it as `cursor` for the next page; null on the last one */
  readonly next_cursor: string | null;
};

export type NotificationRange = {
  /** Those of this endpoint */
  readonly endpoint_id: string;
  /** parked unless given; delivered sends again what the endpoint has taken up already */
  readonly state?: 'parked' | 'delivered' | null | undefined;
  /** Those made then or later */
  readonly created_from?: string | null | undefined;
  /** Those made before then */
  readonly created_to?: string | null | undefined;
  /** The `next_cursor` of the answer before: goes on behind those that it sent again */
  readonly cursor?: string | null | undefined;
};

export type NotificationReplay = {
  readonly result: Result;
  /** How many will be sent again, at most 10,000 */
  readonly replayed: number;
  /** There may be more of them: ask again, with the cursor */
  readonly has_more: boolean;
  /** Send it as `cursor` with the same range; null on the last answer */
  readonly next_cursor: string | null;
};

export type SandboxClock = {
  readonly result: Result;
  /** The present moment here */
  readonly now: string;
  /** How far it is ahead of the real time */
  readonly offset_seconds: number;
  /** When something waits that the clock moves; null: nothing does */
  readonly next_due: string | null;
};

export type ClockRequest = {
  /** How far; or to */
  readonly seconds?: number | null | undefined;
  /** Until when: later than now */
  readonly to?: string | null | undefined;
};

export type ClockAdvanced = {
  readonly result: Result;
  /** The present moment here */
  readonly now: string;
  /** How far it is ahead of the real time */
  readonly offset_seconds: number;
  /** All work due until then has run; false: it goes on */
  readonly settled: boolean;
};

export type ScenarioRequest = {
  /** Which calls; cancel stands for the reversal of an undecided authorization too */
  readonly operation: 'authorize' | 'direct_capture' | 'capture' | 'refund' | 'cancel' | 'inquiry' | 'authentication' | 'notification';
  /** What goes wrong */
  readonly fault: 'refuse_connection' | 'drop_before' | 'timeout_not_taken' | 'timeout_taken' | 'close_mid_response' | 'answer_twice' | 'late_answer' | 'http_500_before' | 'http_500_after' | 'garbage' | 'wrong_amount' | 'wrong_currency' | 'wrong_reference' | 'decline' | 'pending' | 'callback_first' | 'callback_twice' | 'callback_never' | 'provider_down';
  /** How many calls; 1 unless given */
  readonly times?: number | null | undefined;
  /** Only at this provider; both unless given */
  readonly provider?: 'simulator' | 'simulator_b' | null | undefined;
  /** With decline: the result code it ends with */
  readonly code?: string | null | undefined;
  /** With decline, of an authorization: what the card's scheme advises: Mastercard's advice codes, or Visa's as PayPal hands them on */
  readonly advice?: {
    readonly source?: 'mastercard' | 'visa' | null | undefined;
    readonly code?: string | null | undefined;
  } | null | undefined;
  /** With decline, of an authorization: the scheme's response code, such as 51 or 46 */
  readonly response_code?: string | null | undefined;
  /** The answer leaves so much later */
  readonly delay_ms?: number | null | undefined;
  /** With provider_down, pending and callback_never: for how long, on the sandbox clock; 60 unless given */
  readonly seconds?: number | null | undefined;
  /** Only calls of this order, merchant reference, amount in major units, or card */
  readonly match?: {
    readonly order_id?: string | null | undefined;
    readonly order_merchant_id?: string | null | undefined;
    /** Major units, as a number or as decimal text */
    readonly amount?: Amount | null | undefined;
    readonly card_4_digits?: string | null | undefined;
  } | null | undefined;
};

export type Scenario = {
  /** Id of the scenario */
  readonly _id: string;
  /** Which calls */
  readonly operation: string;
  /** What goes wrong */
  readonly fault: string;
  /** How many calls it was armed for */
  readonly times: number;
  /** How many calls are left */
  readonly remaining: number;
  /** What it is tied to */
  readonly match: Readonly<Record<string, unknown>>;
  /** Only at this provider */
  readonly provider?: string | undefined;
  /** Result code */
  readonly code?: string | undefined;
  readonly advice?: {
    /** Whose advice */
    readonly source: string;
    /** Its code */
    readonly code: string;
  } | undefined;
  /** The scheme's response code */
  readonly response_code?: string | undefined;
  /** The answer leaves so much later */
  readonly delay_ms?: number | undefined;
  /** For how long */
  readonly seconds?: number | undefined;
};

export type ScenarioAnswer = {
  readonly result: Result;
  readonly scenario: Scenario;
};

export type ScenarioList = {
  readonly result: Result;
  /** Oldest first */
  readonly scenarios: readonly Scenario[];
};

export type ProviderBooks = {
  readonly result: Result;
  /** Newest first */
  readonly entries: ReadonlyArray<{
    /** Our operation id; of a reversal, that of what it reverses */
    readonly reference: string;
    /** Order */
    readonly order_id: string;
    /** simulator or simulator_b */
    readonly provider: string;
    /** What was done */
    readonly kind: Open<'authorize' | 'capture' | 'refund' | 'cancel' | 'reversal'>;
    /** Major units */
    readonly amount: Money;
    /** Three letters */
    readonly currency: string;
    /** How often it took effect: above 1 means that somebody was charged twice */
    readonly effects: number;
    /** How it stands */
    readonly state: Open<'held' | 'captured' | 'refunded' | 'released' | 'declined' | 'pending'>;
    /** How often it was asked for */
    readonly calls: number;
    /** When it was first asked for */
    readonly createdAt: string;
    /** Of a network token: the first 16 hex digits of its cryptogram's SHA-256 */
    readonly cryptogram_digest?: string | undefined;
    /** What came with the cryptogram */
    readonly eci?: string | null | undefined;
  }>;
  /** Whether there are older ones */
  readonly has_more: boolean;
  /** For the next page; null at the end */
  readonly next_cursor: string | null;
};

export type SandboxCards = {
  readonly result: Result;
  /** One row a number */
  readonly cards: ReadonlyArray<{
    /** Card number */
    readonly number: string;
    /** What happens */
    readonly outcome: string;
    /** Issuer of the card */
    readonly issuer: string | null;
    /** Its country */
    readonly country: string | null;
    /** Its kind: credit or debit */
    readonly funding: string | null;
    /** Result codes in the order in which they are seen */
    readonly codes: readonly string[];
  }>;
  /** What a payer may type at the page of the simulated bank */
  readonly challenge_codes: ReadonlyArray<{
    /** To be typed */
    readonly code: string;
    /** What the bank decides */
    readonly outcome: string;
    /** Result code the order ends with; null: it goes on, as ask_3ds does without authentication where this is 320310 */
    readonly result: string | null;
  }>;
};

export type OrderEvent = {
  /** What happened */
  readonly event: Open<'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** Grows with each change of the order: of two bodies, drop the one with the lower */
  readonly order_version: number;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** The order */
  readonly order_id: string;
  /** The last transaction, "" while there is none */
  readonly transaction_id: string;
  /** Your order_merchant_id; so named here */
  readonly merchant_order_id: string;
  /** Contract with the provider, "" while there is none */
  readonly merchant_contract_id: string;
  /** Status of the order at this event */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order, in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** Provider, "" while there is none */
  readonly payin_partner: string;
  /** Reference at the provider, "" while there is none */
  readonly payin_transaction_id: string;
  /** What the provider said, "" while there is none */
  readonly payin_transaction_description: string;
  /** 3-D Secure server, "" while there is none */
  readonly authentication_partner: string;
  /** Outcome of 3-D Secure */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** Who assessed the risk, "" while there is none */
  readonly risk_assessment_partner: string;
  /** What it said */
  readonly risk_assessment_result: Open<'accepted' | 'refused' | ''>;
  /** Payment method, in upper case */
  readonly payment_method: string;
  /** Captured in all */
  readonly capture_total_amount: Money;
  /** Refunded in all */
  readonly refund_total_amount: Money;
  /** A capture can be asked for */
  readonly is_capturable: boolean;
  /** A refund can be asked for */
  readonly is_refundable: boolean;
  /** A cancel can be asked for */
  readonly is_cancellable: boolean;
  /** First six digits of the card, "" while there is none */
  readonly card_6_digits: string;
  /** Last four digits of the card, "" while there is none */
  readonly card_4_digits: string;
  /** Two digits, "" while there is none */
  readonly card_validity_month: string;
  /** Two digits, "" while there is none */
  readonly card_validity_year: string;
  /** Bank that issued the card, "" where it is not known */
  readonly card_issuer: string;
  /** Country of the bank, "" where it is not known */
  readonly card_country: string;
  /** Always "": a token that can pay again is kept sealed */
  readonly token: string;
  /** Always true */
  readonly is_order_last_transaction: boolean;
  /** When it happened */
  readonly action_date: string;
  /** The order in the back office, "" where its address is not set */
  readonly link_interface: string;
  /** Your account */
  readonly merchant_account: string;
  /** The checkout, where there is one */
  readonly checkout_id?: string | undefined;
  /** The payment link that it was paid by, where it was */
  readonly link_id?: string | undefined;
  /** Your own data of that link */
  readonly merchant_data?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
  readonly result?: Result | undefined;
  /** The capture that it is about */
  readonly capture_id?: string | undefined;
  /** The refund that it is about */
  readonly refund_id?: string | undefined;
  /** Your own id of that operation */
  readonly operation_merchant_id?: string | undefined;
  /** Of authentication_requested: where the payer must go */
  readonly redirect_url?: string | undefined;
};

export type DisputeEvent = {
  /** What happened */
  readonly event: Open<'dispute.opened' | 'dispute.updated' | 'dispute.due' | 'dispute.won' | 'dispute.lost'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** Grows with each change of the order: of two bodies, drop the one with the lower */
  readonly order_version: number;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** The order */
  readonly order_id: string;
  /** The last transaction, "" while there is none */
  readonly transaction_id: string;
  /** Your order_merchant_id; so named here */
  readonly merchant_order_id: string;
  /** Contract with the provider, "" while there is none */
  readonly merchant_contract_id: string;
  /** Status of the order at this event */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order, in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** Provider, "" while there is none */
  readonly payin_partner: string;
  /** Reference at the provider, "" while there is none */
  readonly payin_transaction_id: string;
  /** What the provider said, "" while there is none */
  readonly payin_transaction_description: string;
  /** 3-D Secure server, "" while there is none */
  readonly authentication_partner: string;
  /** Outcome of 3-D Secure */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** Who assessed the risk, "" while there is none */
  readonly risk_assessment_partner: string;
  /** What it said */
  readonly risk_assessment_result: Open<'accepted' | 'refused' | ''>;
  /** Payment method, in upper case */
  readonly payment_method: string;
  /** Captured in all */
  readonly capture_total_amount: Money;
  /** Refunded in all */
  readonly refund_total_amount: Money;
  /** A capture can be asked for */
  readonly is_capturable: boolean;
  /** A refund can be asked for */
  readonly is_refundable: boolean;
  /** A cancel can be asked for */
  readonly is_cancellable: boolean;
  /** First six digits of the card, "" while there is none */
  readonly card_6_digits: string;
  /** Last four digits of the card, "" while there is none */
  readonly card_4_digits: string;
  /** Two digits, "" while there is none */
  readonly card_validity_month: string;
  /** Two digits, "" while there is none */
  readonly card_validity_year: string;
  /** Bank that issued the card, "" where it is not known */
  readonly card_issuer: string;
  /** Country of the bank, "" where it is not known */
  readonly card_country: string;
  /** Always "": a token that can pay again is kept sealed */
  readonly token: string;
  /** Always true */
  readonly is_order_last_transaction: boolean;
  /** When it happened */
  readonly action_date: string;
  /** The order in the back office, "" where its address is not set */
  readonly link_interface: string;
  /** Your account */
  readonly merchant_account: string;
  /** Amount that the payer takes back */
  readonly chargeback_amount: Money;
  /** When */
  readonly chargeback_date: string;
  /** Why, in words */
  readonly chargeback_reason: string;
  /** Why, as the scheme codes it */
  readonly chargeback_reason_code: string;
  /** Until when it is to be answered; null where it is not known */
  readonly chargeback_due_date: string | null;
  /** The checkout, where there is one */
  readonly checkout_id?: string | undefined;
  /** The payment link that it was paid by, where it was */
  readonly link_id?: string | undefined;
  /** Your own data of that link */
  readonly merchant_data?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
  readonly result?: Result | undefined;
  /** The capture that it is about */
  readonly capture_id?: string | undefined;
  /** The refund that it is about */
  readonly refund_id?: string | undefined;
  /** Your own id of that operation */
  readonly operation_merchant_id?: string | undefined;
};

export type ContradictionEvent = {
  /** What happened */
  readonly event: Open<'order.contradicted'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** Grows with each change of the order: of two bodies, drop the one with the lower */
  readonly order_version: number;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** The order */
  readonly order_id: string;
  /** The last transaction, "" while there is none */
  readonly transaction_id: string;
  /** Your order_merchant_id; so named here */
  readonly merchant_order_id: string;
  /** Contract with the provider, "" while there is none */
  readonly merchant_contract_id: string;
  /** Status of the order at this event */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order, in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** Provider, "" while there is none */
  readonly payin_partner: string;
  /** Reference at the provider, "" while there is none */
  readonly payin_transaction_id: string;
  /** What the provider said, "" while there is none */
  readonly payin_transaction_description: string;
  /** 3-D Secure server, "" while there is none */
  readonly authentication_partner: string;
  /** Outcome of 3-D Secure */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** Who assessed the risk, "" while there is none */
  readonly risk_assessment_partner: string;
  /** What it said */
  readonly risk_assessment_result: Open<'accepted' | 'refused' | ''>;
  /** Payment method, in upper case */
  readonly payment_method: string;
  /** Captured in all */
  readonly capture_total_amount: Money;
  /** Refunded in all */
  readonly refund_total_amount: Money;
  /** A capture can be asked for */
  readonly is_capturable: boolean;
  /** A refund can be asked for */
  readonly is_refundable: boolean;
  /** A cancel can be asked for */
  readonly is_cancellable: boolean;
  /** First six digits of the card, "" while there is none */
  readonly card_6_digits: string;
  /** Last four digits of the card, "" while there is none */
  readonly card_4_digits: string;
  /** Two digits, "" while there is none */
  readonly card_validity_month: string;
  /** Two digits, "" while there is none */
  readonly card_validity_year: string;
  /** Bank that issued the card, "" where it is not known */
  readonly card_issuer: string;
  /** Country of the bank, "" where it is not known */
  readonly card_country: string;
  /** Always "": a token that can pay again is kept sealed */
  readonly token: string;
  /** Always true */
  readonly is_order_last_transaction: boolean;
  /** When it happened */
  readonly action_date: string;
  /** The order in the back office, "" where its address is not set */
  readonly link_interface: string;
  /** Your account */
  readonly merchant_account: string;
  /** Which operation it is about */
  readonly about: string;
  /** What the provider says now */
  readonly said: string;
  /** The checkout, where there is one */
  readonly checkout_id?: string | undefined;
  /** The payment link that it was paid by, where it was */
  readonly link_id?: string | undefined;
  /** Your own data of that link */
  readonly merchant_data?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
  readonly result?: Result | undefined;
  /** The capture that it is about */
  readonly capture_id?: string | undefined;
  /** The refund that it is about */
  readonly refund_id?: string | undefined;
  /** Your own id of that operation */
  readonly operation_merchant_id?: string | undefined;
};

export type RetriesEvent = {
  /** What happened */
  readonly event: Open<'order.retries_ended'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** Grows with each change of the order: of two bodies, drop the one with the lower */
  readonly order_version: number;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** The order */
  readonly order_id: string;
  /** The last transaction, "" while there is none */
  readonly transaction_id: string;
  /** Your order_merchant_id; so named here */
  readonly merchant_order_id: string;
  /** Contract with the provider, "" while there is none */
  readonly merchant_contract_id: string;
  /** Status of the order at this event */
  readonly status: Open<'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined'>;
  /** Amount of the order, in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** Provider, "" while there is none */
  readonly payin_partner: string;
  /** Reference at the provider, "" while there is none */
  readonly payin_transaction_id: string;
  /** What the provider said, "" while there is none */
  readonly payin_transaction_description: string;
  /** 3-D Secure server, "" while there is none */
  readonly authentication_partner: string;
  /** Outcome of 3-D Secure */
  readonly authentication_result: Open<'' | 'success' | 'attempted' | 'accepted' | 'not_available' | 'failed'>;
  /** Who assessed the risk, "" while there is none */
  readonly risk_assessment_partner: string;
  /** What it said */
  readonly risk_assessment_result: Open<'accepted' | 'refused' | ''>;
  /** Payment method, in upper case */
  readonly payment_method: string;
  /** Captured in all */
  readonly capture_total_amount: Money;
  /** Refunded in all */
  readonly refund_total_amount: Money;
  /** A capture can be asked for */
  readonly is_capturable: boolean;
  /** A refund can be asked for */
  readonly is_refundable: boolean;
  /** A cancel can be asked for */
  readonly is_cancellable: boolean;
  /** First six digits of the card, "" while there is none */
  readonly card_6_digits: string;
  /** Last four digits of the card, "" while there is none */
  readonly card_4_digits: string;
  /** Two digits, "" while there is none */
  readonly card_validity_month: string;
  /** Two digits, "" while there is none */
  readonly card_validity_year: string;
  /** Bank that issued the card, "" where it is not known */
  readonly card_issuer: string;
  /** Country of the bank, "" where it is not known */
  readonly card_country: string;
  /** Always "": a token that can pay again is kept sealed */
  readonly token: string;
  /** Always true */
  readonly is_order_last_transaction: boolean;
  /** When it happened */
  readonly action_date: string;
  /** The order in the back office, "" where its address is not set */
  readonly link_interface: string;
  /** Your account */
  readonly merchant_account: string;
  /** Later tries of a payment without the payer, once a decline has put its retry_policy to work */
  readonly retry: {
    /** waiting for the next try, running, or ended for good */
    readonly state: Open<'waiting' | 'running' | 'ended'>;
    /** The policy that holds */
    readonly policy: Open<'default' | 'none'>;
    /** Later tries that were made */
    readonly tries: number;
    /** How many the policy still allows */
    readonly tries_left: number;
    /** When the next one is made; null while none is planned; a long textual date, null while there is none */
    readonly next_try_date: string | null;
    /** Why it is tried again; once it has ended, why */
    readonly reason: Open<'advice' | 'funds' | 'technical' | 'generic' | 'approved' | 'stopped' | 'payer_needed' | 'not_retryable' | 'limit_reached' | 'tries_used_up' | 'days_over' | 'card_expired' | 'card_removed' | 'paid_elsewhere' | 'refused' | 'cancelled' | 'tried_again' | 'stopped_by_merchant' | 'stopped_by_person' | 'undecided'>;
  };
  /** The checkout, where there is one */
  readonly checkout_id?: string | undefined;
  /** The payment link that it was paid by, where it was */
  readonly link_id?: string | undefined;
  /** Your own data of that link */
  readonly merchant_data?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
  readonly result?: Result | undefined;
  /** The capture that it is about */
  readonly capture_id?: string | undefined;
  /** The refund that it is about */
  readonly refund_id?: string | undefined;
  /** Your own id of that operation */
  readonly operation_merchant_id?: string | undefined;
};

export type CheckoutEvent = {
  /** What happened */
  readonly event: Open<'checkout.expired'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** The checkout */
  readonly checkout_id: string;
  /** Your order_merchant_id */
  readonly merchant_order_id: string;
  /** Amount of the order, in major units */
  readonly amount: Money;
  /** ISO 4217 code */
  readonly currency: string;
  /** When it happened */
  readonly action_date: string;
  /** Your account */
  readonly merchant_account: string;
  readonly result?: Result | undefined;
  /** The payment link that it was paid by, where it was */
  readonly link_id?: string | undefined;
  /** Your own data of that link */
  readonly merchant_data?: ReadonlyArray<Readonly<Record<string, unknown>>> | undefined;
};

export type CustomerEvent = {
  /** What happened */
  readonly event: Open<'customer.updated'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** When it happened */
  readonly action_date: string;
  /** Your account */
  readonly merchant_account: string;
  /** Your id of the customer */
  readonly customer_id: string;
  readonly result?: Result | undefined;
};

export type ProviderEvent = {
  /** What happened */
  readonly event: Open<'provider.health_changed'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** When it happened */
  readonly action_date: string;
  /** Your account */
  readonly merchant_account: string;
  /** Its provider */
  readonly provider: string;
  /** The contract */
  readonly contract: string;
  /** With this scheme alone; null: with all */
  readonly scheme: string | null;
  /** Does it get new payments as usual? */
  readonly takes_payments: boolean;
  /** What it was: closed (well), suspected, spread, half, open */
  readonly from: string;
  /** What it is */
  readonly to: string;
  /** What was seen, what a person of the account said, or what the operator tells its accounts */
  readonly reason: string;
};

export type TestEvent = {
  /** What happened */
  readonly event: Open<'test'>;
  /** Counts the events of the order from 1, without a gap, subscribed or not */
  readonly sequence: number;
  /** The last one meant for this endpoint: a gap is seen by it; null before the first */
  readonly previous_sequence: number | null;
  /** The request that made it happen, "" where none did */
  readonly request_id: string;
  /** When it happened */
  readonly action_date: string;
  /** Your account */
  readonly merchant_account: string;
};

/** What listPaymentLinks may be asked for. */
export type ListPaymentLinksQuery = {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
};

/** What listOrdersOfPaymentLink may be asked for. */
export type ListOrdersOfPaymentLinkQuery = {
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
};

/** What listOrders may be asked for. */
export type ListOrdersQuery = {
  readonly order_merchant_id?: string | null | undefined;
  readonly checkout_id?: string | null | undefined;
  readonly customer_id?: string | null | undefined;
  readonly status?: 'created' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined' | null | undefined;
  readonly currency?: string | null | undefined;
  readonly payin_partner?: string | null | undefined;
  readonly is_in_doubt?: 'true' | null | undefined;
  readonly created_from?: string | null | undefined;
  readonly created_to?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
};

/** What listNotifications may be asked for. */
export type ListNotificationsQuery = {
  readonly endpoint_id?: string | null | undefined;
  readonly order_id?: string | null | undefined;
  readonly event?: 'test' | 'risk_assessment_requested' | 'risk_assessment_approved' | 'risk_assessment_declined' | 'authentication_requested' | 'authentication_successful' | 'authentication_declined' | 'authorization_requested' | 'authorization_successful' | 'authorization_declined' | 'authorization_cancelled' | 'authorization_expired' | 'authorization_cancel_requested' | 'authorization_cancel_declined' | 'capture_requested' | 'capture_successful' | 'capture_declined' | 'refund_requested' | 'refund_successful' | 'refund_declined' | 'checkout.expired' | 'customer.updated' | 'dispute.opened' | 'dispute.updated' | 'dispute.due' | 'dispute.won' | 'dispute.lost' | 'order.contradicted' | 'order.retries_ended' | 'provider.health_changed' | null | undefined;
  readonly state?: 'waiting' | 'delivered' | 'parked' | null | undefined;
  readonly created_from?: string | null | undefined;
  readonly created_to?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
};

/** What readProviderBooks may be asked for. */
export type ReadProviderBooksQuery = {
  readonly order_id?: string | null | undefined;
  readonly order_merchant_id?: string | null | undefined;
  readonly reference?: string | null | undefined;
  readonly limit?: number | null | undefined;
  readonly cursor?: string | null | undefined;
};
