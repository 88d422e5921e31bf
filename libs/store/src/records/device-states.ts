// Device states: read by the APIs and charger-state, written by charger-state alone.
import { type Records } from '@busbar/domain';
import { deviceStateOf, type DeviceState, type DeviceStateChange } from '@busbar/domain/device-state';
import { and, eq, type BulkOperation, type Collection, type Document, type Store } from '../port';
import { asFields } from './as-json';
import { collections } from './collections';

export function deviceStateRecords(store: Store): Records['deviceStates'] {
  const deviceStates = store.collection(collections.deviceStates);
  return { read: async (charger) => deviceStateOf(charger, await deviceStates.get(charger.chargerId)) };
}

/** Returns whether every document was unchanged since its read. Equal documents are written too. */
export async function saveDeviceState(
  collection: Collection<DeviceState & Document>,
  changes: readonly DeviceStateChange[],
): Promise<boolean> {
  if (changes.length === 0) return true;
  const isNew = ({ from }: DeviceStateChange): boolean => from.revision === 0;
  const result = await collection.bulk(
    changes.map((change): BulkOperation<DeviceState & Document> => {
      const { chargerId, incarnationId, clientId, reservations, profiles, localList } = change.to;
      const { certificates = null, applied = [] } = change.to;
      const fields = { incarnationId, clientId, reservations, profiles, localList, certificates, applied };
      const revision = change.from.revision + 1;
      if (isNew(change)) return { insert: { _id: chargerId, chargerId, ...fields, revision } };
      const { replaces = change.from.incarnationId } = change.from;
      const filter = and(eq('_id', chargerId), eq('incarnationId', replaces), eq('revision', change.from.revision));
      return { filter, update: { set: asFields({ ...fields, revision }) } };
    }),
  );
  return result.inserted + result.matched === changes.length;
}
