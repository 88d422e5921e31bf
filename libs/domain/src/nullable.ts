/** Fields as callers send them: null equals absent. */
export type Nullable<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Removes absent and null fields. */
export function omitNil<T extends object>(fields: Nullable<T>): T {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]: [string, unknown]) => value !== null && value !== undefined),
  ) as T;
}

/** The given fields of a change. A null one is cleared: it gets its default. */
export function withDefaults<T extends object>(change: Nullable<T>, defaults: Partial<T>): Partial<T> {
  const given = Object.entries(change).filter(([, value]: [string, unknown]) => value !== undefined);
  return Object.fromEntries(
    given.map(([name, value]: [string, unknown]) => [name, value ?? defaults[name as keyof T]]),
  ) as Partial<T>;
}
