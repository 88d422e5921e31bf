// An API as a process of its own.
import type { Service } from '@busbar/core';
import { createRequestLimits, type HealthCheck, type Listener } from '@busbar/http';
import { bootstrap, bootstrapCheck, createDeployment, renewStoredSecrets } from '@busbar/operations';
import {
  announced,
  bootstrapSettings,
  brokerCheck,
  brokerHealth,
  brokerSettings,
  commandSettings,
  createAuthorizationLink,
  createChargerLink,
  createFeedHints,
  createLifecycle,
  createPlatform,
  createProcessListener,
  createPushLink,
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
  type SettingsOf,
} from '@busbar/runtime';
import { createApi, type ApiListenerDeps } from './api';
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

/** Rules about settings that must agree. */
export const apiChecks = [...tlsChecks({ isMade: false }), brokerCheck, storeCheck, bootstrapCheck];

/** Those of the API that has webhooks, beside `apiChecks`. */
export const webhookChecks = [secretsCheck];

/** Runs an API until a signal; see `run`. */
export function runApi(definition: ApiDefinition): Promise<void> {
  return run({
    name: definition.name,
    settings: apiProcessSettings,
    checks: apiChecks,
    create: (context) => createApiProcess(definition, context),
  });
}

/** What one API has and the other has not. */
export type ApiExtension = (
  deps: ApiDeps,
  platform: Platform,
) => Pick<ApiListenerDeps, 'front' | 'hasConsole' | 'secrets' | 'checkUrl' | 'deployment'> & {
  /** Started after the platform. */
  readonly services?: readonly Service[];
};

/** The dependencies of the API that has webhooks, in a process of its own. */
export function webhookDeps(settings: SettingsOf<typeof webhookApiSettings>): Pick<ApiDeps, 'secrets' | 'checkUrl'> {
  return { secrets: secretsFrom(settings), checkUrl: createUrlCheck(settings, false) };
}

/** An API as the only service of a process. The client of `BOOTSTRAP_*` is created before the port opens. */
export async function createApiProcess(
  definition: ApiDefinition,
  context: ProgramContext<typeof apiProcessSettings>,
  extend: ApiExtension = () => ({}),
): Promise<Service> {
  const { settings, logger, clock, metrics, tracing, build } = context;
  const { name } = definition;
  const { brokerUrl, storeUrl, host, port } = settings;
  const platform = createPlatform({
    ...context,
    brokerUrl,
    storeUrl,
    program: { service: name, version: programVersion(build) },
    tlsFiles: settings,
  });
  const { records, broker } = platform;
  const feedHints = definition.readsFeed === true ? createFeedHints(broker) : undefined;
  const deps: ApiDeps = {
    records,
    link: createChargerLink({ broker, clock, metrics }),
    authorizationLink: createAuthorizationLink(broker),
    pushLink: createPushLink(broker),
    clock,
    logger,
    metrics,
    tracing,
    trustedProxies: settings.trustedProxies,
    requestLimits: createRequestLimits(rateLimitsFrom(settings), clock),
    commandTimeoutS: settings.commandTimeoutS,
    maskKeys: settings.maskKeys,
    ...(feedHints && { feedHints }),
  };
  const { services: more = [], ...extension } = extend(deps, platform);
  const api = createApi(definition, {
    ...deps,
    ...extension,
    host,
    port,
    tls: await tlsFrom(settings),
    onCertificate: observeCertificate(metrics),
    limits: { socketsPerAddress: settings.maxSocketsPerAddress },
  });
  observeSockets(metrics, [api]);
  const checks = healthChecks(api, platform);
  const internal = createProcessListener(context, { service: name, checks: () => checks });
  const preparation: Service = {
    name: 'preparation',
    async start() {
      await bootstrap({ records, clock }, settings);
      if (extension.secrets !== undefined) await renewStoredSecrets({ ...records, secrets: extension.secrets, logger });
    },
    stop: () => Promise.resolve(),
    ready: () => true,
  };
  const hints = feedHints === undefined ? [] : [feedHints];
  const services = [internal, platform, ...hints, ...more, preparation, announced(api, 'public', logger)];
  return createLifecycle({ name, services, logger });
}

/** Dead letters and processes of the deployment, for an API in a process of its own. */
export const operatorExtension: ApiExtension = ({ clock }, platform) => {
  const deployment = createDeployment({ ...platform, clock });
  return { deployment, services: [deployment] };
};

function healthChecks(api: Listener, { store, broker }: Platform): readonly HealthCheck[] {
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
