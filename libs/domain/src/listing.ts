// What asking for a part of a long list means: the same for every list that the store pages itself.

/** Which page, and in which order. */
export interface PageWanted<K extends string> {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  readonly sortKey: K;
  readonly sortDescending: boolean;
}

/** One page of what was found, and how much was found altogether. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly total: number;
}
