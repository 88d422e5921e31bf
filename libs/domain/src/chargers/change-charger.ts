// Changes and deletes a charger's registration, by compare-and-set on the registration's version. The charger's reports
// are in other parts of the record and do not interfere.
import type { Compatibility } from '@busbar/contracts';
import { AppError, type Clock } from '@busbar/core';
import { changesNothing } from '../changes-nothing';
import type { Charger, ChargerInput, ChargerLocation, ChargerReader, RegisteredSocket } from './charger';
import type { ChargerRegistrar, RegistrationFields } from './charger-listing';
import { admissionOf } from './charger-view';
import { INPUT_LIMITS } from '../input-limits';
import { toTimestamp } from '../timestamp';
import { retryOnConflict, conflictError, MAX_ATTEMPTS } from '../retry-on-conflict';
import { omitNil, withDefaults, type Nullable } from '../nullable';
import type { SessionWriter } from '../sessions/session';
import type { SiteReader, SiteWriter } from '../sites/site';
import type { ConnectionCloser } from './connections/connection-closer';
import {
  CHARGER_DEFAULTS,
  DEFAULT_COMPATIBILITY,
  refuseTwins,
  describedSockets,
  unknownSite,
  type SocketInput,
} from './create-charger';
import { CHARGER_CONTENDED, readOwnedCharger, refuseOtherVersion, type OwnedCharger } from './owned-charger';

export interface ChangeChargerDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> & ChargerRegistrar;
  readonly sites: Pick<SiteReader, 'find' | 'findOldest'> & Pick<SiteWriter, 'arrive'>;
  readonly clock: Clock;
  /** Called with a charger whose BootNotifications were answered Pending until now, and are accepted from now on. */
  readonly onAccepted?: (charger: Charger) => void;
}

/** An absent field stays as it is; null clears it. The same holds for the fields of `location` and `compatibility`. */
export type ChargerEdit = Nullable<Omit<ChargerInput, 'name' | 'location' | 'sockets'>> & {
  readonly name?: string | undefined;
  readonly location?: Nullable<ChargerLocation> | null | undefined;
  readonly sockets?: readonly SocketInput[] | null | undefined;
  readonly compatibility?: Nullable<Compatibility> | null | undefined;
  readonly siteId?: number | undefined;
};

/** The registered fields of one socket: an absent one stays as it is, null clears it. */
export type SocketChange = Nullable<Omit<RegisteredSocket, 'id'>>;

/**
 * Throws `not_found`; `precondition_failed` for another version; `invalid_site_id` for a site that is unknown or
 * another client's; `invalid_request` for two sockets of one id. A change without effect leaves the version as it is.
 */
export function updateCharger(deps: ChangeChargerDeps, owned: OwnedCharger, change: ChargerEdit): Promise<Charger> {
  if (change.sockets) refuseTwins(change.sockets);
  return changeRegistration(deps, owned, (charger) => fieldsOf(charger, change));
}

/** Changes one socket, which must be registered or reported. Throws `not_found` and `precondition_failed`. */
export function updateSocket(
  deps: ChangeChargerDeps,
  { socketId, ...owned }: OwnedCharger & { readonly socketId: number },
  change: SocketChange,
): Promise<Charger> {
  return changeRegistration(deps, owned, ({ chargerId, registered, reported }) => {
    const before = registered.sockets.find(({ id }) => id === socketId);
    if (before === undefined && reported.sockets[String(socketId)] === undefined) {
      throw new AppError(
        'not_found',
        `Charger ${chargerId} has no socket ${String(socketId)}. PUT its sockets to add one.`,
      );
    }
    const after: RegisteredSocket = { ...merged<RegisteredSocket>(before ?? { id: socketId }, change), id: socketId };
    const others = registered.sockets.filter(({ id }) => id !== socketId);
    if (others.length >= INPUT_LIMITS.items) {
      throw new AppError('conflict', `A charger has at most ${String(INPUT_LIMITS.items)} registered sockets.`);
    }
    return { sockets: [...others, after].sort((a, b) => a.id - b.id) };
  });
}

export interface DeleteChargerDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'> & Pick<ChargerRegistrar, 'remove'>;
  readonly sessions: SessionWriter;
  readonly connections: ConnectionCloser;
}

/**
 * Deletes the charger's record and closes its socket (rule 70). Late messages of it are discarded. Sessions, and
 * history until its retention ends, stay with the client. The id is free for any client. Resolves with the deleted
 * record. Throws `not_found` and `precondition_failed`. Open sessions are abandoned after the deletion; where that
 * fails, charger-state does it (`abandonStranded`).
 */
