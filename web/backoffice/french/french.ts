// The back office in French, as people of the trade write it, with vous. The words that decide:
//   authorization autorisation · capture capture · refund remboursement · cancel annuler · decline refuser · dispute litige
//   charged back contesté · outcome unknown issue inconnue · in doubt en attente d’une réponse du prestataire
//   provider prestataire · contract contrat · order commande · payer payeur · cardholder porteur · issuer émetteur
//   reconciliation rapprochement · settlement règlement · retry nouvelle tentative · risk rule règle de risque
//   key clé · scope portée · endpoint point de réception · merchant account compte marchand · viewer lecteur
// Before : ; ! ? % and inside of « » a plain space is written here; texts.ts makes it one at which no line breaks.
import type { Catalogue } from '../base/languages.ts';
import { ACCOUNT } from './account.ts';
import { CODES } from './codes.ts';
import { DISPUTES } from './disputes.ts';
import { EVIDENCE } from './evidence.ts';
import { FRAME } from './frame.ts';
import { INTEGRATION } from './integration.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { ORDER } from './order.ts';
import { ORDERS } from './orders.ts';
import { OVERVIEW } from './overview.ts';
import { PEOPLE } from './people.ts';
import { PROVIDERS } from './providers.ts';
import { REPORTS } from './reports.ts';
import { RESULTS } from './results.ts';
import { RISK } from './risk.ts';
import { SANDBOX } from './sandbox.ts';
import { SELLING } from './selling.ts';
import { STATES } from './states.ts';

/** By the folder in which a text stands first. */
export const FRENCH: Catalogue = {
  ...ACCOUNT,
  ...CODES,
  ...DISPUTES,
  ...EVIDENCE,
  ...FRAME,
  ...INTEGRATION,
  ...NOTIFICATIONS,
  ...ORDER,
  ...ORDERS,
  ...OVERVIEW,
  ...PEOPLE,
  ...PROVIDERS,
  ...REPORTS,
  ...RESULTS,
  ...RISK,
  ...SANDBOX,
  ...SELLING,
  ...STATES,
};
