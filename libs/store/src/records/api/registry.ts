// Clients and registrations of chargers, which the APIs and admin own.
import type { Records } from '@busbar/domain';
import { endedData } from '@busbar/domain/feed';
import { and, eq, oneOf, type Store } from '../../port';
import type { EventAppender } from '../append-event';
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

export function chargerRecords(store: Store, now: Now, events: EventAppender): Records['chargers'] {
  const chargers = store.collection(collections.chargers);
  const orders = store.collection(collections.connectionOrders);
  return {
    ...chargerListRecords(store, events),
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
        ...events.first({ type: 'charger.created', data: { name: registered.name } }),
        listed: listedKeys(chargerId, registered.name),
      });
      if (!result.inserted) return 'taken';
      events.announce([charger]);
      return 'inserted';
    },
    countConnected: (clientId) => chargers.count(and(eq('clientId', clientId), eq('connection.active', true))),
    async replaceAuthentication(charger, authentication, at) {
      const version = charger.registered.authentication.version ?? null;
      const same = eq('registered.authentication.version', version);
      const isOwners = at !== undefined;
      // Every change raises the revision, so that charger-state, which caches documents, notices at its next
      // compare-and-set.
      // A change by the service itself, of pending keys, does not change the ETag.
      const event = { type: 'charger.updated', data: { changed: ['authentication'] } } as const;
      const { set, inc } = isOwners ? events.append(event, charger.outbox) : { set: {}, inc: {} };
      const matched = await chargers.update(and(isOwners ? asRead(charger) : sameIncarnation(charger), same), {
        set: {
          ...set,
          'registered.authentication': asJson(authentication),
          ...(isOwners && { 'registered.updatedAt': at }),
        },
        inc: { ...inc, revision: 1, ...(isOwners && { 'registered.version': 1 }) },
        ...(isOwners && changedAt(at)),
      });
      if (matched === 1 && isOwners) events.announce([charger]);
      return matched === 1;
    },
    async replaceOngoing(charger, ongoing, ended) {
      const isSame = ongoing === charger.reported.ongoing;
      const announces = ended !== undefined && events.isOn;
      if (isSame && !announces) return true;
      const same = and(sameIncarnation(charger), eq('revision', charger.revision));
      const { set, inc } = announces
        ? events.append({ type: 'session.ended', data: endedData(ended, false) }, charger.outbox)
        : { set: {}, inc: {} };
      const matched = await chargers.update(same, {
        set: { ...set, ...(isSame ? {} : { 'reported.ongoing': asJson(ongoing) }) },
        inc: { ...inc, revision: 1 },
        ...(isSame ? {} : changedAt(now())),
      });
      if (matched === 1 && announces) events.announce([charger]);
      return matched === 1;
    },
    async saveGoodNetworks(charger, networks) {
      // charger-state's fold does not use it, so the revision stays.
      await chargers.update(sameIncarnation(charger), { set: { lastGoodNetworks: [...networks] } });
    },
  };
}