export async function deleteCharger(deps: DeleteChargerDeps, owned: OwnedCharger): Promise<Charger> {
  const charger = await retryOnConflict(CHARGER_CONTENDED, async () => {
    const before = await readOwnedCharger(deps, owned);
    refuseOtherVersion(before, owned);
    return (await deps.chargers.remove(before)) ? before : undefined;
  });
  // The charger is deleted: a failure of one consequence must not prevent the other.
  const [abandoned, closed] = await Promise.allSettled([
    deps.sessions.abandon(charger.chargerId, charger.incarnationId),
    deps.connections.close(charger, 'deleted'),
  ]);
  for (const each of [abandoned, closed]) if (each.status === 'rejected') throw each.reason;
  return charger;
}

async function changeRegistration(
  deps: ChangeChargerDeps,
  owned: OwnedCharger,
  fieldsFor: (charger: Charger) => RegistrationFields,
): Promise<Charger> {
  const before = await retryOnConflict(CHARGER_CONTENDED, async () => {
    // An unknown charger is refused before an unknown site.
    const charger = await readOwnedCharger(deps, owned);
    const fields = fieldsFor(charger);
    if (fields.siteId !== undefined && (await deps.sites.find(owned.clientId, fields.siteId)) === undefined) {
      throw unknownSite(fields.siteId);
    }
    refuseOtherVersion(charger, owned);
    if (changesNothing(charger.registered, fields)) return charger;
    const at = toTimestamp(deps.clock.now());
    return (await deps.chargers.updateRegistration(charger, fields, at)) ? charger : undefined;
  });
  const after = await readOwnedCharger(deps, owned);
  await arriveAt(deps, before, after);
  if (before.registered.admission === 'pending' && admissionOf(after) === 'accept') deps.onAccepted?.(after);
  return after;
}

/** Moves a charger back out of a site that was deleted during the move. */
async function arriveAt(deps: ChangeChargerDeps, before: Charger, after: Charger): Promise<void> {
  const { siteId } = after.registered;
  if (siteId === before.registered.siteId || (await deps.sites.arrive(after.clientId, siteId))) return;
  await leave(deps, after, before.registered.siteId);
  throw unknownSite(siteId);
}

/**
 * Moves the charger to its previous site, or to the client's oldest where that site was deleted too. A charger that
 * somebody else has moved meanwhile stays there. It also stays where the client has no site left.
 */
async function leave({ chargers, sites, clock }: ChangeChargerDeps, from: Charger, siteBefore: number): Promise<void> {
  const { clientId, chargerId } = from;
  let { siteId: gone } = from.registered;
  for (let round = 0; round < MAX_ATTEMPTS; round += 1) {
    const charger = await chargers.findOwned(clientId, chargerId);
    if (charger?.registered.siteId !== gone) return;
    const site = (await sites.find(clientId, siteBefore)) ?? (await sites.findOldest(clientId));
    if (site === undefined) return;
    if (!(await chargers.updateRegistration(charger, { siteId: site.siteId }, toTimestamp(clock.now())))) continue;
    if (await sites.arrive(clientId, site.siteId)) return;
    gone = site.siteId;
  }
  throw conflictError(CHARGER_CONTENDED);
}

function fieldsOf({ registered }: Charger, change: ChargerEdit): RegistrationFields {
  const { location, compatibility, sockets, ...plain } = change;
  return {
    ...withDefaults<RegistrationFields>(plain, CHARGER_DEFAULTS),
    ...(sockets === undefined ? {} : { sockets: describedSockets(sockets ?? []) }),
    ...(location === undefined ? {} : { location: location === null ? {} : merged(registered.location, location) }),
    ...(compatibility === undefined ? {} : { compatibility: switches(registered.compatibility, compatibility) }),
  };
}

/** Cleared fields are left out. */
function merged<T extends object>(before: T, change: Nullable<T>): T {
  return omitNil<T>({ ...before, ...defined(change) });
}

function switches(before: Compatibility, change: Nullable<Compatibility> | null): Compatibility {
  return change === null ? DEFAULT_COMPATIBILITY : { ...before, ...withDefaults(change, DEFAULT_COMPATIBILITY) };
}

function defined(change: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(change).filter(([, value]: [string, unknown]) => value !== undefined));
}
