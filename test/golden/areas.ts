// The areas of the transcript, a file each under transcript/.
import type { Area } from './stage.ts';
import { authentication } from './areas/authentication.ts';
import { backoffice } from './areas/backoffice.ts';
import { cards } from './areas/cards.ts';
import { checkout } from './areas/checkout.ts';
import { contradictions } from './areas/contradictions.ts';
import { customers } from './areas/customers.ts';
import { disputes } from './areas/disputes.ts';
import { door } from './areas/door.ts';
import { doubt } from './areas/doubt.ts';
import { hostedPage } from './areas/hosted-page.ts';
import { maintenance } from './areas/maintenance.ts';
import { notifications } from './areas/notifications.ts';
import { order } from './areas/order.ts';
import { pages } from './areas/pages.ts';
import { people } from './areas/people.ts';
import { risk } from './areas/risk.ts';
import { roles } from './areas/roles.ts';
import { sandbox } from './areas/sandbox.ts';
import { vault } from './areas/vault.ts';

export const AREAS: readonly Area[] = [
  pages,
  door,
  checkout,
  vault,
  order,
  maintenance,
  cards,
  authentication,
  hostedPage,
  customers,
  notifications,
  doubt,
  contradictions,
  disputes,
  risk,
  sandbox,
  roles,
  backoffice,
  people,
];
