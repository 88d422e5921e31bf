import type { ClosedRequest } from '@busbar/http';
import type { Distribution } from './histogram';
import { REQUEST_BUCKETS_S, type Metrics } from './metrics';

/** Measures the requests of one HTTP API. Paths that no route has count together. */
export function observeRequests(metrics: Metrics, api: string): (request: ClosedRequest) => void {
  const durations = metrics.histogram({
    name: 'busbar_http_request_duration_seconds',
    help: 'Time from the first line of a request until its response was sent, by API, route, method and status.',
    labels: ['api', 'route', 'method', 'status'],
    buckets: REQUEST_BUCKETS_S,
  });
  // Routes, methods and statuses are few, so the map is small.
  const known = new Map<string, Distribution>();
  return ({ route = 'unknown', method, status, seconds }) => {
    const shown = status === undefined ? 'aborted' : String(status);
    const key = `${method} ${shown} ${route}`;
    let distribution = known.get(key);
    if (distribution === undefined) {
      distribution = durations.child({ api, route, method, status: shown });
      known.set(key, distribution);
    }
    distribution.observe(seconds);
  };
}
