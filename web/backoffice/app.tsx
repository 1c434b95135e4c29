// The page for each address, and the parts around every page.
import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Activity, Component, type ComponentType, type ReactNode, Suspense, lazy } from 'react';
import type { Session, SessionState } from '../../src/backoffice/wire/session.ts';
import { HOUR_MS } from '../../src/core/durations.ts';
import { ApiError } from './base/api.ts';
import { fits, usePath } from './base/router.tsx';
import { SessionProvider, useSessionState } from './base/session.tsx';
import { wholeLanguage } from './base/texts.ts';
import { theme } from './base/theme.ts';
import { Toasts } from './base/toast.tsx';
import { Failed, Waiting } from './parts/page.tsx';
import { Login } from './pages/door/login.tsx';
import { Shell } from './shell.tsx';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5000,
      // as long as a session may last: what waits behind the sign-in still stands on it
      gcTime: 12 * HOUR_MS,
      // only lost connections are tried again: a refused request would be refused again
      retryDelay: 500,
      retry: (failures, error) =>
        failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 502),
      throwOnError: false,
    },
  },
});

type Params = { readonly params: Readonly<Record<string, string>> };
type Row = readonly [pattern: string, page: ComponentType<Params>];

const first = (load: () => Promise<ComponentType<Params>>) => lazy(async () => ({ default: await load() }));
const page = (load: () => Promise<ComponentType<Params>>) =>
  first(async () => {
    await wholeLanguage();
    return load();
  });

const PAGES: readonly Row[] = [
  ['/', first(async () => (await import('./pages/overview/overview.tsx')).Overview)],
  ['/orders', page(async () => (await import('./pages/orders/orders.tsx')).Orders)],
  ['/orders/:id', page(async () => (await import('./pages/order/order.tsx')).Order)],
  ['/in-doubt', page(async () => (await import('./pages/doubt/doubt.tsx')).InDoubtPage)],
  ['/disputes', page(async () => (await import('./pages/disputes/disputes.tsx')).Disputes)],
  ['/disputes/:id', page(async () => (await import('./pages/disputes/dispute.tsx')).DisputePage)],
  ['/retries', page(async () => (await import('./pages/retries/retries.tsx')).RetriesPage)],
  ['/findings', page(async () => (await import('./pages/findings/findings.tsx')).Findings)],
  ['/reports', page(async () => (await import('./pages/reports/reports.tsx')).ReportsPage)],
  ['/links', page(async () => (await import('./pages/links/links.tsx')).Links)],
  ['/links/:id', page(async () => (await import('./pages/links/link.tsx')).LinkPage)],
  ['/telephone', page(async () => (await import('./pages/telephone/telephone.tsx')).Telephone)],
  ['/customers', page(async () => (await import('./pages/customers/customers.tsx')).Customers)],
  ['/customers/:id', page(async () => (await import('./pages/customers/customer.tsx')).Customer)],
  ['/providers', page(async () => (await import('./pages/providers/providers.tsx')).ProvidersPage)],
  ['/routing', page(async () => (await import('./pages/routing/routing.tsx')).Routing)],
  ['/experiments', page(async () => (await import('./pages/routing/experiments.tsx')).ExperimentsPage)],
  ['/risk', page(async () => (await import('./pages/risk/risk.tsx')).Risk)],
  ['/notifications', page(async () => (await import('./pages/notifications/notifications.tsx')).Notifications)],
  ['/keys', page(async () => (await import('./pages/keys/keys.tsx')).KeysPage)],
  ['/requests', page(async () => (await import('./pages/requests/requests.tsx')).Requests)],
  ['/integration', page(async () => (await import('./pages/integration/integration.tsx')).Integration)],
  ['/team/sign-on', page(async () => (await import('./pages/team/sign-on.tsx')).SignOnPage)],
  ['/team', page(async () => (await import('./pages/team/team.tsx')).TeamPage)],
  ['/audit', page(async () => (await import('./pages/audit/audit.tsx')).Audit)],
  ['/sandbox', page(async () => (await import('./pages/sandbox/sandbox.tsx')).Sandbox)],
  ['/me', page(async () => (await import('./pages/me/me.tsx')).MePage)],
];

const Unknown = page(async () => (await import('./pages/door/unknown.tsx')).Unknown);
const SignedOn = page(async () => (await import('./pages/door/sign-on.tsx')).SignedOnPage);
const Welcome = page(async () => (await import('./pages/door/welcome.tsx')).WelcomePage);
const Enrol = page(async () => (await import('./pages/me/enrol.tsx')).MustEnrol);

export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      <QueryClientProvider client={client}>
        <Fence>
          <Everything />
        </Fence>
        <Toasts />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Everything() {
  const path = usePath();
  const { data, error, refetch } = useSessionState();
  const welcome = fits('/welcome/:token', path);
  const signed_on = fits('/signed-on/:account_id', path);
  if (signed_on) return <Loaded key="signed-on" of={SignedOn} params={signed_on} />;
  if (welcome) return <Loaded key="welcome" of={Welcome} params={welcome} />;
  if (!data && error) return <main className="door">{<Failed error={error} again={() => void refetch()} />}</main>;
  if (!data) return <div className="door" aria-busy="true" />;
  const held = data.session ?? data.lost;
  return (
    <>
      {data.session ? null : <Login state={data} was_lost={data.lost !== undefined} />}
      {held ? (
        <Activity key={held.person.id} mode={data.session ? 'visible' : 'hidden'}>
          <Inside state={data} session={held} path={path} />
        </Activity>
      ) : null}
    </>
  );
}

type InsideProps = { readonly state: SessionState; readonly session: Session; readonly path: string };

function Inside({ state, session, path }: InsideProps) {
  const found = PAGES.map(([pattern, Page]) => ({ Page, params: fits(pattern, path) })).find(({ params }) => params);
  if (session.must_enrol)
    return (
      <SessionProvider state={state} session={session}>
        <Loaded of={Enrol} params={{}} />
      </SessionProvider>
    );
  return (
    <SessionProvider state={state} session={session}>
      <Shell path={path}>
        {/* the account is part of the key, so that the page of another account starts empty */}
        <Loaded key={`${session.account.id} ${path}`} of={found?.Page ?? Unknown} params={found?.params ?? {}} />
      </Shell>
    </SessionProvider>
  );
}

type LoadedProps = Params & { readonly of: ComponentType<Params> };

function Loaded({ of: Page, params }: LoadedProps) {
  return (
    <Fence>
      <Suspense fallback={<Waiting />}>
        <Page params={params} />
      </Suspense>
    </Fence>
  );
}

/** An error in one page leaves the rest of the app working. */
class Fence extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    return this.state.error ? <Failed error={this.state.error} again={() => this.setState({})} /> : this.props.children;
  }
}
