// Creates the first client and API key of a store.
import { AppError, isAppError, type Clock } from '@busbar/core';
import { toTimestamp, type Records } from '@busbar/domain';
import {
  ALL_PERMISSIONS,
  BOOTSTRAP_KEY_NAME,
  createApiKey,
  createClient,
  hashApiKey,
  isUsable,
  type ApiKey,
} from '@busbar/domain/clients';
import type { bootstrapSettings, SettingsCheck, SettingsOf } from '@busbar/runtime';

export interface BootstrapDeps {
  readonly records: Pick<Records, 'clients' | 'apiKeys'>;
  readonly clock: Clock;
}

export interface BootstrapResult {
  readonly clientId: string;
  /** Undefined for a key of an earlier start, of which only the hash is stored. */
  readonly apiKey: string | undefined;
}

type BootstrapSettings = SettingsOf<typeof bootstrapSettings>;

/** For `readSettings`: id and key belong together. */
export const bootstrapCheck: SettingsCheck<BootstrapSettings> = {
  of: ['bootstrapClientId', 'bootstrapApiKey'],
  check({ bootstrapClientId: clientId, bootstrapApiKey: apiKey }) {
    if ((clientId === undefined) === (apiKey === undefined)) return;
    const [set, missing] =
      clientId === undefined
        ? ['BOOTSTRAP_API_KEY', 'BOOTSTRAP_CLIENT_ID']
        : ['BOOTSTRAP_CLIENT_ID', 'BOOTSTRAP_API_KEY'];
    throw new AppError('invalid_configuration', `${set} is set without ${missing}: set both or neither.`);
  },
};

/**
 * Creates the client and key of `BOOTSTRAP_*` if they are missing; undefined when they are not set. Several processes may do
 * so at once. A changed key is added beside the old one. Throws `invalid_configuration`.
 */
export async function bootstrap(
  deps: BootstrapDeps,
  settings: BootstrapSettings,
): Promise<BootstrapResult | undefined> {
  const { bootstrapClientId: clientId, bootstrapApiKey: apiKey, bootstrapClientName: name } = settings;
  bootstrapCheck.check(settings);
  if (clientId === undefined || apiKey === undefined) return undefined;
  const createdAt = toTimestamp(deps.clock.now());
  // An existing client is of an earlier start or of a process that starts now.
  await deps.records.clients.insert({ clientId, name, openCharging: false, createdAt });
  await ensureKey(deps, clientId, apiKey);
  return { clientId, apiKey };
}

/** The client of `BOOTSTRAP_*`, else the oldest one, else a new one with its first key. */
export async function bootstrapOrFirstClient(
  deps: BootstrapDeps,
  settings: BootstrapSettings,
): Promise<BootstrapResult> {
  const given = await bootstrap(deps, settings);
  if (given !== undefined) return given;
  const [oldest] = await deps.records.clients.list();
  if (oldest !== undefined) return { clientId: oldest.clientId, apiKey: undefined };
  const { client, secret } = await createClient(
    { clients: deps.records.clients, apiKeys: deps.records.apiKeys, clock: deps.clock },
    { name: settings.bootstrapClientName },
  );
  return { clientId: client.clientId, apiKey: secret };
}

async function ensureKey({ records, clock }: BootstrapDeps, clientId: string, secret: string): Promise<void> {
  const find = (): Promise<ApiKey | undefined> => records.apiKeys.findByHash(hashApiKey(secret));
  let key = await find();
  if (key === undefined) {
    try {
      const input = { clientId, name: BOOTSTRAP_KEY_NAME, permissions: ALL_PERMISSIONS, expiresAt: null, secret };
      ({ key } = await createApiKey({ apiKeys: records.apiKeys, clock }, input));
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error;
      // Another process was faster.
      key = await find();
    }
  }
  if (key?.clientId === clientId && isUsable(key, toTimestamp(clock.now()))) return;
  const reason = key?.clientId === clientId ? 'was revoked' : 'belongs to another client';
  throw new AppError('invalid_configuration', `BOOTSTRAP_API_KEY ${reason}: choose another key.`);
}
