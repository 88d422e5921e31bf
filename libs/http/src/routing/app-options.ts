import type { Clock, Logger } from '@busbar/core';
import type { Access } from './policy/access';
import type { EventStreamLimits } from './response/event-stream';
import type { IdempotencyOptions } from './policy/idempotency';
import type { Page } from './page';
import type { FileFinder } from './response/send-file';
import type { ErrorPresenter } from './response/presenter';
import type { ClosedRequest, TraceRequest } from './request-log';
import type { RequestLimits } from '../limits/request-limits';
import type { Route } from './route';

/** The parts of an HTTP API. */
export interface AppOptions<A> {
  /** The prefix of all paths: `/v2`. Any other path gets 404. */
  readonly basePath: string;
  readonly routes: readonly Route<A>[];
  readonly pages?: readonly Page[];
  /** Files at paths that no route and no page has, also beside the base path. */
  readonly files?: FileFinder;
  /** Refuses a query parameter that the route does not have with 400. Default: ignores it. */
  readonly refusesUnknownParameters?: boolean;
  readonly access: Access<A>;
  readonly presenter: ErrorPresenter;
  /** Networks whose `X-Forwarded-Proto` counts. */
  readonly trustedProxies: readonly string[];
  /** `Strict-Transport-Security`. False with a certificate that no browser trusts. Default true. */
  readonly sendsHsts?: boolean;
  /** May be shared with another app of the same process: then they count together. */
  readonly requestLimits: RequestLimits;
  /** Needed where routes accept an `Idempotency-Key`. */
  readonly idempotency?: IdempotencyOptions;
  /** Called when a response was sent or its client has left; not for streams of events, which have no duration. */
  readonly onClosed?: (request: ClosedRequest) => void;
  /** Begins the trace of a request, in which its handler then runs. */
  readonly traceRequest?: TraceRequest;
  /** Default: the limits of `event-stream.ts`. */
  readonly eventStreams?: EventStreamLimits;
  readonly logger: Logger;
  readonly clock: Clock;
}
