// Roles and rights in words; rights for the same work stand together.
import type { Right, Role, TeamRole } from '../../../../src/backoffice/wire/session.ts';
import { roleText } from '../../base/format.ts';
import { t } from '../../base/texts.ts';

type Group = { readonly title: string; readonly rights: readonly (readonly [Right, string, string])[] };

export const GROUPS: readonly Group[] = [
  {
    title: t('Look'),
    rights: [['read', t('See'), t('Overview, orders, customers, disputes, rules and settings. Every role has it.')]],
  },
  {
    title: t('Move money'),
    rights: [
      ['money', t('Capture, refund and cancel'), t('Also answers disputes, and approves large refunds of others.')],
      ['telephone', t('Take cards by telephone'), t('Types the card that a payer says.')],
      ['links', t('Make payment links'), t('Also pauses and ends them.')],
      ['rule', t('Decide what is in doubt'), t('Says what became of a payment that nothing else proves.')],
    ],
  },
  {
    title: t('Customers and their data'),
    rights: [
      ['notes', t('Write notes'), t('On orders, for others of the team.')],
      ['cards', t('Remove saved cards'), t('Of a customer who asks for it.')],
      ['export', t('Export data'), t('Exports, reports, and what is kept about a person.')],
      ['erase', t('Erase a person'), t('Deletes for good what the law allows to be deleted.')],
    ],
  },
  {
    title: t('Rules and providers'),
    rights: [
      ['risk', t('Change risk and routing rules'), t('What is refused, and where payments go.')],
      ['providers', t('Set up providers'), t('Contracts and their credentials.')],
      ['hold', t('Hold a provider'), t('Stops new payments to it for a while, or sends them whatever its calls say.')],
    ],
  },
  {
    title: t('Integration'),
    rights: [
      ['keys', t('Make API keys'), t('None that may do more than they may themselves.')],
      ['settings', t('Change settings'), t('Of the hosted page and the payment form.')],
      ['notifications', t('Set up notifications'), t('Endpoints, their secrets, sending again.')],
      ['requests', t('See requests'), t('What programs sent and were answered, masked.')],
      ['sandbox', t('Use the sandbox'), t('Its clock, faults and test orders.')],
    ],
  },
  {
    title: t('The account'),
    rights: [
      ['team', t('Manage the team'), t('Invites people, and gives roles within their own.')],
      ['audit', t('Read the audit log'), t('Who did what, when and from where.')],
    ],
  },
];

const ALL = GROUPS.flatMap(({ rights }) => rights);

const BUILT_IN: Readonly<Record<Role, string>> = {
  owner: t('Everything, and who else is an owner'),
  administrator: t('Everything but owners'),
  developer: t('Keys, notifications, integration; moves no money'),
  operator: t('Captures, refunds, cancels; changes no settings'),
  reader: t('Sees everything but keys, team and audit log; changes nothing'),
};

export function roleLine({ role, rights }: Pick<TeamRole, 'role' | 'rights'>): string {
  const known = Object.entries(BUILT_IN).find(([name]) => name === role)?.[1];
  if (known !== undefined) return known;
  const more = ALL.filter(([right]) => right !== 'read' && rights.includes(right)).map(([, name]) => name);
  const [first = t('Sees, and changes nothing'), ...others] = more;
  return [first, ...others.map((name) => name.charAt(0).toLowerCase() + name.slice(1))].join(', ');
}

/** The roles that this person may give, as choices of a list. */
export const choicesOf = (roles: readonly TeamRole[]) =>
  roles
    .filter(({ may_give }) => may_give)
    .map((one) => ({ value: one.role, label: `${roleText(one)}: ${roleLine(one)}` }));
