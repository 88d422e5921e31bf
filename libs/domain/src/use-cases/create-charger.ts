import { AppError, createId, type Clock } from '@busbar/core';
import {
  neverConnected,
  type Charger,
  type ChargerCompatibility,
  type ChargerInput,
  type ChargerWriter,
  type RegisteredSocket,
} from '../charger';
import { parseChargerId } from '../charger-id';
import { toInstant } from '../instant';
import type { SiteReader } from '../site';

export interface CreateChargerDeps {
  readonly chargers: ChargerWriter;
  readonly sites: SiteReader;
  readonly clock: Clock;
}

export interface CreateChargerInput extends Partial<ChargerInput> {
  readonly chargerId: string;
  readonly name: string;
  /** Absent: the client's oldest site. */
  readonly siteId?: number;
}

const DEFAULTS: Omit<ChargerInput, 'name'> = {
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
};

/** The tolerant listener: what most chargers in the field need. */
export const DEFAULT_COMPATIBILITY: ChargerCompatibility = {
  assumeOcpp16: false,
  acceptHexKey: true,
  zonelessIsUtc: true,
  vendorFields: true,
};

/**
 * Registers a charger, readable at once. Throws `invalid_charger_id`; `invalid_request` for two sockets of one id;
 * `site_required` when the client has no site; `invalid_site_id` when the named one is unknown or another client's;
 * `charger_id_taken`, whoever has it.
 */
export async function createCharger(
  deps: CreateChargerDeps,
  clientId: string,
  input: CreateChargerInput,
): Promise<Charger> {
  const { chargerId, siteId: wanted, ...fields } = input;
  parseChargerId(chargerId);
  refuseTwins(fields.sockets ?? []);
  const siteId = await chooseSite(deps.sites, clientId, wanted);
  const at = toInstant(deps.clock.now());
  const charger: Charger = {
    chargerId,
    clientId,
    incarnationId: createId(),
    registered: {
      ...DEFAULTS,
      ...fields,
      siteId,
      compatibility: DEFAULT_COMPATIBILITY,
      authentication: { securityProfile: 0, passwordHash: null },
      createdAt: at,
      updatedAt: at,
    },
    ...neverConnected(),
  };
  if ((await deps.chargers.insert(charger)) === 'taken') {
    throw new AppError('charger_id_taken', 'This chargerId is taken. It must be unique across the whole service.');
  }
  return charger;
}

function refuseTwins(sockets: readonly RegisteredSocket[]): void {
  if (new Set(sockets.map((socket) => socket.id)).size === sockets.length) return;
  throw new AppError('invalid_request', 'Two sockets have the same id.');
}

async function chooseSite(sites: SiteReader, clientId: string, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) {
    if ((await sites.find(clientId, wanted)) !== undefined) return wanted;
    throw new AppError('invalid_site_id', `There is no site (group) ${String(wanted)}.`);
  }
  const oldest = await sites.findOldest(clientId);
  if (oldest !== undefined) return oldest.siteId;
  throw new AppError('site_required', 'Create a site first: a charger belongs to one.');
}
