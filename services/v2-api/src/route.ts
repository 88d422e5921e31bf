import type { ApiKey } from '@busbar/domain/clients';
import { routesFor } from '@busbar/http';

/** Routes of this API. POST routes accept an `Idempotency-Key`, as commands of any method do (`commandParts`). */
export const { route, streamRoute, versionedRoute } = routesFor<ApiKey>({ idempotencyKeyOn: ['POST'] });
