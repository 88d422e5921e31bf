// What a dialog changes: the record as it is when the dialog is opened, with its ETag.
import { useState } from 'react';
import { api, versionedDataOf } from '../../../api/client';
import type { Versioned } from '../../../records/record-dialog';

interface Opened<Key extends readonly unknown[]> {
  readonly opened: Versioned | undefined;
  readonly error: unknown;
  open(...key: Key): void;
  close(): void;
}

export function useOpened<Key extends readonly unknown[]>(read: (...key: Key) => Promise<Versioned>): Opened<Key> {
  const [opened, setOpened] = useState<Versioned>();
  const [error, setError] = useState<unknown>(null);
  return {
    opened,
    error,
    open(...key) {
      setError(null);
      read(...key).then(setOpened, setError);
    },
    close: () => setOpened(undefined),
  };
}

export function readVersioned(chargerId: string) {
  return versionedDataOf(api.GET('/v2/chargers/{chargerId}', { params: { path: { chargerId } } }));
}
