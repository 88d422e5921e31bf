import type { TraceRequest } from '@busbar/http';
import type { Tracing } from './tracing';

const FIRST_SERVER_ERROR = 500;

/**
 * A span for each request of an API, in the trace that its `traceparent` names. It has the route and never the path or the
 * query, in which the v1 API takes a key.
 */
export function traceRequests(tracing: Tracing, { basePath }: { readonly basePath: string }): TraceRequest {
  return ({ method, headers }) => {
    const attributes = { 'http.request.method': method };
    const { traceparent, tracestate } = headers;
    const given = typeof traceparent === 'string' ? { traceparent } : undefined;
    const state = typeof tracestate === 'string' ? { tracestate } : {};
    const span = tracing.begin(method, { kind: 'server', attributes }, given && { ...given, ...state });
    return {
      traceId: span.traceId,
      run: (work) => span.run(work),
      end({ route, status, errorCode }) {
        if (route !== undefined) {
          span.rename(`${method} ${basePath}${route}`);
          span.set({ 'http.route': `${basePath}${route}` });
        }
        if (status !== undefined) span.set({ 'http.response.status_code': status });
        const hasFailed = status === undefined || status >= FIRST_SERVER_ERROR;
        span.end(hasFailed ? (errorCode ?? 'aborted') : undefined);
      },
    };
  };
}
