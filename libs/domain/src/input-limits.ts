// Limits of the input for sites, chargers, keys and commands.

export interface InputLimits {
  /** Characters of a name. */
  readonly name: number;
  /** Characters of any other short text. */
  readonly text: number;
  readonly notes: number;
  /** Items of a list, properties of an object. */
  readonly items: number;
  /** OCPP 1.6 numbers connectors from 1; 2.x has EVSE 99, connector 99 as the highest (rule 132). */
  readonly socketId: number;
  /** Characters of a custom property's value. */
  readonly customValue: number;
  /** The longest timeout in seconds that a caller may set for a command. */
  readonly commandTimeoutS: number;
}

// Not literal types: a literal `maxItems` would make a list's type the union of all its lengths.
export const INPUT_LIMITS: InputLimits = {
  name: 200,
  text: 500,
  notes: 5_000,
  items: 100,
  socketId: 9_999,
  customValue: 1_000,
  commandTimeoutS: 60,
};

/** A name needs a visible character. */
export const NOT_BLANK_PATTERN = '[^\\s\\u0000-\\u001f\\u007f-\\u009f]';

/** Names of custom properties. The store uses `.` in paths and `$` for operators; `__proto__` is no property. */
export const PROPERTY_NAME_PATTERN = '^(?!\\$|__proto__$|_bsontype$)[^.\\u0000-\\u001f]{1,100}$';
