// The position of the feed when a page began to read. The stream begins there: between a list that was read and the stream that keeps
// it current there is no gap.
import type { QueryClient } from '@tanstack/react-query';
import { api, dataOf } from '../api/client';

/** Later it would bring what was read anew meanwhile. */
const FRESH_MS = 15_000;

const keyOf = (keyId: string) => ['beginning of the feed', keyId];

/** Of this key of the API. Without a position the stream begins when it opens. */
export function readBeginning(client: QueryClient, keyId: string): void {
  const query = { after: 'now', limit: 1 };
  const queryFn = async () => (await dataOf(api.GET('/v2/events', { params: { query } }))).cursor;
  void client.query({ queryKey: keyOf(keyId), queryFn }).catch(() => undefined);
}

export function beginningOf(client: QueryClient, keyId: string): string | undefined {
  const { data, dataUpdatedAt = 0 } = client.getQueryState<string>(keyOf(keyId)) ?? {};
  return Date.now() - dataUpdatedAt > FRESH_MS ? undefined : data;
}
