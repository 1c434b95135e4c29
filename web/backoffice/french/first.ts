// The back office in French, in the words of the trade and with vous. The words that decide:
//   authorization autorisation · capture capture · refund remboursement · cancel annuler · decline refuser
//   dispute litige · charged back contesté · outcome unknown issue inconnue
//   in doubt en attente d’une réponse du prestataire
//   provider prestataire · contract contrat · order commande · payer payeur · cardholder porteur · issuer émetteur
//   reconciliation rapprochement · settlement règlement · retry nouvelle tentative · risk rule règle de risque
//   key clé · scope portée · endpoint point de réception · merchant account compte marchand · viewer lecteur
// Before : ; ! ? % and inside of « » a plain space is written here; `spaced` (src/core/payer) makes it
// one at which no line breaks.
// This file has the texts of the sign-in and the overview, and the server's own words. It is loaded with the app.
import type { Catalogue } from '../base/languages.ts';
import { CODES } from './codes.ts';
import { FRAME } from './frame.ts';
import { OVERVIEW } from './overview.ts';
import { RESULTS } from './results.ts';
import { STATES } from './states.ts';

export const FIRST: Catalogue = { ...CODES, ...FRAME, ...OVERVIEW, ...RESULTS, ...STATES };
