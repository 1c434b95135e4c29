// Settings of a merchant account (contract 1.3): name, default, meaning. Stored sparsely: what is absent is the default.

export type Settings = {
  readonly page_inputs: boolean;
  readonly registered_origins: readonly string[];
  readonly strict_contract: boolean;
  readonly require_cvc_for_saved_cards: boolean;
  readonly default_authentication_indicator: 'no_3ds' | 'ask_3ds' | 'force_3ds';
  readonly wait_authorize: number;
  readonly wait_direct_capture: number;
  readonly wait_capture: number;
  readonly wait_refund: number;
  readonly wait_cancel: number;
  readonly unique_order_merchant_id: boolean;
};

export const DEFAULT_SETTINGS: Settings = {
  page_inputs: false,
  registered_origins: [],
  strict_contract: false,
  require_cvc_for_saved_cards: false,
  default_authentication_indicator: 'no_3ds',
  wait_authorize: 0,
  wait_direct_capture: 10,
  wait_capture: 10,
  wait_refund: 10,
  wait_cancel: 10,
  unique_order_merchant_id: false,
};
