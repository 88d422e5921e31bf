// How much a client may say of a site, a charger or a key: one list for the schemas of both HTTP generations.

export interface InputLimits {
  /** Characters of a name. */
  readonly name: number;
  /** Characters of any other short text. */
  readonly text: number;
  readonly notes: number;
  /** Items of a list, properties of an object. */
  readonly items: number;
  /** OCPP numbers connectors from 1; more than this on one charger is a mistake. */
  readonly socketId: number;
  /** Characters of a custom property's value. */
  readonly customValue: number;
  /** Seconds that a caller may give a charger to answer a command. */
  readonly commandTimeoutS: number;
}

// Not literal types: from a literal `maxItems` a list's type would become the union of all its lengths.
export const INPUT_LIMITS: InputLimits = {
  name: 200,
  text: 500,
  notes: 5_000,
  items: 100,
  socketId: 1_000,
  customValue: 1_000,
  commandTimeoutS: 60,
};

/** A name of nothing but white space and control characters is none: nobody sees it. */
export const NOT_BLANK_PATTERN = '[^\\s\\u0000-\\u001f\\u007f-\\u009f]';

/** Names of custom properties. The store's paths are dotted and `$` begins its operators; `__proto__` is no property. */
export const PROPERTY_NAME_PATTERN = '^(?!\\$|__proto__$|_bsontype$)[^.\\u0000-\\u001f]{1,100}$';
