import { AppError } from '@busbar/core';
import { createApi, type CallApi } from './api';

/** Runs an administration command, wherever the data is; gives its data. */
export type Administer = (line: readonly string[]) => Promise<unknown>;

export interface RegistrationOptions {
  readonly origin: string;
  readonly chargerIds: readonly string[];
  readonly client: string | undefined;
}

const CONCURRENCY = 8;
const PERMISSIONS = 'sites:read,sites:write,chargers:read,chargers:write';
/** Should the key not be revoked at the end (a power cut, a kill), it ends by itself. */
const KEY_LIVES_MS = 24 * 60 * 60 * 1000;

/** Makes a site and the chargers in it that are not there yet, with a key that is revoked before this resolves or rejects. */
export async function register(options: RegistrationOptions, administer: Administer): Promise<void> {
  const ofClient = options.client === undefined ? [] : ['--client', options.client];
  const expires = new Date(Date.now() + KEY_LIVES_MS).toISOString();
  const asked = ['key', 'create', '--name', 'simulator', '--permissions', PERMISSIONS, '--expires', expires];
  const { clientId, keyId, key } = keyOf(await administer([...asked, ...ofClient]));
  try {
    await makeChargers(createApi(options.origin, key), options.chargerIds);
  } finally {
    await administer(['key', 'revoke', keyId, '--client', clientId]);
  }
}

async function makeChargers(call: CallApi, chargerIds: readonly string[]): Promise<void> {
  const site = await call('POST', '/sites', { name: 'Simulated site' });
  const { id: siteId } = site.body as { id?: unknown };
  if (site.status !== 200) throw refused('a site', site.status, site.body);
  const waiting = [...chargerIds];
  const work = async (): Promise<void> => {
    for (let chargerId = waiting.shift(); chargerId !== undefined; chargerId = waiting.shift()) {
      await makeCharger(call, chargerId, siteId);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

async function makeCharger(call: CallApi, chargerId: string, siteId: unknown): Promise<void> {
  const made = await call('POST', '/chargers', { chargerId, name: `Simulated ${chargerId}`, siteId });
  if (made.status === 200) return;
  // Of an earlier run, unless it is another client's: then it cannot be read.
  if (made.status === 409 && (await call('GET', `/chargers/${chargerId}`)).status === 200) return;
  throw refused(`charger ${chargerId}`, made.status, made.body);
}

function refused(what: string, status: number, body: unknown): AppError {
  const detail = (body as { detail?: unknown } | null)?.detail;
  const reason = typeof detail === 'string' ? detail : 'no reason given';
  return new AppError('invalid_request', `Making ${what} was refused (${String(status)}): ${reason}`);
}

function keyOf(data: unknown): { clientId: string; keyId: string; key: string } {
  const { clientId, keyId, key } = data as Record<string, unknown>;
  if (typeof clientId === 'string' && typeof keyId === 'string' && typeof key === 'string') {
    return { clientId, keyId, key };
  }
  throw new AppError('unavailable', 'The running process answered in a way that this version does not understand.');
}
