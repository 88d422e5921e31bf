// Dotted paths into JSON. Keys are only ever read and written as own properties: a key such as `__proto__` is data.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function splitPath(path: string): readonly string[] {
  return path.split('.');
}

/** The value at the path; undefined where there is none, and where the path would lead through anything but objects. */
export function valueAt(document: unknown, segments: readonly string[]): unknown {
  let value = document;
  for (const segment of segments) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** The value at a dotted path, as `valueAt` gives it, without taking the path apart beforehand. */
export function valueAtPath(document: unknown, path: string): unknown {
  let value = document;
  let from = 0;
  for (let dot = path.indexOf('.'); ; dot = path.indexOf('.', from)) {
    const key = dot === -1 && from === 0 ? path : path.slice(from, dot === -1 ? undefined : dot);
    if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
    if (dot === -1) return value;
    from = dot + 1;
  }
}

/** Plain assignment to `__proto__` would change the prototype instead of storing a value. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Freezes in place, all the way down; for values that nobody else holds yet. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) freezeDeep(item);
  return Object.freeze(value);
}
