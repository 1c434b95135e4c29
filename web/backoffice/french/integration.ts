// Settings of the account, the hosted page and its preview.
export const INTEGRATION = {
  'How this account behaves towards your servers and your payers. Changes apply within a second.':
    'Comportement de ce compte envers vos serveurs et vos payeurs. Les changements s’appliquent dans la seconde.',
  'Settings saved': 'Réglages enregistrés',
  'Response timeouts': 'Délais de réponse',
  'How many seconds a response waits for the final outcome, {least} to {most}. A request can override it with the header Prefer: wait=N.':
    'Combien de secondes une réponse attend l’issue finale, de {least} à {most}. Une requête peut en décider autrement avec l’en-tête Prefer: wait=N.',
  'Card form in your pages': 'Formulaire de carte dans vos pages',
  '{count} settings changed': ['{count} réglage modifié', '{count} réglages modifiés'],
  Discard: 'Abandonner',
  'Payment API': 'API de paiement',
  Vault: 'Coffre-fort',
  'Browser script': 'Script du navigateur',
  'Style sheet': 'Feuille de style',
  'JavaScript class': 'Classe JavaScript',
  Addresses: 'Adresses',
  'Copy the address: {name}': 'Copier l’adresse : {name}',
  'This widens your PCI DSS scope': 'Cela élargit votre périmètre PCI DSS',
  'None (no_3ds)': 'Aucun (no_3ds)',
  'Ask (ask_3ds)': 'Demandé (ask_3ds)',
  'Always (force_3ds)': 'Toujours (force_3ds)',

  'Default 3-D Secure': '3-D Secure par défaut',
  'Used when neither the order nor the checkout sets it. Hosted pages always ask for it.':
    'Utilisé quand ni la commande ni le checkout ne l’indique. Les pages hébergées le demandent toujours.',
  '3-D Secure timeout': 'Délai 3-D Secure',
  'How long a payer may take to prove who they are, {least} to {most} minutes. After that the order is declined.':
    'Temps dont dispose un payeur pour s’authentifier, de {least} à {most} minutes. Ensuite, la commande est refusée.',
  'One paid order for each reference': 'Une seule commande payée par référence',
  'A second order with an order_merchant_id that already succeeded is refused. On, a mistake in your shop cannot charge twice.':
    'Une deuxième commande avec un order_merchant_id déjà abouti est rejetée. Ainsi, une erreur de votre boutique ne peut pas débiter deux fois.',
  'Ask for the cvc of saved cards': 'Demander le cvc des cartes enregistrées',
  'A payer who uses a saved card in your shop types its security code again. Fewer stolen accounts, a little more to type.':
    'Un payeur qui utilise une carte enregistrée dans votre boutique ressaisit son code de sécurité. Moins de comptes volés, un peu plus de saisie.',
  Wallets: 'Portefeuilles',
  'Google Pay': 'Google Pay',
  'Apple Pay': 'Apple Pay',
  'A simulated sheet, whose payload the vault opens as it opens a real one.':
    'Une feuille simulée, dont le coffre-fort ouvre le contenu comme celui d’un vrai portefeuille.',
  'Each is shown once the operator has set up this account for it.':
    'Chacun s’affiche dès que l’exploitant a configuré ce compte à cet effet.',
  'Receipts by mail': 'Reçus par e-mail',
  'A payer whose customer_email is known gets a receipt when their money is taken, and when it is given back, in their language. Orders made from now on.':
    'Un payeur dont le customer_email est connu reçoit un reçu dans sa langue au moment du débit, et à chaque remboursement. Pour les commandes à venir.',
  'Refuse unknown contracts': 'Rejeter les contrats inconnus',
  'An order that names an unknown merchant_contract is refused. Off, such a name is ignored and the usual route is taken.':
    'Une commande qui nomme un merchant_contract non configuré est rejetée. Désactivé, un tel nom est ignoré et la route habituelle est suivie.',
  'Risk score that marks an order suspicious': 'Score de risque à partir duquel une commande est suspecte',
  'A provider may give a score from 0 to 100 with its approval. From this one on the order says is_suspicious: look at it before you ship.':
    'Un prestataire peut joindre un score de 0 à 100 à son acceptation. À partir de celui-ci, la commande indique is_suspicious : examinez-la avant d’expédier.',
  'Routing and retries': 'Routage et nouvelles tentatives',
  'An order names its contract': 'Une commande nomme son contrat',
  'Where routing rules are in force: what a merchant_contract in a request means. Only this one holds without rules, too: no other contract is tried, however its provider is.':
    'Là où des règles de routage sont en vigueur : ce que veut dire un merchant_contract dans une requête. « Seulement celui-ci » vaut aussi sans règles : aucun autre contrat n’est essayé, quel que soit l’état de son prestataire.',
  'First, then as the rules say (first)': 'D’abord celui-ci, puis selon les règles (first)',
  'Only this one (only)': 'Seulement celui-ci (only)',
  'The rules decide (advice)': 'Les règles décident (advice)',
  'Try declined payments again later': 'Réessayer plus tard les paiements refusés',
  'Of payments without the payer that name no retry_policy: {tries} tries within {days} days, on paydays or after hours, as the bank and the card scheme let it.':
    'Pour les paiements sans le payeur qui ne nomment pas de retry_policy : {tries} tentatives en {days} jours, les jours de paie ou après quelques heures, selon ce que la banque et le réseau permettent.',
  'No (none)': 'Non (none)',
  'Yes (default)': 'Oui (default)',
  'Try another provider after a decline without a reason': 'Essayer un autre prestataire après un refus sans motif',
  'Of payments whose payer is there, once, at once, and only where the bank gave no reason and the card scheme does not advise against it. Some banks approve by another way; one that is asked twice in a second may see an attack.':
    'Pour les paiements en présence du payeur, une fois, tout de suite, et seulement si la banque n’a pas donné de motif et si le réseau ne le déconseille pas. Certaines banques acceptent par une autre voie ; une banque sollicitée deux fois en une seconde peut y voir une attaque.',
  'Limits of card schemes, without the payer': 'Limites des réseaux de cartes, sans le payeur',
  'A payment that would pass a limit of its card scheme, or that the scheme forbids, is held back: declined with 421081, and nothing is sent. Or it is sent and counted, and the scheme may charge a fee. Later tries are held back either way.':
    'Un paiement qui dépasserait une limite de son réseau, ou que le réseau interdit, est retenu : refusé avec 421081, et rien n’est envoyé. Ou bien il est envoyé et compté, et le réseau peut facturer des frais. Les tentatives ultérieures sont retenues dans les deux cas.',
  'Held back (hold)': 'Retenu (hold)',
  'Sent and counted (warn)': 'Envoyé et compté (warn)',
  'Limits of card schemes, with the payer': 'Limites des réseaux de cartes, avec le payeur',
  'The same of a payment whose payer is there. Holding back stops people who try out stolen cards; it also stops a payer who has just had their card unblocked.':
    'De même pour un paiement dont le payeur est présent. Retenir arrête ceux qui essaient des cartes volées ; cela arrête aussi un payeur qui vient de faire débloquer sa carte.',
  'Sent and counted (count)': 'Envoyé et compté (count)',
  Authorize: 'Autorisation',
  'With 0 an authorization is answered as requested at once, and its outcome follows by notification.':
    'Avec 0, une autorisation est aussitôt annoncée comme demandée, et son issue suit par notification.',
  'Direct capture': 'Capture directe',
  'Integrations that read only the first answer need it above 0.':
    'Les intégrations qui ne lisent que la première réponse ont besoin d’une valeur supérieure à 0.',
  Capture: 'Capture',
  'If still undecided: capture_requested, and a notification later.':
    'Si l’issue manque encore : capture_requested, et une notification plus tard.',
  Refund: 'Remboursement',
  'If still undecided: refund_requested, and a notification later.':
    'Si l’issue manque encore : refund_requested, et une notification plus tard.',
  'Cancel [noun]': 'Annulation',
  'If still undecided: authorization_cancel_requested, and a notification later.':
    'Si l’issue manque encore : authorization_cancel_requested, et une notification plus tard.',
  'Card inputs in your own page (old element)': 'Champs de carte dans votre propre page (ancien élément)',
  'Lets the first generation of the browser element read card fields of your page and post them to the vault. Leave it off unless an existing integration needs it.':
    'Permet à la première génération de l’élément de lire les champs de carte de votre page et de les envoyer au coffre-fort. Laissez désactivé sauf si une intégration existante en a besoin.',
  'Your page now touches card numbers: you answer the long questionnaire (SAQ A-EP or SAQ D of PCI DSS) instead of SAQ A, and every script of your page is in its scope. Hosted fields do the same without that.':
    'Votre page touche désormais des numéros de carte : vous répondez au long questionnaire (SAQ A-EP ou SAQ D de PCI DSS) au lieu du SAQ A, et chaque script de votre page entre dans le périmètre. Les champs hébergés font de même sans cela.',
  'Allowed origins': 'Origines autorisées',
  'Pages that may show the card fields, each as https://shop.example without a path. Empty: any https page, which is fine while you build and not in production.':
    'Pages qui peuvent afficher les champs de carte, chacune comme https://shop.example sans chemin. Vide : toute page https, ce qui convient au développement mais pas à la production.',
  'Allowed return URLs': 'URL de retour autorisées',
  'Hosts that accept_url, decline_url, cancel_url, pending_url and exception_url may name, each as shop.example. A checkout or order that names another is refused, and no payer is led to one that you take out of the list. Empty: any host.':
    'Hôtes que accept_url, decline_url, cancel_url, pending_url et exception_url peuvent nommer, chacun comme shop.example. Un checkout ou une commande qui en nomme un autre est rejeté, et aucun payeur n’est mené à un hôte que vous retirez de la liste. Vide : tout hôte.',
  'Refunds that take two people': 'Remboursements à deux personnes',
  'A refund in the back office that brings an order above this amount waits until a second person approves it; one line a currency. A currency that is not listed takes one person. Refunds by a private key are not held: give such a key no scope refunds instead.':
    'Un remboursement du back-office qui porte une commande au-dessus de ce montant attend l’approbation d’une deuxième personne ; une ligne par devise. Une devise absente de la liste ne demande qu’une personne. Les remboursements par clé privée ne sont pas retenus : ne donnez pas la portée refunds à une telle clé.',

  'Cannot be read: contrast {contrast} of the {least} needed. Empty: black or white.':
    'Illisible : contraste de {contrast} pour {least} requis. Vide : noir ou blanc.',
  'Hosted page': 'Page hébergée',
  'The page payers see when a checkout has type hosted_page.':
    'La page que voient les payeurs quand un checkout est de type hosted_page.',
  'Width of the preview': 'Largeur de l’aperçu',
  Desktop: 'Ordinateur',
  Phone: 'Téléphone',
  'Screen of the preview': 'Écran de l’aperçu',
  'Empty: the name of the account.': 'Vide : le nom du compte.',
  Colour: 'Couleur',
  'Of the button. It is made darker or lighter until it can be read.':
    'Du bouton. Elle est foncée ou éclaircie jusqu’à être lisible.',
  'Your side': 'Votre côté',
  'The ground behind your name, the amount and the order. Empty: made of the colour above.':
    'Le fond derrière votre nom, le montant et la commande. Vide : tiré de la couleur ci-dessus.',
  'Text on it': 'Texte dessus',
  'Empty: black or white, whichever can be read better.': 'Vide : noir ou blanc, selon le plus lisible.',
  'Note under the form': 'Note sous le formulaire',
  'Such as where to ask.': 'Par exemple où se renseigner.',
  Languages: 'Langues',
  'Each payer sees the one their checkout or browser asks for, or else the first. Empty: all of them.':
    'Chaque payeur voit celle que demande son checkout ou son navigateur, sinon la première. Vide : toutes.',
  'All [languages]': 'Toutes',
  'Offer to save the card': 'Proposer d’enregistrer la carte',
  'Payers with a customer_id may keep their card for next time.':
    'Les payeurs ayant un customer_id peuvent garder leur carte pour la prochaine fois.',
  Terms: 'Conditions',
  'Linked at the foot and above the pay button’s note.': 'Lien au pied de page et au-dessus de la note du bouton.',
  Privacy: 'Confidentialité',
  'Linked at the foot.': 'Lien au pied de page.',
  Help: 'Aide',
  'https, mailto: or tel:. Linked at the foot and on every end.':
    'https, mailto: ou tel:. Lien au pied de page et sur chaque page de fin.',
  Shop: 'Boutique',
  'The way back where a checkout names no return address.':
    'Le retour quand un checkout n’indique aucune adresse de retour.',
  '{label} link': 'Lien : {label}',
  'At most {size}: make it smaller.': 'Au plus {size} : réduisez-la.',
  'The picture is too large': 'L’image est trop grande',
  Logo: 'Logo',
  'The logo': 'Le logo',
  'Choose a picture': 'Choisir une image',
  'Preview of the hosted page of {name}': 'Aperçu de la page hébergée de {name}',
  'Coffee beans × 2': 'Café en grains × 2',
  Delivery: 'Livraison',
  English: 'Français',
  'Pay {name}': 'Payer {name}',
  'Test page: no money is moved.': 'Page de test : aucun argent n’est déplacé.',
  'Reference: cart-1881': 'Référence : cart-1881',
  'Order details': 'Détail de la commande',
  'Secured by Florin': 'Sécurisé par Florin',
  'Card number': 'Numéro de carte',
  'Expiry date': 'Date d’expiration',
  'MM / YY': 'MM / AA',
  'Security code': 'Code de sécurité',
  '3 digits': '3 chiffres',
  'Save this card for my next purchases': 'Enregistrer cette carte pour mes prochains achats',
  'Pay €42.50': 'Payer 42,50 €',
  'By paying you accept the terms of {name}.': 'En payant, vous acceptez les conditions de {name}.',
  'Pictures of order lines': 'Images des articles',
  'Hosts from which the hosted page shows the product_image_url of an order line, each as images.shop.example. The browser of the payer asks them for it. Empty: no pictures, and the page asks nobody else.':
    'Hôtes dont la page de paiement affiche le product_image_url d’un article, chacun sous la forme images.shop.example. Le navigateur du payeur les interroge. Vide : aucune image, et la page n’interroge personne d’autre.',
} as const;
