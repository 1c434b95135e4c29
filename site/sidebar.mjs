// What stands at the side of every page, in this order. A guide is in it by its file, in the section that it names.
import { readFileSync, readdirSync } from 'node:fs';

const GUIDES = new URL('./src/content/docs/guides/', import.meta.url);

/** Guides that stand elsewhere than among the guides. */
const PLACES = {
  'quick-start': 'Start',
  testing: 'Testing',
  'test-kit': 'Testing',
  'going-live': 'Operate',
  operations: 'Operate',
  security: 'Security',
};

export const SIDEBAR = [
  { label: 'Start', items: [{ label: 'Welcome', link: '/' }, ...guidesOf('Start')] },
  { label: 'Guides', items: guidesOf('Guides') },
  {
    label: 'Reference',
    items: [
      { slug: 'reference', label: 'All routes' },
      { slug: 'reference/headers' },
      { slug: 'reference/limits' },
      {
        label: 'Checkout and vault',
        collapsed: true,
        items: ['create-checkout', 'read-checkout', 'tokenize-card'].map(route),
      },
      {
        label: 'Orders',
        collapsed: true,
        items: [
          ...['create-order', 'list-orders', 'retry-order', 'read-order'],
          ...['capture-order', 'refund-order', 'cancel-order'],
        ].map(route),
      },
      { label: 'Customers', collapsed: true, items: ['read-customer', 'remove-saved-cards'].map(route) },
      {
        label: 'Notification endpoints',
        collapsed: true,
        items: [
          ...['create-endpoint', 'list-endpoints', 'delete-endpoint', 'test-endpoint', 'activate-endpoint'],
          ...['rotate-endpoint-secret', 'list-notifications', 'replay-notification', 'replay-notifications'],
        ].map(route),
      },
      {
        label: 'Notifications that you get',
        collapsed: true,
        items: ['orders', 'checkouts', 'customers', 'disputes', 'contradictions', 'test'].map((name) =>
          route(`notifications/${name}`),
        ),
      },
      {
        label: 'Messages of providers',
        collapsed: true,
        items: ['take-provider-event', 'take-authentication-event'].map(route),
      },
      { slug: 'reference/codes' },
      { slug: 'reference/problems' },
      { slug: 'contract', label: 'The contract' },
      { slug: 'states', label: 'States' },
      { slug: 'glossary', label: 'Glossary' },
    ],
  },
  {
    label: 'Testing',
    items: [
      ...guidesOf('Testing'),
      {
        label: 'Sandbox routes',
        collapsed: true,
        items: [
          ...['list-sandbox-cards', 'read-sandbox-clock', 'advance-sandbox-clock', 'arm-scenario'],
          ...['list-scenarios', 'remove-scenarios', 'read-provider-books'],
        ].map(route),
      },
      { slug: 'test-kit', label: 'In your own tests' },
      { slug: 'mcp', label: 'For programs that write code' },
      { slug: 'provider-scenarios', label: 'Providers, tested' },
    ],
  },
  {
    label: 'Operate',
    items: [
      ...guidesOf('Operate'),
      { slug: 'going-live', label: 'Going live' },
      { slug: 'operations', label: 'Machines, alarms, backups' },
      { slug: 'settings', label: 'Settings' },
      { slug: 'risk', label: 'Risk rules' },
      { slug: 'routing', label: 'Routing rules' },
      { slug: 'observability', label: 'Metrics and alerts' },
      { slug: 'performance', label: 'Performance' },
    ],
  },
  {
    label: 'Security',
    items: [
      ...guidesOf('Security'),
      { slug: 'hardening', label: 'Hardening' },
      { slug: 'design', label: 'How it is built' },
      { slug: 'decisions', label: 'Decisions' },
      { slug: 'where', label: 'Where to change what' },
    ],
  },
];

function guidesOf(section) {
  const names = readdirSync(GUIDES).filter((file) => /\.mdx?$/.test(file));
  const order = (file) => Number(/^ {2}order: (\d+)$/m.exec(readFileSync(new URL(file, GUIDES), 'utf8'))?.[1] ?? 1000);
  return names
    .toSorted((a, b) => order(a) - order(b) || (a < b ? -1 : 1))
    .map((file) => file.replace(/\.mdx?$/, ''))
    .filter((name) => (PLACES[name] ?? 'Guides') === section)
    .map((name) => ({ slug: `guides/${name}` }));
}

function route(name) {
  return { slug: `reference/${name}` };
}

/** How llms.txt groups the pages: beginnings of their addresses. */
export const GROUPS = [
  ['guides/', 'Guides'],
  ['reference', 'Reference'],
  ['contract', 'The contract'],
  ['decisions', 'Decisions'],
  ['design', 'Design'],
];
