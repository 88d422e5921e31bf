// What the list of keys keeps in its address. Pure.

export interface KeysSearch {
  readonly page?: number | undefined;
}

export function parseKeysSearch({ page }: Readonly<Record<string, unknown>>): KeysSearch {
  return typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? { page } : {};
}
