// What the tree of sites keeps in its address. Pure.
import { isLaterPage } from '../../parts/search-values';

export interface SitesSearch {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
}

export const PAGE_SIZE = 50;
const MAX_SEARCH = 100;

export function parseSitesSearch({ search, page }: Readonly<Record<string, unknown>>): SitesSearch {
  const text = typeof search === 'number' ? String(search) : search;
  return {
    ...(typeof text === 'string' && text !== '' ? { search: text.slice(0, MAX_SEARCH) } : {}),
    ...(isLaterPage(page) ? { page } : {}),
  };
}
