// Assembles an HTTP API of the service: its routes, document, interactive page, credentials and errors.
import type { Clock, ErrorCode, Logger } from '@busbar/core';
import type { StoredSecrets } from '@busbar/domain';
import { createConnectionCloser, type ConnectionCloser } from '@busbar/domain/chargers';
import type { ApiKey } from '@busbar/domain/clients';
import type { ChargerLink } from '@busbar/domain/commands';
import { createLiveFeeds, type LiveFeeds } from '@busbar/domain/feed';
import {
  buildOpenApi,
  createApp,
  docsPages,
  routesFor,
  type Access,
  type App,
  type Credentials,
  type ErrorPresenter,
  type OpenApiOptions,
  type RequestLimits,
  type Route,
} from '@busbar/http';
import { createInputSerializer, createMasker, type Masker } from '@busbar/ocpp';
import type { Deployment } from '@busbar/operations';
import {
  createUrlCheck,
  observeRequests,
  traceRequests,
  type FeedHints,
  type Metrics,
  type Platform,
  type Tracing,
} from '@busbar/runtime';
import type { AuthorizationLink } from '@busbar/domain/real-time-authorization';
import type { PushLink } from '@busbar/domain/webhooks';
import type { CommandDeps } from './command-request';
import { errorExample } from './error-examples';
import { errorPages } from './error-pages';
import { API_ERRORS } from './errors';

type StoredRecords = Platform['records'];

export interface ApiDeps {
  readonly records: StoredRecords;
  /** Sends commands to chargers. Fails at once while the broker is unavailable. */
  readonly link: ChargerLink;
  /** Asks endpoints for real-time authorization, and announces their changes. */
  readonly authorizationLink: AuthorizationLink;
  /** Asks push about webhooks, and announces their changes. */
  readonly pushLink: PushLink;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Gets the durations of requests. */
  readonly metrics?: Metrics;
  readonly tracing?: Tracing | undefined;
  /** Networks whose `X-Forwarded-Proto` counts. */
  readonly trustedProxies: readonly string[];
  /** False with a certificate that no browser trusts. Default true. */
  readonly sendsHsts?: boolean;
  /** May be shared with another API of the same process. */
  readonly requestLimits: RequestLimits;
  /** Default seconds that a command waits for the charger's answer. */
  readonly commandTimeoutS: number;
  /** Keys whose values are masked in stored commands, besides those of OCPP. */
  readonly maskKeys: readonly string[];
  /** False: no session of the web console is a credential. Default true. */
  readonly hasConsole?: boolean;
  /** For routes of operators. Absent: they respond 503. */
  readonly deployment?: Pick<Deployment, 'deadLetters' | 'replay' | 'processes'>;
  /** Say when to look for new events. Absent: only the clock does. */
  readonly feedHints?: Pick<FeedHints, 'listen'>;
  /** Absent: no key is configured, and what needs one responds 503. */
  readonly secrets?: StoredSecrets | undefined;
  /** Judges the URLs of receivers. Default: those of public addresses are accepted. */
  readonly checkUrl?: UrlCheck;
}

type UrlCheck = ReturnType<typeof createUrlCheck>;

/** The dependencies of routes. Each route takes the narrowest part. */
export type RouteDeps = StoredRecords &
  CommandDeps & {
    readonly connections: ConnectionCloser;
    readonly liveFeeds: LiveFeeds;
    readonly logger: Logger;
    readonly secrets: StoredSecrets | undefined;
    readonly authorizationLink: AuthorizationLink;
    readonly pushLink: PushLink;
    readonly checkUrl: UrlCheck;
    readonly hasConsole: boolean;
    readonly deployment: ApiDeps['deployment'];
    /** Masks secrets in frames. */
    readonly masker: Masker;
  };

