import type { ApiKey } from '@busbar/domain/clients';
import { routesFor } from '@busbar/http';

/** Routes of this API: behind an API key, with an answer of any length, or open to anyone. */
export const { route, longRoute, publicRoute } = routesFor<ApiKey>();
