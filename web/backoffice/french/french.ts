// The back office in French, as people of the trade write it, with vous. The words that decide:
//   authorization autorisation · capture capture · refund remboursement · cancel annuler · decline refuser · dispute litige
//   charged back contesté · outcome unknown issue inconnue · in doubt en attente d’une réponse du prestataire
//   provider prestataire · contract contrat · order commande · payer payeur · cardholder porteur · issuer émetteur
//   reconciliation rapprochement · settlement règlement · retry nouvelle tentative · risk rule règle de risque
//   key clé · scope portée · endpoint point de réception · merchant account compte marchand · viewer lecteur
// Before : ; ! ? % and inside of « » a plain space is written here; texts.ts makes it one at which no line breaks.
import type { Catalogue } from '../base/languages.ts';
import { FIRST } from './first.ts';
import { REST } from './rest.ts';

/** All of it, by the folder in which a text stands first. */
export const FRENCH: Catalogue = { ...FIRST, ...REST };
