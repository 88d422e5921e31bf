// The services as processes of their own behind the proxy of the compose file: one origin, as a deployment has it.
import { freePort } from '@busbar/testing';
import { openProcessesWorld, type Part } from './processes';
import { startProxy } from './proxy';
import type { OwnWorld } from './world';

const TRUSTED_PROXIES = '127.0.0.1/32';

export interface ProxiedWorld extends OwnWorld {
  /** `https://host:port` of the proxy. */
  readonly origin: string;
  /** Returns the status that the health check of the proxy's container gets. */
  readyz(): Promise<number | undefined>;
}

/** The services keep their ports over a restart, so that the proxy finds them again. `ofV2`: further settings of v2-api. */
export async function openProxiedWorld(ofV2: Readonly<Record<string, string>> = {}): Promise<ProxiedWorld> {
  const [gateway, v2, legacy] = await Promise.all([freePort(), freePort(), freePort()]);
  const behindProxy = (port: number) => ({
    TLS: 'off',
    TLS_CERT_FILE: undefined,
    TLS_KEY_FILE: undefined,
    TRUSTED_PROXIES,
    PORT: String(port),
  });
  const settings: Readonly<Partial<Record<Part, Readonly<Record<string, string | undefined>>>>> = {
    'ocpp-gateway': { OCPP_PLAIN_PORT: String(gateway), TRUSTED_PROXIES },
    'v2-api': { ...behindProxy(v2), ...ofV2 },
    'legacy-api': behindProxy(legacy),
  };
  const world = await openProcessesWorld({}, (part) => settings[part] ?? {});
  try {
    const proxy = await startProxy({
      'ocpp-gateway:8080': `127.0.0.1:${String(gateway)}`,
      'v2-api:8443': `127.0.0.1:${String(v2)}`,
      'legacy-api:8443': `127.0.0.1:${String(legacy)}`,
    });
    const { origin } = proxy;
    const own = { v2: `${origin}/v2`, api: `${origin}/api`, ocpp: `${origin.replace('https', 'wss')}/ocpp/` };
    return {
      ...world,
      origin,
      readyz: () => proxy.readyz(),
      addresses: () => ({ ...world.addresses(), ...own }),
      async stop() {
        await proxy.stop();
        await world.stop();
      },
    };
  } catch (error) {
    await world.stop();
    throw error;
  }
}
