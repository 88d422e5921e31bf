// Secrets inside frames: an AuthorizationKey that we set or that a charger lists, a BasicAuthPassword, the login in an
// address (`ftp://user:password@host`). Every frame that is kept or logged goes through here, so the usual answer is a look
// at the text and the text itself.
import { MASK, isSecretName, maskPlainText } from './mask-text';

/**
 * What a frame must have in it to be looked at closely: a secret's name, an address, a parameter of one. Also an escaped
 * ASCII sign: nobody writes a name that way but to hide it.
 */
const SUSPICIOUS =
  /authorization[\s_-]?key|passw(?:or)?d|passphrase|secret|:\\*\/\\*\/|[?&;#][\w.~%-]{1,50}=|\\u00[2-7]/i;
/** Fields that name what the fields beside them are about: 1.6 `key`, 2.x `variable.name`, vendors' `configName`. */
const NAMING_FIELD = /(?:key|name|variable)$/i;
/** What the standards have beside a name that says nothing of its value. Every other field may be the value, whatever its name. */
const TELLING_FIELDS: ReadonlySet<string> = new Set(
  [
    ...['readonly', 'status', 'type', 'mutability', 'persistent', 'constant', 'instance', 'component', 'variable'],
    ...['attributeType', 'attributeStatus', 'attributeStatusInfo', 'variableCharacteristics'],
  ].map((name) => name.toLowerCase()),
);
/** 2.x: the attributes of the variable that is named beside them. */
const ATTRIBUTES = 'variableattribute';
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
  if (!SUSPICIOUS.test(text)) return text;
  if (!/^\s*[[{"]/.test(text)) return maskPlainText(text);
  if (depth === 0) return MASK;
  try {
    const inner: unknown = JSON.parse(text);
    const masked = maskValue(inner, depth - 1);
    return masked === inner ? text : JSON.stringify(masked);
  } catch {
    // Not JSON after all.
    return maskPlainText(text);
  }
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
  const entries = Object.entries(fields);
  const besideName = ofSecret || entries.some(([name, value]) => NAMING_FIELD.test(name) && namesSecret(value));
  const masked = entries.map(([name, value]): [string, unknown] => {
    if (isSecretName(name) || (besideName && mayBeValue(name, value))) return [name, hidden(value)];
    return [name, maskValue(value, depth - 1, besideName && name.toLowerCase() === ATTRIBUTES)];
  });
  return masked.some(([name, value]) => value !== fields[name]) ? Object.fromEntries(masked) : fields;
}

/** A name, or fields that have one, as 2.x's `variable`. */
function namesSecret(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return isSecretName(value);
  return Object.entries(value).some(([name, inner]) => NAMING_FIELD.test(name) && isSecretName(inner));
}

function mayBeValue(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return false;
  if (NAMING_FIELD.test(name) && namesSecret(value)) return false;
  const lower = name.toLowerCase();
  return lower !== ATTRIBUTES && !TELLING_FIELDS.has(lower);
}

/** Whatever its type; that there is none may be seen. */
function hidden(value: unknown): unknown {
  return value === null || value === undefined ? value : MASK;
}
