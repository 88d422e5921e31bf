// Pages of the lists that the store sorts and pages.

/** An item's place in a sorted list: its sort value, and its unique value, which decides between equal ones. */
export interface Place {
  readonly value: string | number | null;
  readonly tie: string | number;
}

export interface PageRequest<K extends string> {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly sortKey: K;
  readonly sortDescending: boolean;
  /** The page is what follows this place, whatever its number. */
  readonly after?: Place | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Items on all pages together. */
  readonly total: number;
  /** The place of the last item. Absent on the last page. */
  readonly next?: Place | undefined;
}
