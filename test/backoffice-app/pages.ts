// Every page of the back office's web app, and what stands there with data.
export const PAGES = [
  ['overview', '/', 'Overview'],
  ['orders', '/orders', 'Orders'],
  ['order', '/orders/ORDER', 'cart-shown'],
  ['in-doubt', '/in-doubt', 'Outcome unknown'],
  ['customers', '/customers', 'Customers'],
  ['customer', '/customers/grace', 'grace'],
  ['providers', '/providers', 'Providers'],
  ['risk', '/risk', 'Routing and risk'],
  ['notifications', '/notifications', 'Notifications'],
  ['keys', '/keys', 'API keys'],
  ['integration', '/integration', 'Integration'],
  ['team', '/team', 'Team'],
  ['audit', '/audit', 'Audit log'],
  ['sandbox', '/sandbox', 'Sandbox'],
  ['me', '/me', 'Password and security'],
  ['unknown', '/no/such/page', 'Page not found'],
] as const;
