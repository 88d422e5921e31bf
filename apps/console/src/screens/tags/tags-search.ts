// What the list of tags keeps in its address. Pure.
import { MAX_TAG } from '../../api/limits';
import { isLaterPage } from '../../parts/search-values';

export interface TagsSearch {
  readonly search?: string | undefined;
  readonly page?: number | undefined;
}

export const PAGE_SIZE = 50;

/** A tag of digits alone is a number in an address. */
export function parseTagsSearch({ search, page }: Readonly<Record<string, unknown>>): TagsSearch {
  const text = typeof search === 'number' ? String(search) : search;
  return {
    ...(typeof text === 'string' && text !== '' ? { search: text.slice(0, MAX_TAG) } : {}),
    ...(isLaterPage(page) ? { page } : {}),
  };
}
