/** As a caller may say it: null where nothing is to be said. */
export type Nullable<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Without what is absent or null: what was said. */
export function said<T extends object>(fields: Nullable<T>): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]: [string, unknown]) => value !== null && value !== undefined),
  ) as T;
}
