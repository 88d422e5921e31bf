export type { Access, Credentials } from './routing/access';
export { documentIssues } from './documents/check-document';
export { field } from './documents/field';
export { createApp } from './routing/create-app';
export type { App } from './routing/create-app';
export type { AppOptions } from './routing/app-options';
export { docsPages } from './documents/docs-pages';
export type { DocsPageOptions } from './documents/docs-pages';
export type { Precondition, Versioned } from './routing/entity-tag';
export { createProxyTrust, isSecure } from './routing/https-only';
export type { ProxyTrust } from './routing/https-only';
export type { IdempotencyOptions } from './routing/idempotency';
export { createInternalListener } from './listener/internal-listener';
export type { InternalListener, InternalListenerOptions } from './listener/internal-listener';
export type { CheckReport, HealthCheck, ReadinessReport } from './listener/readiness';
export type { EventSource, EventStreamLimits, ServerSentEvent } from './routing/event-stream';
export { issuesOf } from './routing/issue';
export type { InPieces } from './routing/json-text';
export { createListener } from './listener/create-listener';
export type {
  Listener,
  ListenerOptions,
  RefusedRequest,
  UpgradeConnection,
  UpgradeHandler,
} from './listener/create-listener';
export type { BoundAddress } from './listener/bind';
export { endSocket } from './listener/end-socket';
export type { ListenerLimits } from './listener/listener-limits';
export { INSECURE, refusalBody } from './listener/refuse';
export { readAuthorities, readPair } from './listener/tls-files';
export type { TlsFiles } from './listener/tls-files';
export { buildOpenApi, errorCodesOf } from './documents/open-api';
export type { OpenApiOptions } from './documents/open-api';
export type { Page } from './routing/page';
export {
  cursorPageSchema,
  cursorPageWanted,
  cursorQuerySchema,
  cursorReply,
  SETTLING_MS,
} from './routing/cursor-pages';
export { listReply, pageOf, pageQuerySchema, pageSchema, pageWanted, sortedQuerySchema } from './routing/pagination';
export type { PageOf, PageQuery } from './routing/pagination';
export type { RevocationCheck } from './listener/revocations';
export { addressOf } from './limits/peer';
export type { CertificateIdentity, ClientCertificate, Peer } from './limits/peer';
export type { ErrorFacts, ErrorPresenter } from './routing/presenter';
export { networkOf } from './limits/network-of';
export type { ClosedRequest, RequestTrace, TraceRequest } from './routing/request-log';
export { requestIdFrom } from './routing/request-id';
export { splitTarget } from './routing/request-target';
export { createRateLimiter } from './limits/rate-limit';
export type { RateLimitOptions } from './limits/rate-limit';
export { createRequestLimits } from './limits/request-limits';
export type { Caller, RequestLimitOptions, RequestLimits } from './limits/request-limits';
export { STRICT_TRANSPORT_SECURITY } from './routing/security-headers';
export { ERROR_CODE_KEYWORD, routesFor } from './routing/route';
export type {
  Call,
  LongRouteDefinition,
  Method,
  ObjectSchema,
  Route,
  RouteDefinition,
  StreamRouteDefinition,
  VersionedRouteDefinition,
} from './routing/route';
