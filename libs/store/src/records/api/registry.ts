// Clients and registrations of chargers, which the APIs and admin own.
import type { Records } from '@busbar/domain';
import { and, eq, oneOf, type Store } from '../../port';
import { asJson } from '../as-json';
import { asRead, chargerListRecords, listedKeys, sameIncarnation } from './chargers';
import { changedAt, type Now } from '../change-time';
import { collections } from '../collections';

/** A longer list of clients has pages. */
const LIST_CAP = 1000;

export function clientRecords(store: Store): Records['clients'] {
  const clients = store.collection(collections.clients);
  return {
    find: (clientId) => clients.get(clientId),
    list: () => clients.find(and(), { sort: [['createdAt', 1]], limit: LIST_CAP }),
    async insert(client) {
      const result = await clients.insert({ _id: client.clientId, ...client });
      return result.inserted ? 'inserted' : 'exists';
    },
    async change(clientId, parts) {
      if (Object.keys(parts).length > 0) await clients.update(eq('_id', clientId), { set: { ...parts } });
    },
  };
}

export function chargerRecords(store: Store, now: Now): Records['chargers'] {
  const chargers = store.collection(collections.chargers);
  const orders = store.collection(collections.connectionOrders);
  return {
    ...chargerListRecords(store),
    find: (chargerId) => chargers.get(chargerId),
    async findOwned(clientId, chargerId) {
      const charger = await chargers.get(chargerId);
      return charger?.clientId === clientId ? charger : undefined;
    },
    async incarnationsOf(chargerIds) {
      if (chargerIds.length === 0) return new Map();
      const found = await chargers.findValues(oneOf('_id', chargerIds), ['_id', 'incarnationId']);
      return new Map(found.map(([chargerId, incarnationId]) => [String(chargerId), String(incarnationId)]));
    },
    async ownersOf(chargerIds) {
      if (chargerIds.length === 0) return new Map();
      const found = await chargers.findValues(oneOf('_id', chargerIds), ['_id', 'clientId']);
      return new Map(found.map(([chargerId, clientId]) => [String(chargerId), String(clientId)]));
    },
    lastOrder: async (chargerId) => (await orders.get(chargerId))?.value ?? 0,
    listOwned: (clientId, limit) => chargers.find(eq('clientId', clientId), { sort: [['_id', 1]], limit }),
    async insert(charger) {
      const { chargerId, registered } = charger;
      const result = await chargers.insert({
        _id: chargerId,
        ...charger,
        listed: listedKeys(chargerId, registered.name),
      });
      return result.inserted ? 'inserted' : 'taken';
    },
    countConnected: (clientId) => chargers.count(and(eq('clientId', clientId), eq('connection.active', true))),
    async replaceAuthentication(charger, authentication, at) {
      const version = charger.registered.authentication.version ?? null;
      const same = eq('registered.authentication.version', version);
      const isOwners = at !== undefined;
      // Every change raises the revision, so that charger-state, which caches documents, notices at its next
      // compare-and-set.
      const matched = await chargers.update(and(isOwners ? asRead(charger) : sameIncarnation(charger), same), {
        set: {
          'registered.authentication': asJson(authentication),
          ...(isOwners && { 'registered.updatedAt': at }),
        },
        inc: { revision: 1, ...(isOwners && { 'registered.version': 1 }) },
        ...(isOwners && changedAt(at)),
      });
      return matched === 1;
    },
    async replaceOngoing(charger, ongoing) {
      const same = and(sameIncarnation(charger), eq('revision', charger.revision));
      const set = { 'reported.ongoing': asJson(ongoing) };
      return (await chargers.update(same, { set, inc: { revision: 1 }, ...changedAt(now()) })) === 1;
    },
    async saveGoodNetworks(charger, networks) {
      // charger-state's fold does not use it, so the revision stays.
      await chargers.update(sameIncarnation(charger), { set: { lastGoodNetworks: [...networks] } });
    },
  };
}
