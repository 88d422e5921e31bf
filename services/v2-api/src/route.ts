import type { ApiKey } from '@busbar/domain/clients';
import { routesFor } from '@busbar/http';

/** Routes of this API: behind an API key, or open to anyone. What creates is a POST and takes an `Idempotency-Key`, as commands of any method do (`commandParts`). */
export const { route, versionedRoute, publicRoute } = routesFor<ApiKey>({ idempotencyKeyOn: ['POST'] });
