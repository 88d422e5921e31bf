import type { RequestListener } from 'node:http';
import { createListener, type Listener, type ListenerOptions } from '@busbar/http';
import { createApiApp, type ApiDefinition, type ApiDeps } from './api-app';

export type ApiListenerDeps = ApiDeps &
  Pick<ListenerOptions, 'host' | 'port' | 'tls' | 'limits' | 'onCertificate'> & {
    /** Takes the requests of the port before the API. */
    readonly front?: (api: RequestListener) => RequestListener;
  };

/** An API on a port of its own. */
export function createApi(definition: ApiDefinition, deps: ApiListenerDeps): Listener {
  const { handle } = createApiApp(definition, deps);
  return createListener({ ...deps, name: definition.name, onRequest: deps.front?.(handle) ?? handle });
}
