// An API as a process of its own.
import type { Service } from '@busbar/core';
import { createRequestLimits, type HealthCheck, type Listener } from '@busbar/http';
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
  createUrlCheck,
  listenSettings,
  maskSettings,
  observeCertificate,
  observeSockets,
  processSettings,
  programVersion,
  rateLimitSettings,
  rateLimitsFrom,
  run,
  secretsCheck,
  secretsFrom,
  secretsSettings,
  storeCheck,
  storeHealth,
  storeSettings,
  tlsChecks,
  tlsFrom,
  tlsSettings,
  urlCheckSettings,
  type Platform,
  type ProgramContext,
} from '@busbar/runtime';
import { createApi } from './api';
import type { ApiDefinition, ApiDeps } from './api-app';

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

/** Those of the API that has webhooks, beside `apiSettings`. */
export const webhookApiSettings = { ...secretsSettings, ...urlCheckSettings };

/** The settings of that API in a process of its own. */
export const webhookApiProcessSettings = { ...apiProcessSettings, ...webhookApiSettings };

const CHECKS = [...tlsChecks({ isMade: false }), brokerCheck, storeCheck, bootstrapCheck];

/** Runs an API until a signal; see `run`. The client of `BOOTSTRAP_*` is created before the port opens. */
export function runApi(definition: ApiDefinition): Promise<void> {
  return run({
    name: definition.name,
    settings: apiProcessSettings,
    checks: CHECKS,
    create: (context) => createApiProcess(definition, context),
  });
}

/** `runApi` for the API that has webhooks. */
export function runWebhookApi(definition: ApiDefinition): Promise<void> {
  return run({
    name: definition.name,
    settings: webhookApiProcessSettings,
    checks: [...CHECKS, secretsCheck],
    create(context) {
      const { settings } = context;
      const deps = { secrets: secretsFrom(settings), checkUrl: createUrlCheck(settings, false) };
      return createApiProcess(definition, context, deps);
    },
  });
}

type Context = ProgramContext<typeof apiProcessSettings>;

async function createApiProcess(
  definition: ApiDefinition,
  context: Context,
  webhookDeps: Pick<ApiDeps, 'secrets' | 'checkUrl'> = {},
): Promise<Service> {
  const { settings, logger, clock, metrics, tracing, build } = context;
  const { name } = definition;
  const program = { service: name, version: programVersion(build) };
  const { brokerUrl, storeUrl, host, port, trustedProxies, commandTimeoutS, maskKeys } = settings;
  const deps = { logger, clock, metrics, tracing };
  const platform = createPlatform({ brokerUrl, storeUrl, ...deps, program, tlsFiles: settings });
  const { records, broker } = platform;
  const feedHints = definition.readsFeed === true ? createFeedHints(broker) : undefined;
  const api = createApi(definition, {
    host,
    port,
    tls: await tlsFrom(settings),
    onCertificate: observeCertificate(metrics),
    limits: { socketsPerAddress: settings.maxSocketsPerAddress },
    records,
    link: createChargerLink({ broker, clock, metrics }),
    ...deps,
    trustedProxies,
    requestLimits: createRequestLimits(rateLimitsFrom(settings), clock),
    commandTimeoutS,
    maskKeys,
    ...(feedHints && { feedHints }),
    ...webhookDeps,
  });
  observeSockets(metrics, [api]);
  const checks = checksOf(api, platform);
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
}

function checksOf(api: Listener, { store, broker }: Platform): readonly HealthCheck[] {
  return [
    {
      name: 'public port',
      isOk: () => api.ready(),
      details: { ok: 'It accepts requests.', failing: 'It is not open: the process starts or stops.' },
    },
    storeHealth(store, { failing: 'requests get 503.' }),
    brokerHealth(broker, { required: false, failing: 'commands to chargers get 503, other requests work.' }),
  ];
}
