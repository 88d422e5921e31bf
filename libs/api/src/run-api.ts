// An API as a process of its own.
import type { Service } from '@busbar/core';
import { createRequestLimits, type HealthCheck } from '@busbar/http';
import { bootstrap, bootstrapCheck } from '@busbar/operations';
import {
  announced,
  bootstrapSettings,
  brokerCheck,
  brokerHealth,
  brokerSettings,
  commandSettings,
  createChargerLink,
  createFeedHints,
  createLifecycle,
  createPlatform,
  createProcessListener,
  listenSettings,
  maskSettings,
  observeCertificate,
  observeSockets,
  processSettings,
  programVersion,
  rateLimitSettings,
  rateLimitsFrom,
  run,
  storeCheck,
  storeHealth,
  storeSettings,
  tlsChecks,
  tlsFrom,
  tlsSettings,
} from '@busbar/runtime';
import { createApi } from './api';
import type { ApiDefinition } from './api-app';

/** The settings of an API, alone or in one process with the others. */
export const apiSettings = { ...rateLimitSettings, ...commandSettings, ...maskSettings };

/** The settings of an API in a process of its own. */
export const apiProcessSettings = {
  ...processSettings({ shutdownTimeoutS: 10 }),
  ...listenSettings('alone'),
  ...tlsSettings,
  ...brokerSettings,
  ...storeSettings,
  ...bootstrapSettings,
  ...apiSettings,
};

/** Runs an API until a signal; see `run`. The client of `BOOTSTRAP_*` is created before the port opens. */
export function runApi(definition: ApiDefinition): Promise<void> {
  const { name } = definition;
  return run({
    name,
    settings: apiProcessSettings,
    checks: [...tlsChecks({ isMade: false }), brokerCheck, storeCheck, bootstrapCheck],
    async create(context) {
      const { settings, logger, clock, metrics, tracing, build } = context;
      const program = { service: name, version: programVersion(build) };
      const { brokerUrl, storeUrl, host, port, trustedProxies, commandTimeoutS, maskKeys } = settings;
      const platform = createPlatform({
        brokerUrl,
        storeUrl,
        logger,
        clock,
        metrics,
        tracing,
        program,
        tlsFiles: settings,
      });
      const { records, store, broker } = platform;
      const feedHints = definition.readsFeed === true ? createFeedHints(broker) : undefined;
      const api = createApi(definition, {
        host,
        port,
        tls: await tlsFrom(settings),
        onCertificate: observeCertificate(metrics),
        limits: { socketsPerAddress: settings.maxSocketsPerAddress },
        records,
        link: createChargerLink({ broker, clock, metrics }),
        clock,
        logger,
        metrics,
        tracing,
        trustedProxies,
        requestLimits: createRequestLimits(rateLimitsFrom(settings), clock),
        commandTimeoutS,
        maskKeys,
        ...(feedHints && { feedHints }),
      });
      observeSockets(metrics, [api]);
      const checks: readonly HealthCheck[] = [
        {
          name: 'public port',
          isOk: () => api.ready(),
          details: { ok: 'It accepts requests.', failing: 'It is not open: the process starts or stops.' },
        },
        storeHealth(store, { failing: 'requests get 503.' }),
        brokerHealth(broker, { required: false, failing: 'commands to chargers get 503, other requests work.' }),
      ];
      const internal = createProcessListener(context, { service: name, checks: () => checks });
      const firstKey: Service = {
        name: 'first key',
        async start() {
          await bootstrap({ records, clock }, settings);
        },
        stop: () => Promise.resolve(),
        ready: () => true,
      };
      const hints = feedHints === undefined ? [] : [feedHints];
      const services = [internal, platform, ...hints, firstKey, announced(api, 'public', logger)];
      return createLifecycle({ name, services, logger });
    },
  });
}
