// Routing that learns, and experiments.
export const LEARNING = {
  'Best of': 'Le meilleur',
  'Best of {contracts} by success': 'Le meilleur de {contracts}, par succès',
  'Contracts, in the order that holds until enough is known':
    'Contrats, dans l’ordre qui vaut tant que trop peu est connu',
  'Each gets at least': 'Chacun reçoit au moins',
  'Else nothing is learnt of it': 'Sinon rien n’en est appris',
  'Control group': 'Groupe témoin',
  'Keeps the order above, to compare with': 'Garde l’ordre ci-dessus, pour comparer',
  'Best of: {rule}': 'Le meilleur : {rule}',
  'Shares by success, worked out once a minute. The control group keeps the order of the rule.':
    'Parts par succès, calculées chaque minute. Le groupe témoin garde l’ordre de la règle.',
  'Learn again': 'Apprendre de nouveau',
  'Stopped by itself': 'Arrêtée d’elle-même',
  'Payments go in the order of the rule.': 'Les paiements suivent l’ordre de la règle.',
  'Not enough is known yet': 'Trop peu est encore connu',
  'The contract with the fewest outcomes has {missing} of the {needed} that are needed. Until then the order of the rule holds.':
    'Le contrat qui a le moins de résultats en a {missing} sur les {needed} nécessaires. Jusque-là, l’ordre de la règle vaut.',
  'Control group: {control}. All others: {others}.': 'Groupe témoin : {control}. Tous les autres : {others}.',
  'All payments': 'Tous les paiements',
  'All others': 'Tous les autres',
  'Let {rule} learn again': 'Laisser {rule} apprendre de nouveau',
  '{rule} learns again': '{rule} apprend de nouveau',
  'Its control group is compared anew from the next hour on.':
    'Son groupe témoin est comparé de nouveau à partir de l’heure suivante.',
  'First by the rule': 'Premier selon la règle',
  'nothing seen yet': 'rien vu encore',
  '{rate} of {tried} approved': '{rate} de {tried} acceptés',

  'About {rate} of first attempts would have been approved, in 95 of 100 cases between {from} and {to}; {then} were.':
    'Environ {rate} des premières tentatives auraient été acceptées, dans 95 cas sur 100 entre {from} et {to} ; {then} l’ont été.',
  'No payment of these days says anything of what would have been approved.':
    'Aucun paiement de ces jours ne dit ce qui aurait été accepté.',
  '{share} of the payments would go where none of theirs was sent.':
    '{share} des paiements iraient là où aucun des leurs n’est allé.',
  'The payments that went this way are worth {effective}, and {needed} are needed.':
    'Les paiements passés par là en valent {effective}, et il en faut {needed}.',
  'What would have been approved cannot be told.': 'On ne peut dire ce qui aurait été accepté.',
  'A rule that sends {share} there takes about {needed} payments until it can be told.':
    'Une règle qui y envoie {share} demande environ {needed} paiements avant qu’on puisse le dire.',

  'Two published versions of the routing rules, on live orders. Some go by the other version, the rest by the one in force; the difference is told from chance.':
    'Deux versions publiées des règles de routage, sur des commandes réelles. Les unes suivent l’autre version, le reste celle en vigueur ; la différence est distinguée du hasard.',
  'Compare versions': 'Comparer des versions',
  'Nothing compared yet': 'Rien n’a encore été comparé',
  'Publish the rules you want to try, roll back to the present ones, and compare both versions here.':
    'Publiez les règles à essayer, revenez aux règles actuelles, puis comparez ici les deux versions.',
  'The rules in force are better': 'Les règles en vigueur sont meilleures',
  'The other version is better': 'L’autre version est meilleure',
  'No difference was found': 'Aucune différence n’a été trouvée',
  'Each order stays in its group': 'Chaque commande reste dans son groupe',
  'Each customer stays in its group': 'Chaque client reste dans son groupe',
  'Each card stays in its group': 'Chaque carte reste dans son groupe',
  'decided once, at its end': 'décidée une fois, à la fin',
  'may be decided any day': 'peut être décidée chaque jour',
  'Experiment {number}': 'Expérience {number}',
  'Begun {at} by {who}: {reason}': 'Commencée {at} par {who} : {reason}',
  'Stop experiment {number}': 'Arrêter l’expérience {number}',
  Running: 'En cours',
  'Until {at}': 'Jusqu’au {at}',
  'Ended {at} by {who}: {reason}': 'Terminée {at} par {who} : {reason}',
  'What is missing until a verdict': 'Ce qui manque avant un verdict',
  Group: 'Groupe',
  Share: 'Part',
  'Decided orders': 'Commandes décidées',
  'In 95 of 100 cases': 'Dans 95 cas sur 100',
  'The other version less the one in force: {from} to {to} points.':
    'L’autre version moins celle en vigueur : {from} à {to} points.',
  'Experiment {number} has ended': 'L’expérience {number} est terminée',
  'Every order goes by the rules in force from now on. It cannot be continued.':
    'Toute commande suit désormais les règles en vigueur. Elle ne peut être reprise.',
  'In force (version {version})': 'En vigueur (version {version})',
  'Other (version {version})': 'Autre (version {version})',
  '{from} to {to}': '{from} à {to}',
  'Experiment begun': 'Expérience commencée',
  'Compare with version {version}, which is in force': 'Comparer avec la version {version}, en vigueur',
  '{count} rules': ['{count} règle', '{count} règles'],
  Begin: 'Commencer',
  'Other version': 'Autre version',
  'Orders that go by it': 'Commandes qui la suivent',
  'Days at most': 'Jours au plus',
  'Stays in one group': 'Reste dans un groupe',
  'An order': 'Une commande',
  'When it is decided': 'Quand elle est décidée',
  'As soon as it is plain': 'Dès que c’est clair',
  'Once, at its end': 'Une fois, à la fin',
  'Kept with the experiment and in the audit log.': 'Gardée avec l’expérience et dans le journal d’audit.',
} as const;
