// Secrets inside frames: an AuthorizationKey that we set or that a charger lists, a BasicAuthPassword, the login in an
// address (`ftp://user:password@host`). Every frame that is kept or logged goes through here, so the usual answer is a look
// at the text and the text itself.

const MASK = '***';
const SECRET_NAME = /authorizationkey|password|passphrase|secret/i;
/** Also text with an escaped ASCII letter or slash: nobody writes a name that way but to hide it. */
const SUSPICIOUS = /authorizationkey|password|passphrase|secret|:\\?\/\\?\/[^\s"/]*@|\\u00[4-7]|\\u002f/i;
/** The part of an address before its host. */
const LOGIN = /(:\/\/)[^\s/]*@/g;
/** A secret's name and its value, as a query, a header or a setting is written. */
const ASSIGNED = /((?:authorizationkey|password|passphrase|secret)\w{0,20}["']?\s{0,8}[=:]\s{0,8})[^\s&;,]+/gi;
/** Fields that carry the value of the thing that a field beside them names (1.6 `key`, 2.x `variable.name`). */
const VALUE_FIELDS: ReadonlySet<string> = new Set(['value', 'attributeValue']);
const MAX_DEPTH = 64;

/** The text with every secret value replaced by `***`; the very same text when it holds none. */
export function maskFrame(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  try {
    const frame: unknown = JSON.parse(text);
    const masked = maskValue(frame, MAX_DEPTH);
    return masked === frame ? text : JSON.stringify(masked);
  } catch {
    // Unreadable, yet it may hold a secret: nothing of it is shown.
    return `(${String(text.length)} characters that cannot be read)`;
  }
}

/** A value without its secrets; the very same value when there are none. For payloads that are kept apart from a frame. */
export function maskPayload<T>(payload: T): T {
  return maskValue(payload, MAX_DEPTH) as T;
}

function maskValue(value: unknown, depth: number, ofSecret = false): unknown {
  if (typeof value === 'string') return maskText(value, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return MASK;
  if (Array.isArray(value)) return maskItems(value, depth, ofSecret);
  return maskFields(value as Readonly<Record<string, unknown>>, depth, ofSecret);
}

// Texts may hold a payload of their own, as a DataTransfer's `data` does: JSON, or `name=value` in some form.
function maskText(text: string, depth: number): string {
  const shown = text.replaceAll(LOGIN, `$1${MASK}@`);
  if (!SUSPICIOUS.test(shown)) return shown;
  if (depth > 0 && /^\s*[[{]/.test(shown)) {
    try {
      const inner: unknown = JSON.parse(shown);
      const masked = maskValue(inner, depth - 1);
      return masked === inner ? shown : JSON.stringify(masked);
    } catch {
      // Not JSON after all.
    }
  }
  return shown.replaceAll(ASSIGNED, `$1${MASK}`);
}

function maskItems(items: readonly unknown[], depth: number, ofSecret: boolean): readonly unknown[] {
  const masked = items.map((item) => maskValue(item, depth - 1, ofSecret));
  return masked.some((item, index) => item !== items[index]) ? masked : items;
}

// `ofSecret`: something around these fields names a secret, as 2.x's `variable` beside `variableAttribute`.
function maskFields(
  fields: Readonly<Record<string, unknown>>,
  depth: number,
  ofSecret: boolean,
): Readonly<Record<string, unknown>> {
  const names = ofSecret || isSecretName(fields['key']) || isSecretName(nameOfVariable(fields['variable']));
  const masked = Object.entries(fields).map(([name, value]): [string, unknown] => {
    const isSecret = (names && VALUE_FIELDS.has(name)) || (isSecretName(name) && isScalar(value));
    return [name, isSecret ? MASK : maskValue(value, depth - 1, names)];
  });
  return masked.some(([name, value]) => value !== fields[name]) ? Object.fromEntries(masked) : fields;
}

function nameOfVariable(variable: unknown): unknown {
  return typeof variable === 'object' && variable !== null ? (variable as { name?: unknown }).name : undefined;
}

function isSecretName(name: unknown): boolean {
  return typeof name === 'string' && SECRET_NAME.test(name);
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number';
}
