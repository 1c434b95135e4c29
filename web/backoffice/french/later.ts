// Later tries of declined payments: the page Retries, and what an order says of its own.
export const LATER = {
  'The card scheme said when': 'Le réseau de carte a dit quand',
  'Not enough money: some days later': 'Provision insuffisante : quelques jours plus tard',
  'Trouble of the provider: in hours': 'Incident du prestataire : dans quelques heures',
  'Declined without a reason: in days': 'Refus sans motif : dans quelques jours',
  'Stop later tries of {reference}': 'Arrêter les nouvelles tentatives de {reference}',
  'Stop later tries': 'Arrêter les nouvelles tentatives',
  Stopped: 'Arrêté',
  '{reference} stays declined and is not tried again. The shop is told by order.retries_ended. This cannot be undone.':
    '{reference} reste refusé et n’est plus retenté. La boutique en est avertie par order.retries_ended. C’est irréversible.',
  'A later try is under way': 'Une nouvelle tentative est en cours',
  'This payment is tried again later': 'Ce paiement sera retenté plus tard',
  'Next try {when}.': 'Prochaine tentative {when}.',
  '{made} of {tries} made': '{made} sur {tries}',
  'Declined payments without the payer that are tried again later, where their request asked for it.':
    'Paiements refusés en l’absence du payeur, retentés plus tard lorsque leur requête l’a demandé.',
  'Recovered in {days} days': 'Récupéré en {days} jours',
  'Not recovered in {days} days': 'Non récupéré en {days} jours',
  'Nothing yet': 'Rien encore',
  'Nothing is planned': 'Rien n’est prévu',
  'Still to be tried': 'Encore à tenter',
  Planned: 'Prévues',
  'The next one first. The payer is not told of a try.':
    'La prochaine d’abord. Le payeur n’est pas averti d’une tentative.',
  'A declined renewal with retry_policy default appears here, unless nothing can come of another try.':
    'Un renouvellement refusé avec retry_policy default apparaît ici, sauf si une autre tentative est vaine.',
  'Only the first 100 are shown; the sums are of all.':
    'Seules les 100 premières sont affichées ; les sommes portent sur toutes.',
  'Only the last 100 are shown; the sums are of all.':
    'Seules les 100 dernières sont affichées ; les sommes portent sur toutes.',
  'In the last {days} days, the last one first.': 'Des {days} derniers jours, la dernière d’abord.',
  'None has ended': 'Aucune n’est terminée',
  'Why they ended': 'Pourquoi elles se sont terminées',
  'Next try': 'Prochaine tentative',
  Why: 'Pourquoi',
  Tries: 'Tentatives',
  Recovered: 'Récupéré',
  'Not recovered': 'Non récupéré',
  '{made} of {tries}': '{made} sur {tries}',
  'Later tries ended': 'Nouvelles tentatives terminées',

  // why they ended, as the server says it
  'A later try was approved': 'Une nouvelle tentative a été acceptée',
  'The bank or the card scheme said never to try this card again':
    'La banque ou le réseau de carte interdit de retenter cette carte',
  'The payer must come: authenticate, or correct the card':
    'Le payeur doit intervenir : s’authentifier ou corriger la carte',
  'Another try would be declined in the same way': 'Une autre tentative serait refusée de la même façon',
  "A limit of the card's scheme is reached": 'Une limite du réseau de la carte est atteinte',
  'All tries of the policy are made': 'Toutes les tentatives prévues sont faites',
  'The days of the policy are over': 'Le délai prévu est écoulé',
  'The card expires before the next try': 'La carte expire avant la prochaine tentative',
  'The saved card was removed': 'La carte enregistrée a été supprimée',
  'Another order with the same order_merchant_id was paid, or is being paid':
    'Une autre commande avec le même order_merchant_id a été payée, ou est en cours de paiement',
  'Your own risk rules or routing refused the try': 'Vos règles de risque ou votre routage ont refusé la tentative',
  'The order was cancelled': 'La commande a été annulée',
  'You tried the order again yourself': 'Vous avez retenté la commande vous-même',
  'You stopped it': 'Vous l’avez arrêtée',
  'A person stopped it in the back office': 'Une personne l’a arrêtée dans le back-office',
  'A provider contradicts what is known of the order, or a person had to decide':
    'Un prestataire contredit ce que l’on sait de la commande, ou une personne a dû trancher',
} as const;
