/** Fields as callers send them: null equals absent. */
export type Nullable<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Removes absent and null fields. */
export function omitNil<T extends object>(fields: Nullable<T>): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]: [string, unknown]) => value !== null && value !== undefined),
  ) as T;
}
