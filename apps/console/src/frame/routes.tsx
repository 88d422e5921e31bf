// Addresses of the console. The fleet, with which most visits begin, is loaded with the frame: a second round of files costs a slow computer
// an eighth of a visit. Each other screen is loaded when it is first opened. What a screen keeps in its address is parsed by its own `search`
// file.
import { createRootRouteWithContext, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { lazyPart } from '../parts/lazy-part';
import { parseEventsSearch } from '../screens/events/events-search';
import { FleetScreen } from '../screens/fleet/fleet-screen';
import { parseFleetSearch } from '../screens/fleet/fleet-search';
import { parseChargerSearch } from '../screens/charger/charger-search';
import { parseDeadLettersSearch } from '../screens/operator/dead-letters-search';
import { parseMapSearch } from '../screens/map/map-search';
import { parseKeysSearch } from '../screens/keys/keys-search';
import { parseSessionsSearch } from '../screens/sessions/sessions-search';
import { parseSitesSearch } from '../screens/sites/sites-search';
import { parseTagsSearch } from '../screens/tags/tags-search';
import { parseWebhookSearch, parseWebhooksSearch } from '../screens/webhooks/webhooks-search';
import { Frame } from './frame';
import { NotFound } from './not-found';
import { ScreenFailure } from './screen-failure';

interface Context {
  /** Where the console begins. Undefined: the key may see no screen, which the frame says. */
  readonly home: string | undefined;
}

const root = createRootRouteWithContext<Context>()({ component: Frame, notFoundComponent: NotFound });

const fleet = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: parseFleetSearch,
  beforeLoad({ context: { home = '/' } }) {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- as the router wants it
    if (home !== '/') throw redirect({ to: home, replace: true });
  },
  component: FleetScreen,
});

const charger = createRoute({
  getParentRoute: () => root,
  path: '/chargers/$chargerId',
  validateSearch: parseChargerSearch,
  component: lazyPart(() => import('../screens/charger/charger-screen'), 'ChargerScreen'),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
  validateSearch: parseSessionsSearch,
  component: lazyPart(() => import('../screens/sessions/sessions-screen'), 'SessionsScreen'),
});

const sites = createRoute({
  getParentRoute: () => root,
  path: '/sites',
  validateSearch: parseSitesSearch,
  component: lazyPart(() => import('../screens/sites/sites-screen'), 'SitesScreen'),
});

const site = createRoute({
  getParentRoute: () => root,
  path: '/sites/$siteId',
  component: lazyPart(() => import('../screens/sites/site-screen'), 'SiteScreen'),
});

const map = createRoute({
  getParentRoute: () => root,
  path: '/map',
  validateSearch: parseMapSearch,
  component: lazyPart(() => import('../screens/map/map-screen'), 'MapScreen'),
});

const tags = createRoute({
  getParentRoute: () => root,
  path: '/tags',
  validateSearch: parseTagsSearch,
  component: lazyPart(() => import('../screens/tags/tags-screen'), 'TagsScreen'),
});

const events = createRoute({
  getParentRoute: () => root,
  path: '/events',
  validateSearch: parseEventsSearch,
  component: lazyPart(() => import('../screens/events/events-screen'), 'EventsScreen'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: parseKeysSearch,
  component: lazyPart(() => import('../screens/keys/keys-screen'), 'KeysScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: parseWebhooksSearch,
  component: lazyPart(() => import('../screens/webhooks/webhooks-screen'), 'WebhooksScreen'),
});

const webhook = createRoute({
  getParentRoute: () => root,
  path: '/webhooks/$webhookId',
  validateSearch: parseWebhookSearch,
  component: lazyPart(() => import('../screens/webhooks/webhook-screen'), 'WebhookScreen'),
});

const deadLetters = createRoute({
  getParentRoute: () => root,
  path: '/operator/dead-letters',
  validateSearch: parseDeadLettersSearch,
  component: lazyPart(() => import('../screens/operator/dead-letters-screen'), 'DeadLettersScreen'),
});

const processes = createRoute({
  getParentRoute: () => root,
  path: '/operator/processes',
  component: lazyPart(() => import('../screens/operator/processes-screen'), 'ProcessesScreen'),
});

const lists = [fleet, sessions, sites, map, tags, events, webhooks, keys];
const routeTree = root.addChildren([...lists, charger, site, webhook, deadLetters, processes]);

export function createConsoleRouter(context: Context) {
  return createRouter({
    routeTree,
    context,
    basepath: '/console',
    defaultPreload: 'intent',
    defaultErrorComponent: ScreenFailure,
    // Before a screen appears; a shorter wait shows nothing rather than a flash.
    defaultPendingMs: 200,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
