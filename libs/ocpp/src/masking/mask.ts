// Masks secrets in frames: authorization keys, passwords, the credentials in a URL (`ftp://user:password@host`), and the data of customers.
// Every frame that is stored or logged passes here, so the usual case is one test of the text.
import { MASK, maskPlainText } from './mask-text';
import { createSecretNames, type SecretNames } from './secret-names';

/**
 * A frame that does not match holds no secret. Matches: a part of a secret's name, a URL, a URL parameter, an escaped ASCII character,
 * which only serves to hide a name, and the names about customers. Coarse, since every frame is tested.
 */
const SUSPICIOUS =
  /p(?:ass|wd|sk|in)|secret|credential|key|token(?<!"idtoken|groupidtoken)|:\\*\/\\*\/|[?&;#][\w.~%-]{1,50}=|\\u00[2-7]|customeri/i;
/** Fields that name the meaning of the fields beside them: `key`, `variable.name`, vendors' `configName`, `param`. */
const NAMING_FIELD = /(?:key|name|variable|param|parameter|option|setting|property|attribute|field|item|messageid)$/i;
/** Fields that hold a value and never a name. */
const VALUE_FIELD = /(?:vals?|values?|data|content|text)$/i;
/** A text that may be nothing but a name. */
const LABEL = /^[\w\s.:/[\]-]{1,64}$/;
/** Fields of the standards beside a name that reveal nothing of its value. Every other field may be the value. */
const REVEALING_FIELDS: ReadonlySet<string> = new Set(
  [
    ...['readonly', 'status', 'type', 'mutability', 'persistent', 'constant', 'instance', 'component', 'variable'],
    ...['attributeType', 'attributeStatus', 'attributeStatusInfo', 'variableCharacteristics', 'vendorId', 'messageId'],
    // The place of a component, and thresholds: of a standard component such as TokenReader too.
    ...['evse', 'variableMonitoring'],
  ].map((name) => name.toLowerCase()),
);
/** Drivers' tags in the standards and in our operations. They are compared and looked up, so that `PIN:1234` stays readable. */
const DRIVER_TAGS: ReadonlySet<string> = new Set([
  ...['idTag', 'parentIdTag', 'idToken', 'groupIdToken'],
  ...['rfidTag', 'parentRfidTag'],
]);
/** Fields that never name a secret: a vendor may be called `PinCharge`. */
const NAMELESS: ReadonlySet<string> = new Set([...DRIVER_TAGS, 'vendorId']);
/** Signed meter readings are texts that may contain a name by chance. */
const READINGS = 'sampledValue';
const READING = 'value';
/** The attributes of the variable that is named beside them. */
const ATTRIBUTES = 'variableattribute';
/** The VPN of a network profile of OCPP 2.x, and the field with its secret, whose name is harmless elsewhere. */
const VPN = 'vpn';
const VPN_KEY = 'key';
/** Personal data, which nobody but the operator who asked for it needs (OCPP 2.0.1, N09 and N10). */
const CUSTOMER = 'customeridentifier';
const CUSTOMER_REPORT = 'notifycustomerinformation';
const CUSTOMER_DATA = 'data';
/** Vendor data: a name and its value may have any shape, so more is masked. */
const VENDOR_DATA = 'data';
const MAX_DEPTH = 64;
/** Any text of vendor data may be a name, so each object costs more. The objects after these are masked whole. */
const MAX_VENDOR_OBJECTS = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/** The position of a value in a payload. */
interface Place {
  /** Levels that may follow below. */
  readonly depth: number;
  /** A surrounding object names a secret, as `variable` beside `variableAttribute`. */
  readonly ofSecret: boolean;
  /** Within a DataTransfer. */
  readonly ofVendor: boolean;
  /** Among meter readings. */
  readonly isReading: boolean;
  /** Within the VPN of a network profile. */
  readonly isVpn: boolean;
}

const TOP: Place = { depth: MAX_DEPTH, ofSecret: false, ofVendor: false, isReading: false, isVpn: false };

export interface Masker {
  /** The text with every secret value and the data of customers replaced by `***`; the same text where there is none. */
  frame(text: string): string;
  /** A value without its secrets; the same value where there are none. For payloads outside a frame. */
  payload<T>(payload: T): T;
}

/** Masks the values of the names in `secret-names.ts`, and of the operator's own words. */
export function createMasker(words: readonly string[] = []): Masker {
  const names = createSecretNames(words);
  return {
    frame: (text) => (isSuspicious(names, text) ? maskText(forFrame(names), text) : text),
    payload: <T>(payload: T) => maskValue(forFrame(names), payload, TOP) as T,
  };
}

/** The names of secrets, and how many more objects of vendor data this frame may have masked one by one. */
interface FrameNames extends SecretNames {
  vendorObjectsLeft: number;
}

function forFrame(names: SecretNames): FrameNames {
  return { ...names, vendorObjectsLeft: MAX_VENDOR_OBJECTS };
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

function maskText(names: FrameNames, text: string): string {
  try {
    const frame: unknown = JSON.parse(text);
    const masked = maskCustomerData(maskValue(names, frame, TOP));
    return masked === frame ? text : JSON.stringify(masked);
  } catch {
    // Unreadable, and it may hold a secret: everything is masked.
    return `(${String(text.length)} characters that cannot be read)`;
  }
}

/** Returns whether `Masker.frame` masks data of this action that `Masker.payload` keeps: a report to the operator has them. */
export function hasCustomerData(action: unknown): boolean {
  return typeof action === 'string' && action.toLowerCase() === CUSTOMER_REPORT;
}

function maskCustomerData(frame: unknown): unknown {
  if (!Array.isArray(frame) || !hasCustomerData(frame[2])) return frame;
  const payload: unknown = frame[3];
  if (typeof payload !== 'object' || payload === null) return frame.with(3, hidden(payload));
  const fields = Object.entries(payload).map(([name, value]): [string, unknown] => [
    name,
    name.toLowerCase() === CUSTOMER_DATA ? hidden(value) : value,
  ]);
  return frame.with(3, Object.fromEntries(fields));
}

function isSuspicious(names: SecretNames, text: string): boolean {
  return SUSPICIOUS.test(text) || names.hasOwnWord(text);
}

function maskValue(names: FrameNames, value: unknown, place: Place): unknown {
  if (typeof value === 'string') return maskInner(names, value, place);
  if (typeof value !== 'object' || value === null) return value;
  if (place.depth === 0) return MASK;
  const inner = { ...place, depth: place.depth - 1 };
  return Array.isArray(value) ? maskItems(names, value, inner) : maskFields(names, value as Fields, inner);
}

// Texts may contain a payload, as a DataTransfer's `data` does: JSON, or `name=value` in some form.
function maskInner(names: FrameNames, text: string, place: Place): string {
  if (!isSuspicious(names, text)) return text;
  if (!/^\s*[[{"]/.test(text)) return maskPlainText(text, names, place);
  if (place.depth === 0) return MASK;
  try {
    const inner: unknown = JSON.parse(text);
    const masked = maskValue(names, inner, { ...place, depth: place.depth - 1 });
    return masked === inner ? text : JSON.stringify(masked);
  } catch {
    // Not JSON after all.
    return maskPlainText(text, names, place);
  }
}

function maskItems(names: FrameNames, items: readonly unknown[], place: Place): readonly unknown[] {
  const named = place.ofVendor ? items.findIndex((item) => isLabelOfSecret(names, item)) : -1;
  const masked = items.map((item, index) =>
    named === -1 || index === named ? maskValue(names, item, place) : hidden(item),
  );
  return masked.some((item, index) => item !== items[index]) ? masked : items;
}

function maskFields(names: FrameNames, fields: Fields, place: Place): Fields | typeof MASK {
  const ofVendor = place.ofVendor || isDataTransfer(fields);
  if (ofVendor) {
    if (names.vendorObjectsLeft === 0) return MASK;
    names.vendorObjectsLeft -= 1;
  }
  const entries = Object.entries(fields);
  const naming = namingFields(names, entries, ofVendor);
  const besideName = place.ofSecret || naming.size > 0;
  const masked = entries.map(([name, value]): [string, unknown] => {
    if (typeof value === 'string' && isKept(name, place)) return [name, value];
    const lower = name.toLowerCase();
    if (isSecretField(names, name, place) || (besideName && !naming.has(name) && mayBeValue(name)))
      return [name, hidden(value)];
    const inner = {
      depth: place.depth,
      ofSecret: besideName && lower === ATTRIBUTES,
      ofVendor: ofVendor || lower === VENDOR_DATA,
      isReading: !ofVendor && name === READINGS,
      isVpn: lower === VPN,
    };
    return [name, maskValue(names, value, inner)];
  });
  return masked.some(([name, value]) => value !== fields[name]) ? Object.fromEntries(masked) : fields;
}

function isSecretField(names: SecretNames, name: string, { isVpn }: Place): boolean {
  const lower = name.toLowerCase();
  return names.isSecret(name) || lower === CUSTOMER || (isVpn && lower === VPN_KEY);
}

/** A status report may have a `vendorId` too, and always has an `errorCode`. */
function isDataTransfer(fields: Fields): boolean {
  return Object.hasOwn(fields, 'vendorId') && !Object.hasOwn(fields, 'errorCode');
}

/** Fields that name a secret. In vendor data without one, the first text that is a secret's name counts. */
function namingFields(
  names: SecretNames,
  entries: readonly (readonly [string, unknown])[],
  ofVendor: boolean,
): ReadonlySet<string> {
  const naming = entries.filter(([name, value]) => NAMING_FIELD.test(name) && namesSecret(names, value, ofVendor));
  if (naming.length > 0 || !ofVendor) return new Set(naming.map(([name]) => name));
  const first = entries.find(
    ([name, value]) => !VALUE_FIELD.test(name) && !NAMELESS.has(name) && holdsLabelOfSecret(names, value),
  );
  return new Set(first === undefined ? [] : [first[0]]);
}

/** A name, or an object with one, such as `variable`. */
function namesSecret(names: SecretNames, value: unknown, ofVendor: boolean): boolean {
  if (typeof value !== 'object' || value === null) return names.isSecret(value);
  if (Array.isArray(value)) return ofVendor && holdsLabelOfSecret(names, value);
  return Object.entries(value).some(
    ([name, inner]) =>
      (NAMING_FIELD.test(name) && names.isSecret(inner)) || (ofVendor && isLabelOfSecret(names, inner)),
  );
}

function holdsLabelOfSecret(names: SecretNames, value: unknown): boolean {
  return Array.isArray(value) ? value.some((item) => isLabelOfSecret(names, item)) : isLabelOfSecret(names, value);
}

function isLabelOfSecret(names: SecretNames, value: unknown): boolean {
  return typeof value === 'string' && LABEL.test(value) && names.isSecret(value);
}

function isKept(name: string, { isReading }: Place): boolean {
  return DRIVER_TAGS.has(name) || (isReading && name === READING);
}

function mayBeValue(name: string): boolean {
  const lower = name.toLowerCase();
  return lower !== ATTRIBUTES && !REVEALING_FIELDS.has(lower);
}

/** Absent values and booleans are no secrets. */
function hidden(value: unknown): unknown {
  return value === null || value === undefined || typeof value === 'boolean' ? value : MASK;
}
