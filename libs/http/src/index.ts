export type { Access, Credentials } from './access';
export { createReplyChecker } from './check-reply';
export type { ServedReply } from './check-reply';
export { createApp } from './create-app';
export type { App, AppOptions } from './create-app';
export { operationFinder, operationsOf } from './documented-operations';
export type { DocumentedOperation } from './documented-operations';
export { docsPages } from './docs-pages';
export type { DocsPageOptions } from './docs-pages';
export type { Precondition, Versioned } from './entity-tag';
export { createProxyTrust, isSecure } from './https-only';
export type { ProxyTrust } from './https-only';
export type { AnswerClaim, IdempotencyStore, ClaimResult, IdempotencyOptions } from './idempotency';
export { createInternalListener } from './internal-listener';
export type { InternalListener, InternalListenerOptions } from './internal-listener';
export { issuesOf } from './issue';
export type { InPieces } from './json-text';
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
export { buildOpenApi, errorCodesOf } from './open-api';
export type { OpenApiOptions } from './open-api';
export type { Page } from './page';
export { listReply, pageOf, pageQuerySchema, pageSchema, pageWanted } from './pagination';
export type { PageOf, PageQuery } from './pagination';
export type { RevocationCheck } from './listener/revocations';
export { addressOf } from './peer';
export type { CertificateIdentity, ClientCertificate, Peer } from './peer';
export type { ErrorFacts, ErrorPresenter } from './presenter';
export { createLruMap } from './lru-map';
export type { LruMap } from './lru-map';
export { networkOf } from './network-of';
export { requestIdFrom } from './request-id';
export { splitTarget } from './request-target';
export { createRateLimiter } from './rate-limit';
export type { RateLimitOptions } from './rate-limit';
export { createRequestLimits } from './request-limits';
export type { Caller, RequestLimitOptions, RequestLimits } from './request-limits';
export { STRICT_TRANSPORT_SECURITY } from './security-headers';
export { ERROR_CODE_KEYWORD, routesFor } from './route';
export type {
  Call,
  LongRouteDefinition,
  Method,
  ObjectSchema,
  Route,
  RouteDefinition,
  VersionedRouteDefinition,
} from './route';
