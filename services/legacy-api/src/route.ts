import type { ApiKey } from '@busbar/domain/clients';
import { routesFor } from '@busbar/http';

/** Routes of this API. */
export const { route, longRoute } = routesFor<ApiKey>();
