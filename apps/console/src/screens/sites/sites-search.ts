// What the tree of sites keeps in its address. Pure.

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
    ...(typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? { page } : {}),
  };
}
