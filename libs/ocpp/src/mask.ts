// Secrets inside frames: an AuthorizationKey that we set or that a charger lists, a BasicAuthPassword, the login in an
// address (`ftp://user:password@host`). Every frame that is kept or logged goes through here, so the usual answer is a look
// at the text and the text itself.
import { MASK, maskPlainText } from './mask-text';
import { createSecretNames, type SecretNames } from './secret-names';

/**
 * What a frame must have in it to be looked at closely: a part of a secret's name, an address, a parameter of one. Also an
 * escaped ASCII sign: nobody writes a name that way but to hide it. Coarse, since every frame is tested.
 */
const SUSPICIOUS =
  /p(?:ass|wd|sk|in)|secret|credential|key|token(?<!"idtoken|groupidtoken)|:\\*\/\\*\/|[?&;#][\w.~%-]{1,50}=|\\u00[2-7]/i;
/** Fields that name what the fields beside them are about: 1.6 `key`, 2.x `variable.name`, vendors' `configName`. */
const NAMING_FIELD = /(?:key|name|variable)$/i;
/** What the standards have beside a name that says nothing of its value. Every other field may be the value, whatever its name. */
const TELLING_FIELDS: ReadonlySet<string> = new Set(
  [
    ...['readonly', 'status', 'type', 'mutability', 'persistent', 'constant', 'instance', 'component', 'variable'],
    ...['attributeType', 'attributeStatus', 'attributeStatusInfo', 'variableCharacteristics'],
  ].map((name) => name.toLowerCase()),
);
/** Drivers' tags, as the standards and our own operations name them: compared and looked up, so that one that looks like `PIN:1234` stays as it is. */
const DRIVER_TAGS: ReadonlySet<string> = new Set([
  ...['idTag', 'parentIdTag', 'idToken', 'groupIdToken'],
  ...['rfidTag', 'parentRfidTag'],
]);
/** 2.x: the attributes of the variable that is named beside them. */
const ATTRIBUTES = 'variableattribute';
const MAX_DEPTH = 64;

type Fields = Readonly<Record<string, unknown>>;

export interface Masker {
  /** The text with every secret value replaced by `***`; the very same text when it holds none. */
  frame(text: string): string;
  /** A value without its secrets; the very same value when there are none. For payloads that are kept apart from a frame. */
  payload<T>(payload: T): T;
}

/** Hides what the names of `secret-names.ts` stand for, and what the operator's own words do. */
export function createMasker(words: readonly string[] = []): Masker {
  const names = createSecretNames(words);
  return {
    frame: (text) => maskText(names, text),
    payload: <T>(payload: T) => maskValue(names, payload, MAX_DEPTH) as T,
  };
}

const STANDARD = createMasker();

/** `Masker.frame` without an operator's own words. */
export function maskFrame(text: string): string {
  return STANDARD.frame(text);
}

/** `Masker.payload` without an operator's own words. */
export function maskPayload<T>(payload: T): T {
  return STANDARD.payload(payload);
}

function maskText(names: SecretNames, text: string): string {
  if (!isSuspicious(names, text)) return text;
  try {
    const frame: unknown = JSON.parse(text);
    const masked = maskValue(names, frame, MAX_DEPTH);
    return masked === frame ? text : JSON.stringify(masked);
  } catch {
    // Unreadable, yet it may hold a secret: nothing of it is shown.
    return `(${String(text.length)} characters that cannot be read)`;
  }
}

function isSuspicious(names: SecretNames, text: string): boolean {
  return SUSPICIOUS.test(text) || names.hasOwnWord(text);
}

function maskValue(names: SecretNames, value: unknown, depth: number, ofSecret = false): unknown {
  if (typeof value === 'string') return maskInner(names, value, depth);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return MASK;
  if (Array.isArray(value)) return maskItems(names, value, depth, ofSecret);
  return maskFields(names, value as Fields, depth, ofSecret);
}

// Texts may hold a payload of their own, as a DataTransfer's `data` does: JSON, or `name=value` in some form.
function maskInner(names: SecretNames, text: string, depth: number): string {
  if (!isSuspicious(names, text)) return text;
  if (!/^\s*[[{"]/.test(text)) return maskPlainText(text, names);
  if (depth === 0) return MASK;
  try {
    const inner: unknown = JSON.parse(text);
    const masked = maskValue(names, inner, depth - 1);
    return masked === inner ? text : JSON.stringify(masked);
  } catch {
    // Not JSON after all.
    return maskPlainText(text, names);
  }
}

function maskItems(
  names: SecretNames,
  items: readonly unknown[],
  depth: number,
  ofSecret: boolean,
): readonly unknown[] {
  const masked = items.map((item) => maskValue(names, item, depth - 1, ofSecret));
  return masked.some((item, index) => item !== items[index]) ? masked : items;
}

// `ofSecret`: something around these fields names a secret, as 2.x's `variable` beside `variableAttribute`.
function maskFields(names: SecretNames, fields: Fields, depth: number, ofSecret: boolean): Fields {
  const entries = Object.entries(fields);
  const besideName = ofSecret || entries.some(([name, value]) => NAMING_FIELD.test(name) && namesSecret(names, value));
  const masked = entries.map(([name, value]): [string, unknown] => {
    if (typeof value === 'string' && DRIVER_TAGS.has(name)) return [name, value];
    if (names.isSecret(name) || (besideName && mayBeValue(names, name, value))) return [name, hidden(value)];
    return [name, maskValue(names, value, depth - 1, besideName && name.toLowerCase() === ATTRIBUTES)];
  });
  return masked.some(([name, value]) => value !== fields[name]) ? Object.fromEntries(masked) : fields;
}

/** A name, or fields that have one, as 2.x's `variable`. */
function namesSecret(names: SecretNames, value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return names.isSecret(value);
  return Object.entries(value).some(([name, inner]) => NAMING_FIELD.test(name) && names.isSecret(inner));
}

function mayBeValue(names: SecretNames, name: string, value: unknown): boolean {
  if (NAMING_FIELD.test(name) && namesSecret(names, value)) return false;
  const lower = name.toLowerCase();
  return lower !== ATTRIBUTES && !TELLING_FIELDS.has(lower);
}

/** That there is none may be seen, and a yes or no is no secret. */
function hidden(value: unknown): unknown {
  return value === null || value === undefined || typeof value === 'boolean' ? value : MASK;
}
