export type { Access, Credentials } from './routing/policy/access';
export { field } from './documents/field';
export { createApp } from './routing/create-app';
export type { App } from './routing/create-app';
export { docsPages } from './documents/docs-pages';
export { createProxyTrust, isSecure } from './routing/policy/https-only';
export type { ProxyTrust } from './routing/policy/https-only';
export { createInternalListener } from './listener/internal-listener';
export type { InternalListener } from './listener/internal-listener';
export type { HealthCheck } from './listener/readiness';
export type { EventSource, ServerSentEvent } from './routing/response/event-stream';
export { issuesOf } from './routing/request/issue';
export { createListener } from './listener/create-listener';
export type { Listener, ListenerOptions, RefusedRequest, UpgradeConnection } from './listener/create-listener';
export type { BoundAddress } from './listener/bind';
export { endSocket } from './listener/end-socket';
export type { ListenerLimits } from './listener/listener-limits';
export { HTTPS_REQUIRED, refusalBody } from './listener/refuse';
export { readAuthorities, readPair, readPem, readServerPairs } from './listener/tls-files';
export type { PairFiles, TlsFiles } from './listener/tls-files';
export { buildOpenApi } from './documents/open-api';
export type { OpenApiOptions } from './documents/open-api';
export type { DocumentedWebhook, DocumentedWebhooks } from './documents/webhooks';
export { cursorPageSchema, cursorPageWanted, cursorQuerySchema, cursorReply } from './routing/pagination/cursor-pages';
export {
  listReply,
  pageOf,
  pageQuerySchema,
  pageSchema,
  pageSchemaWith,
  pageWanted,
  sortedQuerySchema,
  withProperties,
} from './routing/pagination/numbered-pages';
export { mapValues } from './documents/map-values';
export type { RevocationCheck } from './listener/revocations';
export { addressOf } from './limits/peer';
export type { CertificateIdentity, Peer } from './limits/peer';
export { createPlaces } from './limits/places';
export type { PlaceLimits, Places } from './limits/places';
export type { FileFinder, FileRequest, StaticFile } from './routing/response/send-file';
export type { Encoding, Page } from './routing/page';
export type { ErrorFacts, ErrorPresenter } from './routing/response/presenter';
export { networkOf } from './limits/network-of';
export type { ClosedRequest, TraceRequest } from './routing/request-log';
export { requestIdFrom } from './routing/request/request-id';
export { decodeComponent, splitTarget } from './routing/request/request-target';
export { createRateLimiter } from './limits/rate-limit';
export { createRequestLimits } from './limits/request-limits';
export type { RequestLimitOptions, RequestLimits } from './limits/request-limits';
export { STRICT_TRANSPORT_SECURITY } from './routing/policy/security-headers';
export { routesFor } from './routing/route';
export type {
  CookieRouteDefinition,
  Headed,
  LongRouteDefinition,
  RequestFacts,
  Route,
  RouteDefinition,
  StreamRouteDefinition,
  VersionedRouteDefinition,
} from './routing/route';
