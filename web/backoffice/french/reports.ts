// Reports.
export const REPORTS = {
  Captures: 'Captures',
  Refunds: 'Remboursements',
  Bookings: 'Écritures',
  'Excel (XLSX)': 'Excel (XLSX)',
  Once: 'Une fois',
  'Every day': 'Chaque jour',
  'Every week, from Monday': 'Chaque semaine, à partir du lundi',
  'Every month': 'Chaque mois',
  'The report is being made': 'Le rapport est en cours de création',
  'The report is scheduled': 'Le rapport est programmé',
  'Make report': 'Créer le rapport',
  'Of what': 'Contenu',
  Form: 'Format',
  'How often': 'Fréquence',
  'First day': 'Premier jour',
  'Last day': 'Dernier jour',
  'Time zone': 'Fuseau horaire',
  'Its days are counted, and its times stand in the file.':
    'Ses jours sont pris en compte, et ses heures figurent dans le fichier.',
  'Files of orders, captures, refunds, disputes and bookings, made once or by a schedule.':
    'Fichiers de commandes, captures, remboursements, litiges et écritures, créés une fois ou à intervalles réguliers.',
  'Being made': 'En cours de création',
  Ready: 'Prêt',
  Failed: 'Échec',
  'No longer kept': 'Plus conservé',
  'JSON lines': 'Lignes JSON',
  Excel: 'Excel',
  Made: 'Créés',
  "Kept {days} days, {used} of {most} in use. A report has at most {rows} rows. In the column fee_estimated is what a payment costs by the fees that you stated (Providers, Fees); in fee_settled what the provider's own report says that it took. Empty: not known.":
    'Conservés {days} jours, {used} utilisés sur {most}. Un rapport compte au plus {rows} lignes. La colonne fee_estimated donne ce qu’un paiement coûte d’après les frais que vous avez indiqués (Prestataires, Frais) ; fee_settled, ce que le prestataire dit avoir prélevé dans son propre relevé. Vide : inconnu.',
  'No reports yet': 'Aucun rapport pour l’instant',
  'A new one is made in the background; you need not wait for it.':
    'Un nouveau rapport est créé en arrière-plan ; inutile d’attendre.',
  Report: 'Rapport',
  'From, to': 'Du, au',
  Rows: 'Lignes',
  '{from_local} to {to_local}': '{from_local} au {to_local}',
  'Download {name}, {size}': 'Télécharger {name}, {size}',
  'Download or delete': 'Télécharger ou supprimer',
  'Report deleted': 'Rapport supprimé',
  'Delete {name}': 'Supprimer {name}',
  Delete: 'Supprimer',
  'The file is gone at once. That it was made stays in this list.':
    'Le fichier disparaît aussitôt. La mention de sa création reste dans cette liste.',
  'Schedule removed': 'Programmation supprimée',
  Scheduled: 'Programmés',
  'Each is made an hour after its day, week or month has ended.':
    'Chacun est créé une heure après la fin de son jour, de sa semaine ou de son mois.',
  'Nothing is scheduled': 'Rien n’est programmé',
  'Choose daily, weekly or monthly for a new report.':
    'Choisissez une fréquence journalière, hebdomadaire ou mensuelle pour un nouveau rapport.',
  Every: 'Fréquence',
  Next: 'Prochain',
  'Remove {name}': 'Supprimer {name}',
  'No more of them are made. What was made stays until its days are over.':
    'Il n’en sera plus créé. Ceux qui existent restent jusqu’à la fin de leur durée de conservation.',
} as const;
