import type { ApiKey } from '@busbar/domain';
import { routesFor } from '@busbar/http';

/** Routes of this API: behind an API key, or open to anyone. */
export const { route, publicRoute } = routesFor<ApiKey>();
