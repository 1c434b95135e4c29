// The back office's host: the routes of its web app, each for who is signed in. Its pages are app.ts.
import type { Desk, DeskRoute } from './desk.ts';
import { teamRoutes } from './people/team.ts';
import { ownRoutes } from './session/own.ts';
import { sessionRoutes } from './session/routes.ts';

export function backofficeRoutes(desk: Desk): readonly DeskRoute[] {
  return [...sessionRoutes(desk), ...ownRoutes(desk), ...teamRoutes(desk)];
}
