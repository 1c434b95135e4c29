// Passkeys and single sign-on.
import type { Catalogue } from '../base/languages.ts';

export const SIGN_IN: Catalogue = {
  'No passkey was used. Try again, or take another way.':
    'Aucune clé d’accès n’a été utilisée. Réessayez, ou prenez une autre voie.',
  'This device has a passkey for you already.': 'Cet appareil a déjà une clé d’accès pour vous.',
  'It is known that it is you. Go on.': 'Votre identité est confirmée. Continuez.',
  'Use a passkey': 'Utiliser une clé d’accès',
  'Sign in with a passkey': 'Se connecter avec une clé d’accès',
  'Use a passkey instead': 'Utiliser plutôt une clé d’accès',
  Passkeys: 'Clés d’accès',
  'Sign in with your fingerprint, face or security key, without a password. No page of somebody else can ask for one.':
    'Connectez-vous avec votre empreinte, votre visage ou une clé de sécurité, sans mot de passe. Aucune page étrangère ne peut en demander une.',
  'Passkeys need the back office at a name with https. This one has none.':
    'Les clés d’accès demandent un back-office joint par un nom et en https. Celui-ci n’en a pas.',
  'Turn on two-factor authentication first: its codes are the way back when a passkey is lost.':
    'Activez d’abord l’authentification à deux facteurs : ses codes sont le recours quand une clé d’accès est perdue.',
  'This browser has no passkeys.': 'Ce navigateur ne connaît pas les clés d’accès.',
  'Passkeys work at {place}.': 'Les clés d’accès fonctionnent à l’adresse {place}.',
  'Add a passkey': 'Ajouter une clé d’accès',
  'On your other devices, too': 'Aussi sur vos autres appareils',
  'You can sign in with the passkey now': 'Vous pouvez désormais vous connecter avec la clé d’accès',
  'So that you know it again in the list.': 'Pour la reconnaître dans la liste.',
  'It opens nothing here any more. Remove it on your device, too.':
    'Elle n’ouvre plus rien ici. Supprimez-la aussi sur votre appareil.',
  'Continue at {host}': 'Continuer sur {host}',
  'Single sign-on': 'Authentification unique',
  'Set up single sign-on': 'Configurer l’authentification unique',
  'On [single sign-on]': 'Activée',
  'Off [single sign-on]': 'Désactivée',
  'You are not signed in': 'Vous n’êtes pas connecté',
  'People sign in at your company’s provider of identities (OpenID Connect).':
    'La connexion se fait chez le fournisseur d’identité de votre entreprise (OpenID Connect).',
  'Owners always have a way in': 'Les propriétaires gardent toujours un accès',
  'Owners can always sign in with their password and second factor, also when the provider is away or passwords are off for everybody else. Keep at least two owners, and their recovery codes where you find them.':
    'Les propriétaires peuvent toujours se connecter avec leur mot de passe et leur second facteur, même quand le fournisseur ne répond pas ou que les mots de passe sont désactivés pour les autres. Gardez au moins deux propriétaires, et leurs codes de secours en lieu sûr.',
  'Identity provider': 'Fournisseur d’identité',
  'None is set up: people sign in with passwords and passkeys.':
    'Aucun n’est configuré : la connexion se fait par mot de passe et clé d’accès.',
  'An owner changes it: whoever names the provider says who everybody is.':
    'Seul un propriétaire peut le modifier : qui désigne le fournisseur décide qui est qui.',
  'What the provider needs to know': 'Ce que le fournisseur doit savoir',
  'Register Florin there as a confidential web client for the authorization code with PKCE, scopes openid, email and profile.':
    'Déclarez-y Florin comme client web confidentiel, avec code d’autorisation et PKCE, portées openid, email et profile.',
  'Redirect address': 'Adresse de redirection',
  'the redirect address': 'l’adresse de redirection',
  'Address after signing out': 'Adresse après la déconnexion',
  'the address after signing out': 'l’adresse après la déconnexion',
  'A session ends after 15 minutes without use, and after 12 hours in any case: so long somebody who is removed at the provider may stay in. Remove them from the team, or end their sessions there, and they are out at once.':
    'Une session prend fin après 15 minutes sans activité, et au plus tard après 12 heures : une personne retirée chez le fournisseur peut rester connectée jusque-là. Retirez-la de l’équipe, ou mettez-y fin à ses sessions, et elle est déconnectée aussitôt.',
  'Client id': 'Identifiant client',
  'Client secret': 'Secret client',
  Domains: 'Domaines',
  'Passwords and passkeys': 'Mots de passe et clés d’accès',
  'Open the account, too': 'Ouvrent aussi le compte',
  'Open it for owners alone': 'L’ouvrent aux seuls propriétaires',
  'Who was not invited': 'Personne non invitée',
  'Is refused': 'Refusée',
  'Joins as {role}': 'Rejoint comme {role}',
  'Single sign-on was changed': 'L’authentification unique a été modifiée',
  Issuer: 'Émetteur (issuer)',
  'The address under which the provider publishes its configuration.':
    'L’adresse sous laquelle le fournisseur publie sa configuration.',
  'Kept as it is where you leave it empty; it is never shown.':
    'Inchangé si vous le laissez vide ; il n’est jamais affiché.',
  'Of the e-mail addresses whose people sign in there.': 'Des adresses e-mail dont les titulaires s’y connectent.',
  'Passwords and passkeys open the account, too': 'Les mots de passe et clés d’accès ouvrent aussi le compte',
  'Switched off they open it for owners alone.': 'Désactivés, ils ne l’ouvrent qu’aux propriétaires.',
  'Single sign-on was removed': 'L’authentification unique a été supprimée',
  'Remove single sign-on': 'Supprimer l’authentification unique',
  'Who came in by it is signed out at once. Passwords open the account again.':
    'Qui est entré par ce moyen est déconnecté aussitôt. Les mots de passe ouvrent de nouveau le compte.',
};
