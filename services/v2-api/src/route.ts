import type { ApiKey } from '@busbar/domain';
import { routesFor } from '@busbar/http';

/** Routes of this API: behind an API key, or open to anyone. What creates or commands is a POST and takes an `Idempotency-Key`. */
export const { route, versionedRoute, publicRoute } = routesFor<ApiKey>({ idempotencyKeyOn: ['POST'] });
