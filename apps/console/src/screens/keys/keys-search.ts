// What the list of keys keeps in its address. Pure.
import { isLaterPage } from '../../parts/search-values';

export interface KeysSearch {
  readonly page?: number | undefined;
}

export function parseKeysSearch({ page }: Readonly<Record<string, unknown>>): KeysSearch {
  return isLaterPage(page) ? { page } : {};
}
