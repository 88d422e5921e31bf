import type { Service } from '@busbar/core';
import { createListener, type BoundAddress, type Listener, type ListenerLimits, type TlsFiles } from '@busbar/http';
import { createLegacyApp, type LegacyAppDeps } from './app';

export interface LegacyApiDeps extends LegacyAppDeps {
  readonly host: string;
  readonly port: number;
  /** Absent: a proxy in `trustedProxies` ends TLS. */
  readonly tls?: TlsFiles | undefined;
  readonly limits?: Partial<ListenerLimits>;
}

export interface LegacyApi extends Service {
  /** What was bound. Throws before `start` resolved. */
  address(): BoundAddress;
  /** Open sockets. */
  sockets(): number;
}

/** The older API on a port of its own. */
export function createLegacyApi(deps: LegacyApiDeps): LegacyApi {
  const app = createLegacyApp(deps);
  const listener: Listener = createListener({ ...deps, name: 'legacy-api', onRequest: app.handle });
  return listener;
}
