// The reasons of disputes, and the evidence against them (src/core/dispute/reasons.ts, evidence.ts).
export const EVIDENCE = {
  'Not made by the cardholder': 'Non effectué par le porteur',
  'The cardholder says that another person paid with the card.': 'Le porteur affirme qu’un tiers a payé avec la carte.',
  'A payment that was authenticated with 3-D Secure usually lies with the bank: say so. Else show that the cardholder took part: the same address, device or account as in earlier payments that were not disputed, proof of delivery or use, and what was written with them.':
    'Un paiement authentifié par 3-D Secure relève en général de la banque : indiquez-le. Sinon, montrez la participation du porteur : même adresse, même appareil ou même compte que pour des paiements antérieurs non contestés, preuve de livraison ou d’utilisation, et vos échanges.',
  'Not received': 'Non reçu',
  'The cardholder says that goods or services never came.':
    'Le porteur affirme n’avoir jamais reçu les biens ou services.',
  'A proof of delivery with carrier, tracking number and the address that was asked for; for a service, the day and what shows that it was used. If the promised day is still to come, say so.':
    'Une preuve de livraison avec transporteur, numéro de suivi et adresse demandée ; pour un service, le jour et ce qui montre qu’il a été utilisé. Si la date promise n’est pas encore arrivée, indiquez-le.',
  'Not as described': 'Non conforme à la description',
  'The cardholder says that what came was wrong, broken or false.':
    'Le porteur affirme que ce qu’il a reçu était erroné, abîmé ou contrefait.',
  'The description the cardholder saw, the return policy they agreed to, and that they did not send it back or took a replacement.':
    'La description que le porteur a vue, la politique de retour qu’il a acceptée, et l’absence de renvoi ou l’acceptation d’un remplacement.',
  'Refund not received': 'Remboursement non reçu',
  'The cardholder says that a refund was promised and did not come.':
    'Le porteur affirme qu’un remboursement promis n’est pas arrivé.',
  'The refund with its date and reference, if it was made; else the policy that shows that none was due, and where the cardholder agreed to it.':
    'Le remboursement avec sa date et sa référence, s’il a été fait ; sinon la politique montrant qu’aucun n’était dû, et où le porteur l’a acceptée.',
  'Subscription was cancelled': 'Abonnement résilié',
  'The cardholder says that they had cancelled before this payment.':
    'Le porteur affirme avoir résilié avant ce paiement.',
  'The terms of cancelling that the cardholder agreed to, that no cancellation came in time, and that the service was used afterwards.':
    'Les conditions de résiliation acceptées par le porteur, l’absence de résiliation à temps, et l’utilisation du service ensuite.',
  'Paid twice': 'Payé deux fois',
  'The cardholder says that one purchase was charged more than once.':
    'Le porteur affirme qu’un achat a été débité plus d’une fois.',
  'Both payments with what each was for, and the two receipts; if it was one purchase and you refunded one payment, the refund.':
    'Les deux paiements avec l’objet de chacun, et les deux reçus ; s’il s’agissait d’un seul achat et que vous avez remboursé un paiement, le remboursement.',
  'Wrong in processing': 'Erreur de traitement',
  'The bank says that amount, currency, account or authorization was wrong, or that the payment came late.':
    'La banque affirme que le montant, la devise, le compte ou l’autorisation était erroné, ou que le paiement est arrivé tard.',
  'The authorization code with amount, currency and time, and the receipt. If it really was wrong, accepting costs the least.':
    'Le code d’autorisation avec montant, devise et heure, et le reçu. En cas d’erreur réelle, accepter coûte le moins.',
  'Other reason': 'Autre motif',
  'The reason is none that is known here: read it, and ask the provider what the bank wants to see.':
    'Le motif n’est pas connu ici : lisez-le, et demandez au prestataire ce que la banque veut voir.',
  'What the payer bought, that they got it, and what was written with them.':
    'Ce que le payeur a acheté, la preuve qu’il l’a reçu, et vos échanges.',

  'What was sold': 'Ce qui a été vendu',
  'Goods or service, as the payer saw it described.': 'Bien ou service, tel que décrit au payeur.',
  'Name of the customer': 'Nom du client',
  'E-mail of the customer': 'E-mail du client',
  'IP address of the purchase': 'Adresse IP de l’achat',
  'From where the payer ordered.': 'D’où le payeur a commandé.',
  'Billing address': 'Adresse de facturation',
  'Log of use': 'Journal d’utilisation',
  'When and from where the customer signed in, downloaded or used it.':
    'Quand et d’où le client s’est connecté, a téléchargé ou utilisé.',
  Carrier: 'Transporteur',
  'Several: with commas between them.': 'Plusieurs : séparés par des virgules.',
  'Tracking number': 'Numéro de suivi',
  'Day of shipping': 'Jour d’expédition',
  'For example 3 March 2027.': 'Par exemple 3 mars 2027.',
  'Address it was sent to': 'Adresse d’envoi',
  'Day of the service': 'Jour du service',
  'Or from when to when it could be used.': 'Ou la période pendant laquelle il pouvait être utilisé.',
  'How the refund policy was shown': 'Présentation de la politique de remboursement',
  'Where, and before what the payer agreed.': 'Où, et avant quel accord du payeur.',
  'Why no refund is due': 'Pourquoi aucun remboursement n’est dû',
  'How the terms of cancelling were shown': 'Présentation des conditions de résiliation',
  'Why the subscription was not cancelled': 'Pourquoi l’abonnement n’était pas résilié',
  'The other payment': 'L’autre paiement',
  'Reference of the payment that this one seems to repeat.': 'Référence du paiement que celui-ci semble répéter.',
  'What each payment was for': 'Objet de chaque paiement',
  'In your words': 'Dans vos mots',
  'What happened, with dates. The bank reads this first.':
    'Ce qui s’est passé, avec les dates. La banque lit ceci en premier.',
  'What the payer was sent.': 'Ce qui a été envoyé au payeur.',
  'Messages with the customer': 'Échanges avec le client',
  'What helps your case only.': 'Seulement ce qui appuie votre dossier.',
  Signature: 'Signature',
  'Proof of delivery': 'Preuve de livraison',
  'With the address, where the scheme asks for it.': 'Avec l’adresse, là où le réseau la demande.',
  'Proof of the service': 'Preuve du service',
  'A signed contract, a work order.': 'Un contrat signé, un bon de travail.',
  'Refund policy': 'Politique de remboursement',
  'As it was shown.': 'Telle que présentée.',
  'Terms of cancelling': 'Conditions de résiliation',
  'As they were shown.': 'Telles que présentées.',
  'Receipt of the other payment': 'Reçu de l’autre paiement',
  'Anything else': 'Autre document',
} as const;
