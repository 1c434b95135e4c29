// What roles and rights let people do, in words; rights stand with others for the same work.
import type { Right, Role, TeamRole } from '../../../../src/backoffice/wire/session.ts';
import { roleText } from '../../base/format.ts';

type Group = { readonly title: string; readonly rights: readonly (readonly [Right, string, string])[] };

export const GROUPS: readonly Group[] = [
  {
    title: 'Look',
    rights: [['read', 'See', 'Overview, orders, customers, disputes, rules and settings. Every role has it.']],
  },
  {
    title: 'Move money',
    rights: [
      ['money', 'Capture, refund and cancel', 'Also answers disputes, and approves large refunds of others.'],
      ['telephone', 'Take cards by telephone', 'Types the card that a payer says.'],
      ['links', 'Make payment links', 'Also pauses and ends them.'],
      ['rule', 'Decide what is in doubt', 'Says what became of a payment that nothing else proves.'],
    ],
  },
  {
    title: 'Customers and their data',
    rights: [
      ['notes', 'Write notes', 'On orders, for others of the team.'],
      ['cards', 'Remove saved cards', 'Of a customer who asks for it.'],
      ['export', 'Take data out', 'Exports, reports, and what is kept about a person.'],
      ['erase', 'Erase a person', 'Everything the law lets go, for good.'],
    ],
  },
  {
    title: 'Rules and providers',
    rights: [
      ['risk', 'Change risk and routing rules', 'What is refused, and where payments go.'],
      ['providers', 'Set up providers', 'Contracts and their credentials.'],
    ],
  },
  {
    title: 'Integration',
    rights: [
      ['keys', 'Make API keys', 'None that may do more than they may themselves.'],
      ['settings', 'Change settings', 'Of the hosted page and the payment form.'],
      ['notifications', 'Set up notifications', 'Endpoints, their secrets, sending again.'],
      ['requests', 'See requests', 'What programs sent and were answered, masked.'],
      ['sandbox', 'Use the sandbox', 'Its clock, faults and test orders.'],
    ],
  },
  {
    title: 'The account',
    rights: [
      ['team', 'Manage the team', 'Invites people, and gives roles within their own.'],
      ['audit', 'Read the audit log', 'Who did what, when and from where.'],
    ],
  },
];

const ALL = GROUPS.flatMap(({ rights }) => rights);

const BUILT_IN: Readonly<Record<Role, string>> = {
  owner: 'Everything, and who else is an owner',
  administrator: 'Everything but owners',
  developer: 'Keys, notifications, integration; moves no money',
  operator: 'Captures, refunds, cancels; changes no settings',
  reader: 'Sees everything but keys, team and audit log; changes nothing',
};

/** What a role lets do, in one line. */
export function roleLine({ role, rights }: Pick<TeamRole, 'role' | 'rights'>): string {
  const known = Object.entries(BUILT_IN).find(([name]) => name === role)?.[1];
  if (known !== undefined) return known;
  const more = ALL.filter(([right]) => right !== 'read' && rights.includes(right)).map(([, name]) => name);
  const [first = 'Sees, and changes nothing', ...others] = more;
  return [first, ...others.map((name) => name.charAt(0).toLowerCase() + name.slice(1))].join(', ');
}

/** Of the roles that this person may give, as a select has them. */
export const choicesOf = (roles: readonly TeamRole[]) =>
  roles
    .filter(({ may_give }) => may_give)
    .map((one) => ({ value: one.role, label: `${roleText(one)}: ${roleLine(one)}` }));
