// The one-process mode: the network, its health, administration over the local socket, and the lines printed at the start.
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
import { createNetwork, type Context, type Network } from './network';

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
  const holder = createNetworkRef(
    context,
    directory,
    await createNetwork(context, { directory, port: settings.port, plainPort: settings.plainPort }),
    () => internal.address(),
  );
  const running: HealthCheck = {
    name: 'process',
    isOk: () => all.running() && holder.running(),
    details: { ok: 'Everything runs.', failing: 'It starts, stops or restores a backup.' },
  };
  const internal = createProcessListener(context, {
    service: 'busbar',
    checks: () => [running, ...holder.network().checks],
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
      const network = holder.network();
      const { clientId, apiKey } = network.client();
      const key =
        settings.bootstrapApiKey === undefined
          ? await keyToShow(apiKey, directory, output, logger)
          : ({ kind: 'given' } as const);
      for (const line of bannerOf(network, context, { clientId, key })) output.print(line);
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
    start: () => assertDirectoryFree(directory),
    stop: () => Promise.resolve(),
    ready: () => true,
  };
}

interface NetworkRef extends Lifecycle {
  network(): Network;
  readonly adminContext: AdminContext;
}

/** Refers to the current network, which a restore replaces. */
function createNetworkRef(
  context: Context,
  directory: string,
  first: Network,
  internal: () => BoundAddress,
): NetworkRef {
  const { logger, clock } = context;
  let network = first;
  let restoring: Promise<RestoreReport> | undefined;
  let isReleased = false;
  let isStopping = false;

  const restore = async (file: string): Promise<RestoreReport> => {
    const { listener, plain } = network.addresses();
    const release = async (): Promise<void> => {
      logger.warn({ file }, 'restoring a backup: the network stops for a moment');
      isReleased = true;
      await network.stop();
    };
    try {
      const report = await restoreDataFile(directory, file, { logger, clock, release });
      logger.warn({ file, ...report }, 'a backup was restored');
      return report;
    } finally {
      if (isReleased) {
        network = await createNetwork(context, { directory, port: listener.port, plainPort: plain?.port ?? 'off' });
        if (!isStopping) await restart(network);
        isReleased = false;
      }
    }
  };

  const adminContext: AdminContext = {
    get records() {
      return network.platform.records;
    },
    clock,
    backup: (file, options) => backupOf(network, file, options),
    async restore(file) {
      if (restoring !== undefined)
        throw new AppError('conflict', 'Another restore is in progress: wait until it ends.');
      restoring = restore(file).finally(() => (restoring = undefined));
      return restoring;
    },
    raiseCounters: () => network.platform.raiseCounters(),
    addresses: () => ({ ...addressesOf(network), internal: `http://${placeOf(internal())}` }),
    ownClientId: () => network.client().clientId,
    get connections() {
      return network.connections;
    },
    get deadLetters() {
      return createDeadLetterStore(network.platform.store);
    },
    replay: (letter) => replayLetter(network.platform.broker, context.settings.partitions, letter),
  };

  return {
    name: 'network',
    network: () => network,
    adminContext,
    start: () => network.start(),
    async stop() {
      isStopping = true;
      await restoring?.catch(() => undefined);
      await network.stop();
    },
    running: () => !isReleased && !isStopping && network.running(),
    ready: () => !isReleased && !isStopping && network.ready(),
  };
}

/** The process ends, with the reason in its log, if the network cannot start again. */
async function restart(network: Network): Promise<void> {
  try {
    await network.start();
  } catch (error) {
    setImmediate(() => {
      throw error;
    });
    throw error;
  }
}

async function backupOf({ platform }: Network, file: string, options: BackupOptions): Promise<void> {
  if (platform.backup === undefined)
    throw new AppError('invalid_request', 'This store is a server: use its own backup tools.');
  await platform.backup(file, options);
}

function addressesOf(network: Network): Omit<Addresses, 'internal'> {
  const { listener, plain } = network.addresses();
  const place = placeOf(listener);
  return {
    http: `${network.isPlain ? 'http' : 'https'}://${place}`,
    ocpp: `${network.isPlain ? 'ws' : 'wss'}://${place}/ocpp/`,
    plainOcpp: plain === undefined ? null : `ws://${placeOf(plain)}/ocpp/`,
    certificate: network.certificate()?.certFile ?? null,
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
  network: Network,
  { settings, build }: Context,
  client: Pick<BannerFacts, 'clientId' | 'key'>,
): string[] {
  const { host, plainHost = host, storeUrl } = settings;
  const { listener, plain } = network.addresses();
  const certificate = network.certificate();
  return bannerLines({
    ...client,
    version: versionLine('busbar', build),
    http: addressesOf(network).http,
    ocpp: chargerUrls(network.isPlain ? 'ws' : 'wss', host, listener),
    plainOcpp: chargerUrls('ws', plainHost, plain),
    isLocal: { ocpp: isLoopback(host), plainOcpp: isLoopback(plainHost) },
    data: dataDirectoryOf(storeUrl) ?? 'in MongoDB (STORE_URL)',
    certificate: certificate && { file: certificate.certFile, replaced: certificate.replaced },
  });
}
