import type { Compatibility } from '@busbar/contracts';
import { AppError, createId, type Clock } from '@busbar/core';
import {
  neverConnected,
  type Charger,
  type ChargerInput,
  type ChargerLocation,
  type ChargerReader,
  type ChargerWriter,
  type RegisteredSocket,
} from './charger';
import { checkNewChargerId } from './charger-id';
import { socketTally } from './charger-view';
import type { ChargerRegistrar } from './charger-listing';
import { toTimestamp } from '../timestamp';
import { conflictError, MAX_ATTEMPTS } from '../retry-on-conflict';
import { omitNil, type Nullable } from '../nullable';
import type { SiteReader, SiteWriter } from '../sites/site';
import { CHARGER_CONTENDED } from './owned-charger';

export interface CreateChargerDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> &
    Pick<ChargerWriter, 'insert'> &
    Pick<ChargerRegistrar, 'remove'>;
  readonly sites: Pick<SiteReader, 'find' | 'findOldest'> & Pick<SiteWriter, 'arrive'>;
  readonly clock: Clock;
}

/** Null, also in nested fields, equals absent. */
export interface CreateChargerInput extends Nullable<Omit<ChargerInput, 'name' | 'location' | 'sockets'>> {
  readonly chargerId: string;
  readonly name: string;
  readonly location?: Nullable<ChargerLocation> | null | undefined;
  readonly sockets?: readonly SocketInput[] | null | undefined;
  /** Absent: the client's oldest site. */
  readonly siteId?: number | null | undefined;
}

/** A socket as an operator registers it. */
export type SocketInput = Pick<RegisteredSocket, 'id'> & Nullable<Omit<RegisteredSocket, 'id'>>;

/** The values of absent and cleared fields. */
export const CHARGER_DEFAULTS: Omit<ChargerInput, 'name'> = {
  location: {},
  pushIntegrationEnabled: false,
  chargerSpecificMessageStructure: false,
  evseId: null,
  splitEvseBySocket: false,
  sockets: [],
  capabilities: [],
  physicalReference: null,
  integrationRelays: [],
  customProperties: {},
  admission: 'accept',
  chargingNeeds: null,
};

/** The tolerant defaults, which most chargers in the field need. */
export const DEFAULT_COMPATIBILITY: Required<Compatibility> = {
  assumeOcpp16: false,
  acceptHexKey: true,
  zonelessIsUtc: true,
  vendorFields: true,
  nullFields: true,
  overlongTexts: true,
  numberTexts: true,
  fractionalMeters: true,
  noCallResultError: false,
  ocppVersions: [],
};

/**
 * Registers a charger. Throws `invalid_charger_id`, also for a reserved word, and `invalid_request` for two sockets of
 * one id. Throws `site_required` when the client has no site, and `invalid_site_id` for a site that is unknown or another
 * client's. Throws `charger_id_taken` when any client has the id.
 */
export async function createCharger(
  deps: CreateChargerDeps,
  clientId: string,
  input: CreateChargerInput,
): Promise<Charger> {
  const { chargerId, siteId: wanted, location, sockets, ...fields } = input;
  checkNewChargerId(chargerId);
  refuseTwins(sockets ?? []);
  const siteId = await chooseSite(deps.sites, clientId, wanted);
  const at = toTimestamp(deps.clock.now());
  const registered: Charger['registered'] = {
    ...CHARGER_DEFAULTS,
    ...omitNil<Pick<ChargerInput, 'name'> & Partial<ChargerInput>>(fields),
    location: omitNil<ChargerLocation>(location ?? {}),
    sockets: describedSockets(sockets ?? []),
    siteId,
    compatibility: DEFAULT_COMPATIBILITY,
    authentication: { securityProfile: 0, passwordHash: null },
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
  const never = neverConnected();
  const tally = socketTally({ registered, reported: never.reported });
  const charger: Charger = {
    ...never,
    chargerId,
    clientId,
    incarnationId: createId(),
    registered,
    reported: { ...never.reported, tally },
    updatedAt: at,
  };
  if ((await deps.chargers.insert(charger)) === 'taken') {
    throw new AppError('charger_id_taken', 'This chargerId is taken. It must be unique across the whole service.');
  }
  // Announced after the insert: either a concurrent deletion of the site sees it, or this finds the site deleted.
  if (!(await deps.sites.arrive(clientId, siteId))) {
    await withdraw(deps, charger);
    throw unknownSite(siteId);
  }
  return charger;
}

/** Throws `invalid_request`, naming each socket whose id is not unique. */
export function refuseTwins(sockets: readonly Pick<RegisteredSocket, 'id'>[]): void {
  const twins = sockets.flatMap(({ id }, i) => (sockets.findIndex((other) => other.id === id) < i ? [i] : []));
  if (twins.length === 0) return;
  const issues = twins.map((i) => ({ field: `sockets/${String(i)}/id`, message: 'is the id of another socket too' }));
  throw new AppError('invalid_request', 'Two sockets have the same id.', { details: { issues } });
}

/** The sockets as stored. */
export function describedSockets(sockets: readonly SocketInput[]): RegisteredSocket[] {
  return sockets.map((socket) => omitNil<RegisteredSocket>(socket));
}

export function unknownSite(siteId: number): AppError {
  return new AppError('invalid_site_id', `There is no site (group) ${String(siteId)}.`, {
    details: { issues: [{ field: 'siteId', message: 'is no site of this client' }] },
  });
}

/** A concurrent change of the charger does not prevent its removal; a move to an existing site does. */
async function withdraw({ chargers }: CreateChargerDeps, made: Charger): Promise<void> {
  let charger: Charger | undefined = made;
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const isStill =
      charger?.incarnationId === made.incarnationId && charger.registered.siteId === made.registered.siteId;
    if (charger === undefined || !isStill || (await chargers.remove(charger))) return;
    charger = await chargers.findOwned(made.clientId, made.chargerId);
  }
  throw conflictError(CHARGER_CONTENDED);
}

async function chooseSite(
  sites: CreateChargerDeps['sites'],
  clientId: string,
  wanted: number | null | undefined,
): Promise<number> {
  if (wanted != null) {
    if ((await sites.find(clientId, wanted)) !== undefined) return wanted;
    throw unknownSite(wanted);
  }
  const oldest = await sites.findOldest(clientId);
  if (oldest !== undefined) return oldest.siteId;
  throw new AppError(
    'site_required',
    'This client has no site, and a charger belongs to one. Create a site, then create the charger again.',
  );
}
