// Dotted paths into JSON. Keys are read and written as own properties only: `__proto__` is data.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the path; undefined where there is none, or where the path leads through anything but objects. */
export function valueAt(document: unknown, segments: readonly string[]): unknown {
  let value = document;
  for (const segment of segments) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** `valueAt` for a dotted path, without splitting it beforehand. */
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

/** Assigning to `__proto__` would change the prototype. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Freezes deeply, in place; only for values that nobody else has yet. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const item of Object.values(value)) freezeDeep(item);
  return Object.freeze(value);
}
