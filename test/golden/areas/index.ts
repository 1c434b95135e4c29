// The areas of the transcript, a file each under transcript/.
import type { Area } from '../stage.ts';
import { authentication } from './authentication.ts';
import { backoffice } from './backoffice.ts';
import { cards } from './cards.ts';
import { checkout } from './checkout.ts';
import { contradictions } from './contradictions.ts';
import { customers } from './customers.ts';
import { disputes } from './disputes.ts';
import { door } from './door.ts';
import { doubt } from './doubt.ts';
import { hostedPage } from './hosted-page.ts';
import { maintenance } from './maintenance.ts';
import { notifications } from './notifications.ts';
import { order } from './order.ts';
import { pages } from './pages.ts';
import { people } from './people.ts';
import { risk } from './risk.ts';
import { roles } from './roles.ts';
import { sandbox } from './sandbox.ts';
import { vault } from './vault.ts';

export const AREAS: readonly Area[] = [
  ...[pages, door, checkout, vault, order, maintenance, cards, authentication, hostedPage, customers],
  ...[notifications, doubt, contradictions, disputes, risk, sandbox, roles, backoffice, people],
];
