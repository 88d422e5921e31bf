// An HTTP API as a process of its own: what both generations do alike around their routes.
import type { Clock, Logger, Service } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { ChargerLink } from '@busbar/domain/commands';
import {
  createInternalListener,
  createRequestLimits,
  type BoundAddress,
  type RequestLimits,
  type TlsFiles,
} from '@busbar/http';
import { announced } from '@busbar/runtime';
import { bootstrap } from '@busbar/operations';
import { createChargerLink } from '@busbar/runtime';
import { createLifecycle } from '@busbar/runtime';
import { observeSockets } from '@busbar/runtime';
import { createPlatform } from '@busbar/runtime';
import { run } from '@busbar/runtime';
import {
  bootstrapSettings,
  brokerSettings,
  commandSettings,
  listenSettings,
  maskSettings,
  processSettings,
  rateLimitSettings,
  rateLimitsFrom,
  storeSettings,
  tlsSettings,
} from '@busbar/runtime';
import { tlsFrom } from '@busbar/runtime';

/** What an API process reads. */
export const apiSettings = {
  ...processSettings({ shutdownTimeoutS: 10 }),
  ...listenSettings('alone'),
  ...tlsSettings,
  ...brokerSettings,
  ...storeSettings,
  ...bootstrapSettings,
  ...rateLimitSettings,
  ...commandSettings,
  ...maskSettings,
};

export interface ApiParts {
  readonly host: string;
  readonly port: number;
  /** Absent: a proxy in `trustedProxies` ends TLS. */
  readonly tls: TlsFiles | undefined;
  readonly records: Records;
  /** The way to chargers; while the broker is away it says so at once. */
  readonly link: ChargerLink;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly trustedProxies: readonly string[];
  readonly requestLimits: RequestLimits;
  /** Seconds that a command waits for the charger's answer when its caller says nothing else. */
  readonly commandTimeoutS: number;
  /** The operator's own words for secrets. */
  readonly maskKeys: readonly string[];
  /** Of the listener. */
  readonly limits: { readonly socketsPerAddress: number };
}

export interface ListeningApi extends Service {
  address(): BoundAddress;
  /** Open sockets. */
  sockets(): number;
}

/** Runs an API until a signal; see `run`. The client of `BOOTSTRAP_*` is made before the port answers. */
export function runApi(name: string, create: (parts: ApiParts) => ListeningApi): Promise<void> {
  return run({
    name,
    settings: apiSettings,
    async create({ settings, logger, clock, metrics }) {
      const { host, port, internalHost, internalPort, trustedProxies, commandTimeoutS, maskKeys } = settings;
      const tls = await tlsFrom(settings);
      const { brokerUrl, storeUrl } = settings;
      const platform = createPlatform({ brokerUrl, storeUrl, logger, clock, metrics, tlsFiles: settings });
      const { records } = platform;
      const link = createChargerLink(platform.broker);
      const requestLimits = createRequestLimits(rateLimitsFrom(settings), clock);
      const common = { records, link, clock, logger, trustedProxies, requestLimits, commandTimeoutS, maskKeys };
      const limits = { socketsPerAddress: settings.maxSocketsPerAddress };
      const api = create({ host, port, tls, limits, ...common });
      observeSockets(metrics, [api]);
      const internal = createInternalListener({
        host: internalHost,
        port: internalPort,
        // Not the broker: without it records are still read.
        isReady: () => platform.store.ready() && api.ready(),
        readMetrics: async () => ({ contentType: metrics.contentType, text: await metrics.text() }),
      });
      const firstKey: Service = {
        name: 'first key',
        async start() {
          await bootstrap({ records, clock }, settings);
        },
        stop: () => Promise.resolve(),
        ready: () => true,
      };
      const services = [announced(internal, 'internal', logger), platform, firstKey, announced(api, 'public', logger)];
      return createLifecycle({ name, services, logger });
    },
  });
}
