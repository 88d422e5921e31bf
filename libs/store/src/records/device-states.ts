// What charger-state keeps of a device beside its charger's record: its state, its model, its event streams and its reports. Read by the APIs and
// charger-state, written by charger-state alone.
import type { Position } from '@busbar/contracts';
import { type Records } from '@busbar/domain';
import { deviceModelOf, type DeviceModel, type DeviceModelChange } from '@busbar/domain/device-model';
import {
  deviceStateOf,
  eventStreamsOf,
  type DeviceState,
  type DeviceStateChange,
  type EventStreams,
  type EventStreamsChange,
} from '@busbar/domain/device-state';
import {
  and,
  eq,
  gt,
  gte,
  ne,
  type BulkOperation,
  type Collection,
  type Document,
  type Filter,
  type Store,
} from '../port';
import { asFields } from './as-json';
import { collections } from './collections';

export function deviceStateRecords(store: Store): Records['deviceStates'] {
  const deviceStates = store.collection(collections.deviceStates);
  return { read: async (charger) => deviceStateOf(charger, await deviceStates.get(charger.chargerId)) };
}

export function deviceModelRecords(store: Store): Records['deviceModels'] {
  const deviceModels = store.collection(collections.deviceModels);
  return { read: async (charger) => deviceModelOf(charger, await deviceModels.get(charger.chargerId)) };
}

export function eventStreamRecords(store: Store): Records['eventStreams'] {
  const eventStreams = store.collection(collections.eventStreams);
  return { read: async (charger) => eventStreamsOf(charger, await eventStreams.get(charger.chargerId)) };
}

export function deviceReportRecords(store: Store): Records['deviceReports'] {
  const rows = store.collection(collections.deviceReports);
  const of = (incarnationId: string, requestId: number): Filter =>
    and(eq('incarnationId', incarnationId), eq('requestId', requestId));
  return {
    rows({ incarnationId }, requestId, { from, isExclusive = false, limit }) {
      const begin = isExclusive ? gt('_id', from) : gte('_id', from);
      return rows.find(and(of(incarnationId, requestId), begin), { sort: [['_id', 1]], limit });
    },
    async agreement({ incarnationId }, requestId) {
      const agreed = and(of(incarnationId, requestId), ne('kind', null));
      return (await rows.find(agreed, { sort: [['_id', -1]], limit: 1 }))[0];
    },
    async hasLast({ incarnationId }, requestId, { action, from }) {
      const last = and(of(incarnationId, requestId), gte('_id', from), eq('action', action), eq('isLast', true));
      return (await rows.find(last, { limit: 1 })).length > 0;
    },
  };
}

/** Returns whether every document was unchanged since its read. Equal documents are written too. */
export function saveDeviceState(
  collection: Collection<DeviceState & Document>,
  changes: readonly DeviceStateChange[],
): Promise<boolean> {
  return saveRevisions(collection, changes, ({ reservations, profiles, localList, ...of2 }) => {
    const { certificates = null, displayMessages = null, monitors = null } = of2;
    return { reservations, profiles, localList, certificates, displayMessages, monitors };
  });
}

/** The same for device models. */
export function saveDeviceModels(
  collection: Collection<DeviceModel & Document>,
  changes: readonly DeviceModelChange[],
): Promise<boolean> {
  return saveRevisions(collection, changes, ({ variables, bytes, isReported, leftOutAt = null }) => ({
    variables,
    bytes,
    isReported,
    leftOutAt,
  }));
}

/** The same for event streams. */
export function saveEventStreams(
  collection: Collection<EventStreams & Document>,
  changes: readonly EventStreamsChange[],
): Promise<boolean> {
  return saveRevisions(collection, changes, ({ streams, series, commandId }) => ({
    streams,
    series,
    commandId,
  }));
}

/** A document beside the record of a charger. */
interface Revision {
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly clientId: string;
  readonly applied?: readonly Position[];
  readonly revision: number;
  readonly replaces?: string;
}

/** `own`: the fields of this kind of document. */
async function saveRevisions<T extends Revision>(
  collection: Collection<T & Document>,
  changes: readonly { readonly from: T; readonly to: T }[],
  own: (document: T) => object,
): Promise<boolean> {
  if (changes.length === 0) return true;
  const result = await collection.bulk(
    changes.map(({ from, to }): BulkOperation<T & Document> => {
      const { chargerId, incarnationId, clientId, applied = [] } = to;
      const fields = asFields({ incarnationId, clientId, ...own(to), applied });
      const revision = from.revision + 1;
      // The fields are all of those that the type names.
      if (from.revision === 0)
        return { insert: { _id: chargerId, chargerId, ...fields, revision } as unknown as T & Document };
      const { replaces = from.incarnationId } = from;
      const filter = and(eq('_id', chargerId), eq('incarnationId', replaces), eq('revision', from.revision));
      return { filter, update: { set: { ...fields, revision } } };
    }),
  );
  return result.inserted + result.matched === changes.length;
}