/** All that distinguishes one API from another. */
export interface ApiDefinition {
  /** The process and its listener. */
  readonly name: string;
  readonly basePath: string;
  /** The path of the OpenAPI document below the base path. */
  readonly documentPath: string;
  /** The tag of the document itself is added. */
  readonly document: Pick<
    OpenApiOptions<ApiKey>,
    'openapi' | 'title' | 'version' | 'description' | 'tags' | 'securitySchemes' | 'security' | 'webhooks'
  >;
  /** Unknown query parameters get 400. Default: they are ignored. */
  readonly refusesUnknownParameters?: boolean;
  readonly access: (deps: RouteDeps) => Access<ApiKey>;
  readonly presenter: ErrorPresenter;
  /** It has routes that wait for events of the feed. */
  readonly readsFeed?: boolean;
  /** Serves a page of each error code, at `ERRORS_PATH`. */
  readonly hasErrorPages?: boolean;
  /** The caller's API key, where routes accept an `Idempotency-Key`. */
  readonly secretOf?: (credentials: Credentials) => string;
  readonly routes: (deps: RouteDeps) => readonly Route<ApiKey>[];
}

export interface ApiApp extends App {
  readonly openApi: Readonly<Record<string, unknown>>;
}

const { publicRoute } = routesFor<ApiKey>();
const DOCUMENTATION = 'Documentation';

/** The API below its base path, with its document and interactive page. Does not listen. */
export function createApiApp(definition: ApiDefinition, deps: ApiDeps): ApiApp {
  const { basePath, documentPath, document, presenter, secretOf, refusesUnknownParameters = false } = definition;
  const { records, link, authorizationLink, clock, logger, metrics, tracing, commandTimeoutS, maskKeys, feedHints } =
    deps;
  const { hasConsole = true, deployment, pushLink } = deps;
  const connections = createConnectionCloser({ ...records, link, clock, logger });
  const serializeInput = createInputSerializer(maskKeys);
  const liveFeeds = createLiveFeeds({ ...records, clock, logger });
  feedHints?.listen(liveFeeds.hint);
  const { secrets, checkUrl = createUrlCheck({ pushAllowedCidrs: [], pushPlainHttp: false }, false) } = deps;
  const commands = { link, authorizationLink, clock, commandTimeoutS, serializeInput };
  const own = {
    connections,
    liveFeeds,
    logger,
    secrets,
    pushLink,
    checkUrl,
    hasConsole,
    deployment,
    masker: createMasker(maskKeys),
  };
  const parts: RouteDeps = { ...records, ...commands, ...own };
  const routes = [...definition.routes(parts), documentRoute(definition, () => openApi)];
  const openApi = documentOf(definition, routes);
  const app = createApp({
    ...deps,
    basePath,
    routes,
    pages: [
      ...docsPages({ title: document.title, basePath, documentPath, logger }),
      ...(definition.hasErrorPages === true ? errorPages(basePath, presenter) : []),
    ],
    refusesUnknownParameters,
    access: definition.access(parts),
    presenter,
    ...(metrics === undefined ? {} : { onClosed: observeRequests(metrics, definition.name) }),
    ...(tracing === undefined ? {} : { traceRequest: traceRequests(tracing, definition) }),
    ...(secretOf === undefined ? {} : { idempotency: { store: records.idempotency, secretOf } }),
  });
  return { ...app, openApi };
}

/** The OpenAPI document of an API, without a store or broker. */
export function openApiDocument(definition: ApiDefinition): ApiApp['openApi'] {
  // Routes use their dependencies when they handle a request.
  const routes = definition.routes({} as RouteDeps);
  return documentOf(definition, [...routes, documentRoute(definition, () => ({}))]);
}

function documentOf(
  { basePath, document, presenter, refusesUnknownParameters = false }: ApiDefinition,
  routes: readonly Route<ApiKey>[],
): ApiApp['openApi'] {
  const tags = [...document.tags, { name: DOCUMENTATION, description: 'This document.' }];
  const describeError = (code: ErrorCode) => {
    return { title: API_ERRORS[code].title, example: errorExample(code, basePath) };
  };
  return buildOpenApi({ ...document, tags, basePath, routes, presenter, refusesUnknownParameters, describeError });
}

function documentRoute(
  { documentPath: path, document: { openapi, title, version } }: ApiDefinition,
  read: () => ApiApp['openApi'],
): Route<ApiKey> {
  return publicRoute({
    method: 'GET',
    path,
    tag: DOCUMENTATION,
    operationId: 'getOpenApiDocument',
    summary: 'Read this document',
    description: 'Needs no API key.',
    response: {
      title: 'OpenApiDocument',
      type: 'object',
      description: `A document of OpenAPI ${openapi}.`,
      additionalProperties: true,
      examples: [{ openapi, info: { title, version }, paths: {} }],
    },
    handler: () => read(),
  });
}
