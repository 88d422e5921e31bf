// Creates through the v2 API what simulated chargers need: a site, the chargers with their password, and tags.
import { AppError } from '@busbar/core';
import { createApi, type CallApi, type Reply } from './api';
import type { ServiceTls } from './service-tls';

/** Runs an administration command, wherever the data is; gives its data. */
export type Administer = (line: readonly string[]) => Promise<unknown>;

export interface RegistrationOptions {
  readonly origin: string;
  readonly tls: ServiceTls;
  readonly chargerIds: readonly string[];
  readonly tags: readonly string[];
  readonly password: string | undefined;
  /** Undefined: a temporary one is created. */
  readonly key: string | undefined;
  readonly client: string | undefined;
}

const CONCURRENCY = 8;
const PERMISSIONS = 'sites:read,sites:write,chargers:read,chargers:write,tags:read,tags:write';
const SITE = 'Simulated site';
/** Should the key not be revoked at the end (a power cut, a kill), it ends by itself. */
const KEY_LIVES_MS = 24 * 60 * 60 * 1000;

/** Creates what is not there yet. A temporary key is revoked before this resolves or rejects. */
export async function register(options: RegistrationOptions, administer: Administer): Promise<void> {
  const { key: given, client } = options;
  if (given !== undefined) return createAll(options, given);
  const ofClient = client === undefined ? [] : ['--client', client];
  const expires = new Date(Date.now() + KEY_LIVES_MS).toISOString();
  const asked = ['key', 'create', '--name', 'simulator', '--permissions', PERMISSIONS, '--expires', expires];
  const { clientId, keyId, key } = keyOf(await administer([...asked, ...ofClient]));
  try {
    await createAll(options, key);
  } finally {
    await administer(['key', 'revoke', keyId, '--client', clientId]);
  }
}

async function createAll({ origin, tls, chargerIds, tags, password }: RegistrationOptions, key: string): Promise<void> {
  const call = createApi({ origin, key, tls });
  const siteId = await siteIdOf(call);
  await forEach(tags, (idTag) => createTag(call, idTag));
  await forEach(chargerIds, (chargerId) => createCharger(call, chargerId, { siteId, password }));
}

/** Some at a time. */
async function forEach(names: readonly string[], create: (name: string) => Promise<void>): Promise<void> {
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await create(name);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** The site of an earlier run, or a new one. */
async function siteIdOf(call: CallApi): Promise<unknown> {
  const found = await call('GET', `/sites?search=${encodeURIComponent(SITE)}`);
  if (found.status !== 200) throw refused('read sites', found);
  const { items = [] } = found.body as { items?: readonly { id?: unknown; name?: unknown }[] };
  const earlier = items.find(({ name }) => name === SITE);
  if (earlier !== undefined) return earlier.id;
  const made = await call('POST', '/sites', { name: SITE });
  if (made.status !== 200) throw refused('create a site', made);
  return (made.body as { id?: unknown }).id;
}

async function createTag(call: CallApi, idTag: string): Promise<void> {
  const made = await call('POST', '/tags', { idTag });
  if (made.status !== 200 && made.status !== 409) throw refused(`create the tag ${idTag}`, made);
}

async function createCharger(
  call: CallApi,
  chargerId: string,
  { siteId, password }: { readonly siteId: unknown; readonly password: string | undefined },
): Promise<void> {
  const made = await call('POST', '/chargers', { chargerId, name: `Simulated ${chargerId}`, siteId });
  // The charger is of an earlier run, unless it is another client's: then it cannot be read.
  const exists = made.status === 409 && (await call('GET', `/chargers/${chargerId}`)).status === 200;
  if (made.status !== 200 && !exists) throw refused(`create the charger ${chargerId}`, made);
  if (password === undefined) return;
  const set = await call('PUT', `/chargers/${chargerId}/authentication`, { password });
  if (set.status !== 200) throw refused(`set the password of ${chargerId}`, set);
}

function refused(what: string, { status, body }: Reply): AppError {
  const detail = (body as { detail?: unknown } | null)?.detail;
  const reason = typeof detail === 'string' ? detail : 'no reason given';
  const hint =
    status === 401 || status === 403 ? ` The API key (--key, or the variable API_KEY) needs ${PERMISSIONS}.` : '';
  return new AppError('invalid_request', `The service refused to ${what} (${String(status)}): ${reason}${hint}`);
}

function keyOf(data: unknown): { clientId: string; keyId: string; key: string } {
  const { clientId, keyId, key } = data as Record<string, unknown>;
  if (typeof clientId === 'string' && typeof keyId === 'string' && typeof key === 'string') {
    return { clientId, keyId, key };
  }
  throw new AppError('unavailable', 'The running process answered in a way that this version does not understand.');
}
