// The one-process mode: its services, their health, administration over the local socket, and the lines printed at the start.
import { resolve } from 'node:path';
import { AppError, type Service } from '@busbar/core';
import type { BoundAddress, HealthCheck } from '@busbar/http';
import {
  createLifecycle,
  createProcessListener,
  dataDirectoryOf,
  isLoopback,
  reachableAddresses,
  versionLine,
  type Lifecycle,
} from '@busbar/runtime';
import {
  createAdminServer,
  replayLetter,
  restoreDataFile,
  type Addresses,
  type AdminContext,
  type RestoreReport,
} from '@busbar/operations';
import { assertDirectoryFree, createDeadLetterStore, type BackupOptions } from '@busbar/store';
import { bannerLines, type BannerFacts } from './banner';
import { keyToShow } from './first-key';
import { signInLink } from './sign-in-link';
import { createInProcessServices, type Context, type InProcessServices } from './in-process-services';

/** For certificates, where the store is a server. */
const DEFAULT_DIRECTORY = 'data';
const LOOPBACK = '127.0.0.1';

export interface Output {
  /** Prints the lines for people, once the service is ready. */
  print(line: string): void;
  /** A person reads them. Otherwise a log may store them, and a new key goes into a file. */
  readonly isTerminal: boolean;
}

/** Wires everything. */
export async function createAllInOne(context: Context, output: Output): Promise<Service> {
  const { settings, logger } = context;
  const dataDirectory = dataDirectoryOf(settings.storeUrl);
  const directory = dataDirectory ?? resolve(DEFAULT_DIRECTORY);
  const holder = createServicesRef(
    context,
    directory,
    await createInProcessServices(context, { directory, port: settings.port, plainPort: settings.plainPort }),
    () => internal.address(),
  );
  const running: HealthCheck = {
    name: 'process',
    isOk: () => all.running() && holder.running(),
    details: { ok: 'Everything runs.', failing: 'It starts, stops or restores a backup.' },
  };
  const internal = createProcessListener(context, {
    service: 'busbar',
    checks: () => [running, ...holder.services().checks],
  });
  const administration =
    dataDirectory === undefined ? [] : [createAdminServer({ directory, logger, context: holder.adminContext })];
  const guards = dataDirectory === undefined ? [] : [createDirectoryGuard(dataDirectory)];
  const all = createLifecycle({
    name: 'busbar',
    logger,
    stopWithinMs: settings.shutdownTimeoutS * 1000,
    services: [...guards, internal, holder, ...administration],
  });
  let isStarted = false;
  return {
    ...all,
    async start() {
      await all.start();
      if (isStarted || !all.ready()) return;
      isStarted = true;
      const services = holder.services();
      const { clientId, apiKey } = services.client();
      const key =
        settings.bootstrapApiKey === undefined
          ? await keyToShow(apiKey, directory, output, logger)
          : ({ kind: 'given' } as const);
      const link = { http: addressesOf(services).http, directory, isTerminal: output.isTerminal };
      const shown = services.hasConsole()
        ? await signInLink({ ...services.platform.records, ...context }, clientId, link)
        : undefined;
      for (const line of bannerOf(services, context, { clientId, key, console: shown })) output.print(line);
    },
  };
}

/**
 * Before any port is bound: a second start in the same directory has the same ports too, and the process that has the directory
 * is the better reason. The store locks the directory.
 */
function createDirectoryGuard(directory: string): Service {
  return {
    name: 'directory guard',
    async start() {
      assertDirectoryFree(directory);
      await Promise.resolve();
    },
    stop: () => Promise.resolve(),
    ready: () => true,
  };
}

interface ServicesRef extends Lifecycle {
  services(): InProcessServices;
  readonly adminContext: AdminContext;
}

