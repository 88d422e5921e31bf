import type { Service } from '@busbar/core';
import { createListener, type BoundAddress, type Listener, type ListenerLimits, type TlsFiles } from '@busbar/http';
import { createV2App, type V2AppDeps } from './app';

export interface V2ApiDeps extends V2AppDeps {
  readonly host: string;
  readonly port: number;
  /** Absent: a proxy in `trustedProxies` ends TLS. */
  readonly tls?: TlsFiles | undefined;
  readonly limits?: Partial<ListenerLimits>;
}

export interface V2Api extends Service {
  /** What was bound. Throws before `start` resolved. */
  address(): BoundAddress;
  /** Open sockets. */
  sockets(): number;
}

/** The newer API on a port of its own. */
export function createV2Api(deps: V2ApiDeps): V2Api {
  const app = createV2App(deps);
  const listener: Listener = createListener({ ...deps, name: 'v2-api', onRequest: app.handle });
  return listener;
}
