// Pages of the lists that the store sorts and pages.

export interface PageRequest<K extends string> {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly sortKey: K;
  readonly sortDescending: boolean;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Items on all pages together. */
  readonly total: number;
}
