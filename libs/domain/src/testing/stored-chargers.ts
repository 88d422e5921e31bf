import type { Charger, ChargerReader, ChargerWriter } from '../chargers/charger';
import type { ChargerRegistrar } from '../chargers/charger-listing';

type StoredChargers = Pick<ChargerReader, 'find' | 'findOwned'> &
  Pick<ChargerWriter, 'insert' | 'replaceOngoing' | 'replaceAuthentication'> &
  ChargerRegistrar;

/** The chargers of a test in memory, by their id, with the comparisons before each write that a store makes. */
export function storedChargers(
  ...chargers: readonly Charger[]
): StoredChargers & { readonly all: Map<string, Charger> } {
  const all = new Map(chargers.map((charger) => [charger.chargerId, charger]));
  const write = (after: Charger | undefined): Promise<boolean> => {
    if (after !== undefined) all.set(after.chargerId, after);
    return Promise.resolve(after !== undefined);
  };
  const sameVersion = ({ chargerId, incarnationId, registered }: Stored): Charger | undefined => {
    const stored = all.get(chargerId);
    const same = stored?.incarnationId === incarnationId && stored.registered.version === registered.version;
    return same ? stored : undefined;
  };
  return {
    all,
    find: (chargerId) => Promise.resolve(all.get(chargerId)),
    findOwned: (clientId, chargerId) => {
      const stored = all.get(chargerId);
      return Promise.resolve(stored?.clientId === clientId ? stored : undefined);
    },
    insert: (charger) => {
      if (all.has(charger.chargerId)) return Promise.resolve('taken');
      return write(charger).then(() => 'inserted');
    },
    replaceOngoing: ({ chargerId, revision }, ongoing) => {
      const stored = all.get(chargerId);
      if (stored?.revision !== revision) return write(undefined);
      return write({ ...stored, reported: { ...stored.reported, ongoing }, revision: revision + 1 });
    },
    replaceAuthentication: (charger, authentication, at) => {
      const stored = at === undefined ? all.get(charger.chargerId) : sameVersion(charger);
      const before = stored?.registered.authentication.version;
      const isStill = before === charger.registered.authentication.version;
      if (stored?.incarnationId !== charger.incarnationId || !isStill) return write(undefined);
      return write({ ...stored, registered: { ...stored.registered, authentication, ...raised(stored, at) } });
    },
    updateRegistration: (from, fields, at) => {
      const stored = sameVersion(from);
      if (stored === undefined) return write(undefined);
      return write({ ...stored, registered: { ...stored.registered, ...fields, ...raised(stored, at) } });
    },
    remove: (from) => Promise.resolve(sameVersion(from) !== undefined && all.delete(from.chargerId)),
  };
}

type Stored = Pick<Charger, 'chargerId' | 'incarnationId' | 'registered'>;

/** A change by the owner raises the registration's version; one without a time is the service's own. */
function raised({ registered }: Charger, updatedAt: string | undefined): Partial<Charger['registered']> {
  return updatedAt === undefined ? {} : { updatedAt, version: (registered.version ?? 0) + 1 };
}
