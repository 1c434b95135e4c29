// Written by `npm run docs` from the tables in src; not to be edited.

/** Every route of the payment API that a merchant calls, by the name it has in openapi.json. */
export const ROUTES = {
  createCheckout: ['POST', '/payment/checkout'],
  readCheckout: ['GET', '/payment/checkout/{checkout_id}'],
  createPaymentLink: ['POST', '/payment/link'],
  listPaymentLinks: ['GET', '/payment/link'],
  changePaymentLink: ['POST', '/payment/link/{link_id}'],
  readPaymentLink: ['GET', '/payment/link/{link_id}'],
  listOrdersOfPaymentLink: ['GET', '/payment/link/{link_id}/order'],
  createOrder: ['POST', '/payment/order'],
  listOrders: ['GET', '/payment/order'],
  retryOrder: ['PUT', '/payment/order/{order_id}'],
  readOrder: ['GET', '/payment/order/{order_id}'],
  stopRetries: ['DELETE', '/payment/order/{order_id}/retry'],
  captureOrder: ['POST', '/payment/maintenance/capture/{order_id}'],
  refundOrder: ['POST', '/payment/maintenance/refund/{order_id}'],
  cancelOrder: ['POST', '/payment/maintenance/cancel/{order_id}'],
  readCustomer: ['GET', '/payment/information/{customer_id}'],
  removeSavedCards: ['DELETE', '/payment/information/id'],
  createEndpoint: ['POST', '/notification/endpoint'],
  listEndpoints: ['GET', '/notification/endpoint'],
  deleteEndpoint: ['DELETE', '/notification/endpoint/{endpoint_id}'],
  testEndpoint: ['POST', '/notification/endpoint/{endpoint_id}/test'],
  activateEndpoint: ['POST', '/notification/endpoint/{endpoint_id}/activate'],
  rotateEndpointSecret: ['POST', '/notification/endpoint/{endpoint_id}/secret'],
  listNotifications: ['GET', '/notification'],
  replayNotification: ['POST', '/notification/{notification_id}/replay'],
  replayNotifications: ['POST', '/notification/replay'],
  readSandboxClock: ['GET', '/sandbox/clock'],
  advanceSandboxClock: ['POST', '/sandbox/clock/advance'],
  armScenario: ['POST', '/sandbox/scenario'],
  listScenarios: ['GET', '/sandbox/scenario'],
  removeScenarios: ['DELETE', '/sandbox/scenario'],
  readProviderBooks: ['GET', '/sandbox/provider/books'],
  listSandboxCards: ['GET', '/sandbox/cards'],
} as const;

export type RouteName = keyof typeof ROUTES;

/** Those of the vault: apart, so that a server which only pays has no way to it. */
export const VAULT_ROUTES = {
  tokenizeCard: ['POST', '/token'],
} as const;
