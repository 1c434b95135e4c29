// The texts of all further pages: loaded before the first of them.
import type { Catalogue } from '../base/languages.ts';
import { ACCOUNT } from './account.ts';
import { DISPUTES } from './disputes.ts';
import { EVIDENCE } from './evidence.ts';
import { INTEGRATION } from './integration.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { ORDER } from './order.ts';
import { ORDERS } from './orders.ts';
import { PEOPLE } from './people.ts';
import { PROVIDERS } from './providers.ts';
import { REPORTS } from './reports.ts';
import { RISK } from './risk.ts';
import { SANDBOX } from './sandbox.ts';
import { SELLING } from './selling.ts';

export const REST: Catalogue = {
  ...ACCOUNT,
  ...DISPUTES,
  ...EVIDENCE,
  ...INTEGRATION,
  ...NOTIFICATIONS,
  ...ORDER,
  ...ORDERS,
  ...PEOPLE,
  ...PROVIDERS,
  ...REPORTS,
  ...RISK,
  ...SANDBOX,
  ...SELLING,
};