/** Refers to the current services, which a restore replaces. */
function createServicesRef(
  context: Context,
  directory: string,
  first: InProcessServices,
  internal: () => BoundAddress,
): ServicesRef {
  const { logger, clock } = context;
  let services = first;
  let restoring: Promise<RestoreReport> | undefined;
  let isReleased = false;
  let isStopping = false;

  const restore = async (file: string): Promise<RestoreReport> => {
    const { listener, plain } = services.addresses();
    const release = async (): Promise<void> => {
      logger.warn({ file }, 'restoring a backup: the network stops for a moment');
      isReleased = true;
      await services.stop();
    };
    try {
      const report = await restoreDataFile(directory, file, { logger, clock, release });
      logger.warn({ file, ...report }, 'a backup was restored');
      return report;
    } finally {
      if (isReleased) {
        services = await createInProcessServices(context, {
          directory,
          port: listener.port,
          plainPort: plain?.port ?? 'off',
        });
        if (!isStopping) await restart(services);
        isReleased = false;
      }
    }
  };

  const adminContext: AdminContext = {
    get records() {
      return services.platform.records;
    },
    clock,
    backup: (file, options) => backupOf(services, file, options),
    async restore(file) {
      if (restoring !== undefined)
        throw new AppError('conflict', 'Another restore is in progress: wait until it ends.');
      restoring = restore(file).finally(() => (restoring = undefined));
      return restoring;
    },
    raiseCounters: () => services.platform.raiseCounters(),
    addresses: () => ({ ...addressesOf(services), internal: `http://${placeOf(internal())}` }),
    ownClientId: () => services.client().clientId,
    get connections() {
      return services.connections;
    },
    get deadLetters() {
      return createDeadLetterStore(services.platform.store);
    },
    replay: (letter) => replayLetter(services.platform.broker, context.settings.partitions, letter),
  };

  return {
    name: 'network',
    services: () => services,
    adminContext,
    start: () => services.start(),
    async stop() {
      isStopping = true;
      await restoring?.catch(() => undefined);
      await services.stop();
    },
    running: () => !isReleased && !isStopping && services.running(),
    ready: () => !isReleased && !isStopping && services.ready(),
  };
}

/** The process ends, with the reason in its log, if they cannot start again. */
async function restart(services: InProcessServices): Promise<void> {
  try {
    await services.start();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
    throw error;
  }
}

async function backupOf({ platform }: InProcessServices, file: string, options: BackupOptions): Promise<void> {
  if (platform.backup === undefined)
    throw new AppError('invalid_request', 'This store is a server: use its own backup tools.');
  await platform.backup(file, options);
}

function addressesOf(services: InProcessServices): Omit<Addresses, 'internal'> {
  const { listener, plain } = services.addresses();
  const place = placeOf(listener);
  return {
    http: `${services.isPlain ? 'http' : 'https'}://${place}`,
    ocpp: `${services.isPlain ? 'ws' : 'wss'}://${place}/ocpp/`,
    plainOcpp: plain === undefined ? null : `ws://${placeOf(plain)}/ocpp/`,
    certificate: services.certificate()?.certFile ?? null,
  };
}

/** The address for clients on this machine: a listener on all addresses also serves loopback. */
function placeOf({ host, port }: BoundAddress): string {
  return placeAt(host === '0.0.0.0' || host === '::' ? LOOPBACK : host, port);
}

function placeAt(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** The URLs for chargers at each address of this machine that `host` opens; where it opens none, for those on this machine. */
function chargerUrls(scheme: string, host: string, bound: BoundAddress | undefined): string[] {
  if (bound === undefined) return [];
  const reachable = reachableAddresses(host);
  const places = reachable.length === 0 ? [placeOf(bound)] : reachable.map((address) => placeAt(address, bound.port));
  return places.map((place) => `${scheme}://${place}/ocpp/`);
}

function bannerOf(
  services: InProcessServices,
  { settings, build }: Context,
  client: Pick<BannerFacts, 'clientId' | 'key' | 'console'>,
): string[] {
  const { host, plainHost = host, storeUrl } = settings;
  const { listener, plain } = services.addresses();
  const certificate = services.certificate();
  return bannerLines({
    ...client,
    version: versionLine('busbar', build),
    http: addressesOf(services).http,
    ocpp: chargerUrls(services.isPlain ? 'ws' : 'wss', host, listener),
    plainOcpp: chargerUrls('ws', plainHost, plain),
    isLocal: { ocpp: isLoopback(host), plainOcpp: isLoopback(plainHost) },
    data: dataDirectoryOf(storeUrl) ?? 'in MongoDB (STORE_URL)',
    certificate: certificate && { file: certificate.certFile, replaced: certificate.replaced },
  });
}
