// The web console on the port of the v2 API: its files, sign-in, and what it must know of this deployment.
import type { IncomingMessage, RequestListener } from 'node:http';
import { recordSchema, string, type ApiDeps, type ApiExtension } from '@busbar/api';
import { createApp, routesFor, splitTarget, type Access, type Route } from '@busbar/http';
import { observeRequests, traceRequests } from '@busbar/runtime';
import { v2ErrorPresenter } from '../errors';
import { CONSOLE_DIRECTORY, CONSOLE_PATH, createConsoleFiles } from './console-files';
import type { ConsoleSettings } from './console-settings';
import { contentPolicy } from './content-policy';
import { sessionRoutes } from './session-routes';

export interface Console {
  readonly handle: RequestListener;
  /** Returns whether there are pages to show. */
  isServed(): boolean;
  /** Returns whether the request is for the console, `/` included where it leads there. */
  handles(request: Pick<IncomingMessage, 'url'>): boolean;
}

const { publicRoute } = routesFor<undefined>();

/** Undefined where the console is off. */
export function createConsole(deps: ApiDeps, settings: ConsoleSettings): Console | undefined {
  if (settings.console === 'off') return undefined;
  const { records, clock, logger, metrics, tracing } = deps;
  const files = createConsoleFiles({
    directory: settings.consoleDirectory ?? CONSOLE_DIRECTORY,
    policy: contentPolicy(settings.consoleTilesUrl),
    clock,
    logger,
  });
  const app = createApp({
    ...deps,
    basePath: CONSOLE_PATH,
    routes: [...sessionRoutes({ ...records, clock, logger }), configRoute(settings)],
    files: files.find,
    access: PUBLIC,
    presenter: v2ErrorPresenter,
    ...(metrics === undefined ? {} : { onClosed: observeRequests(metrics, 'console') }),
    ...(tracing === undefined ? {} : { traceRequest: traceRequests(tracing, { basePath: CONSOLE_PATH }) }),
  });
  const isServed = (): boolean => files.isBuilt();
  return {
    handle: (request, response) => app.handle(request, response),
    isServed,
    handles(request) {
      const { path } = splitTarget(request.url ?? '/');
      return path === CONSOLE_PATH || path.startsWith(`${CONSOLE_PATH}/`) || (path === '/' && isServed());
    },
  };
}

/** The console beside an API on one port. */
export function consoleExtension(
  settings: ConsoleSettings,
): (deps: ApiDeps) => Pick<ReturnType<ApiExtension>, 'front' | 'hasConsole'> {
  return (deps) => {
    const found = createConsole(deps, settings);
    if (found === undefined) return { hasConsole: false };
    const front = (api: RequestListener): RequestListener => {
      return (request, response) => (found.handles(request) ? found.handle : api)(request, response);
    };
    return { front };
  };
}

/** No route of the console takes an API key; those of sessions read the cookie themselves. */
const PUBLIC: Access<undefined> = {
  shownIn: () => undefined,
  authenticate: () => Promise.resolve(undefined),
  permits: () => false,
  callerOf: () => ({ key: '', client: '' }),
  logFieldsOf: () => ({}),
  challenge: 'Bearer realm="busbar"',
  unauthenticatedMessage: '',
};

function configRoute({ consoleOcppUrl, consoleTilesUrl, consoleTilesAttribution }: ConsoleSettings): Route<undefined> {
  return publicRoute({
    method: 'GET',
    path: '/config',
    tag: 'Console',
    operationId: 'readConfig',
    summary: 'Read the settings of the console',
    response: recordSchema('ConsoleConfig', 'Settings of the console.', {
      /** What chargers append their id to. Null: `/ocpp/` at the host of the console. */
      ocppUrl: { anyOf: [string, { type: 'null' }] },
      /** A template with `{z}`, `{x}` and `{y}`. Null: there is no map. */
      tilesUrl: { anyOf: [string, { type: 'null' }] },
      tilesAttribution: string,
    }),
    handler: () => ({
      ocppUrl: consoleOcppUrl ?? null,
      tilesUrl: consoleTilesUrl ?? null,
      tilesAttribution: consoleTilesAttribution,
    }),
  });
}
