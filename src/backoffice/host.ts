// The back office's host: the routes of its web app, each for who is signed in. Its pages are pages.ts.
import type { BackofficeContext, BackofficeRoute } from './context.ts';
import { privacyRoutes } from './customer/privacy.ts';
import { customerRoutes } from './customer/routes.ts';
import { disputeRoutes } from './dispute/routes.ts';
import { notificationRoutes } from './notifications.ts';
import { orderRoutes } from './order/routes.ts';
import { overviewRoutes } from './overview.ts';
import { roleRoutes } from './people/roles.ts';
import { teamRoutes } from './people/team.ts';
import { reportRoutes } from './report/routes.ts';
import { experimentRoutes } from './routing/experiments.ts';
import { listRoutes } from './risk/lists.ts';
import { riskRoutes } from './risk/routes.ts';
import { routingRoutes } from './routing/routes.ts';
import { sandboxRoutes } from './sandbox/routes.ts';
import { ownRoutes } from './session/own.ts';
import { passkeyRoutes } from './session/passkeys/routes.ts';
import { sessionRoutes } from './session/routes.ts';
import { signOnDoor } from './sign-on/door.ts';
import { signOnRoutes } from './sign-on/settings.ts';

import { auditRoutes } from './audit/routes.ts';
import { keyRoutes } from './account/keys.ts';
import { providerRoutes } from './account/providers.ts';
import { requestRoutes } from './account/requests.ts';
import { settingsRoutes } from './account/settings.ts';

export function backofficeRoutes(context: BackofficeContext): readonly BackofficeRoute[] {
  return [
    sessionRoutes,
    ownRoutes,
    passkeyRoutes,
    signOnDoor,
    signOnRoutes,
    teamRoutes,
    roleRoutes,
    auditRoutes,
    keyRoutes,
    providerRoutes,
    settingsRoutes,
    overviewRoutes,
    orderRoutes,
    disputeRoutes,
    reportRoutes,
    customerRoutes,
    privacyRoutes,
    notificationRoutes,
    requestRoutes,
    riskRoutes,
    listRoutes,
    routingRoutes,
    experimentRoutes,
    sandboxRoutes,
  ].flatMap((make) => make(context));
}
