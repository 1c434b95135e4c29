// The words of the frame and of the login in two languages; the pages themselves speak English. Kept in the browser.
const EN = {
  skip: 'Skip to the content',
  menu: 'Menu',
  pages: 'Pages',
  sandbox: 'Sandbox: no real money moves here',
  account: 'Account',
  accounts: 'Merchant accounts',
  person: 'You',
  me: 'Password and security',
  leave: 'Sign out',
  other: { code: 'fr', name: 'Français' },
  schemes: { light: 'Light', dark: 'Dark', auto: 'As the device' },
  groups: { payments: 'Payments', setup: 'Set-up', account: 'Account' },
  nav: {
    overview: 'Overview',
    orders: 'Orders',
    in_doubt: 'In doubt',
    customers: 'Customers',
    providers: 'Providers',
    risk: 'Routing and risk',
    notifications: 'Notifications',
    keys: 'API keys',
    integration: 'Integration',
    team: 'Team',
    audit: 'Audit',
    sandbox: 'Sandbox',
  },
  login: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    submit: 'Sign in',
    code: 'Code',
    code_title: 'Second step',
    code_lead: 'Enter the six digits that your authenticator shows.',
    recovery: 'Use a recovery code instead',
    recovery_label: 'Recovery code',
    authenticator: 'Use the authenticator instead',
    verify: 'Verify',
    back: 'Back',
  },
};

export type Texts = typeof EN;

const FR: Texts = {
  skip: 'Aller au contenu',
  menu: 'Menu',
  pages: 'Pages',
  sandbox: 'Bac à sable : aucun argent réel ne circule ici',
  account: 'Compte',
  accounts: 'Comptes marchands',
  person: 'Vous',
  me: 'Mot de passe et sécurité',
  leave: 'Se déconnecter',
  other: { code: 'en', name: 'English' },
  schemes: { light: 'Clair', dark: 'Sombre', auto: 'Comme l’appareil' },
  groups: { payments: 'Paiements', setup: 'Configuration', account: 'Compte' },
  nav: {
    overview: 'Vue d’ensemble',
    orders: 'Commandes',
    in_doubt: 'En doute',
    customers: 'Clients',
    providers: 'Prestataires',
    risk: 'Routage et risque',
    notifications: 'Notifications',
    keys: 'Clés API',
    integration: 'Intégration',
    team: 'Équipe',
    audit: 'Audit',
    sandbox: 'Bac à sable',
  },
  login: {
    title: 'Connexion',
    email: 'Adresse e-mail',
    password: 'Mot de passe',
    submit: 'Se connecter',
    code: 'Code',
    code_title: 'Deuxième étape',
    code_lead: 'Saisissez les six chiffres affichés par votre application d’authentification.',
    recovery: 'Utiliser un code de secours',
    recovery_label: 'Code de secours',
    authenticator: 'Utiliser l’application d’authentification',
    verify: 'Vérifier',
    back: 'Retour',
  },
};

const KEY = 'florin-language';

export function language(): string {
  const kept = localStorage.getItem(KEY);
  return kept === 'en' || kept === 'fr' ? kept : navigator.language.slice(0, 2) === 'fr' ? 'fr' : 'en';
}

/** Keeps the choice and begins anew: every text is taken again. */
export function keepLanguage(code: string): void {
  localStorage.setItem(KEY, code);
  location.reload();
}

const chosen = language() === 'fr' ? FR : EN;
export const texts = (): Texts => chosen;
