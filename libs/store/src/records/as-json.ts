import type { Json } from '../port';

/** Entities are JSON; their interfaces only lack the index signature. */
export function asJson(value: unknown): Json {
  return value as Json;
}

/** The same for the fields of an update. */
export function asFields(value: object): Readonly<Record<string, Json>> {
  return value as Readonly<Record<string, Json>>;
}
