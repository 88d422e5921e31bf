import type { Service } from '@busbar/core';
import { createListener, type BoundAddress, type ListenerLimits, type TlsFiles } from '@busbar/http';
import { createApiApp, type ApiDefinition, type ApiDeps } from './api-app';

export interface ApiListenerDeps extends ApiDeps {
  readonly host: string;
  readonly port: number;
  /** Absent: a proxy in `trustedProxies` ends TLS. */
  readonly tls?: TlsFiles | undefined;
  readonly limits?: Partial<ListenerLimits>;
  readonly onCertificate?: (endsAt: Date) => void;
}

export interface Api extends Service {
  /** The bound address. Throws before `start` resolved. */
  address(): BoundAddress;
  /** Open sockets. */
  sockets(): number;
}

/** An API on a port of its own. */
export function createApi(definition: ApiDefinition, deps: ApiListenerDeps): Api {
  const { handle } = createApiApp(definition, deps);
  return createListener({ ...deps, name: definition.name, onRequest: handle });
}
