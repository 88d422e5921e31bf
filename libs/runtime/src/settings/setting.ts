/** One environment variable: its name, its meaning in one line, and how its text becomes a value. */
export interface Setting<T> {
  readonly variable: string;
  /** One line for people, as in deploy/env.example. */
  readonly about: string;
  /** The allowed values, as the end of "X must be …". */
  readonly expects: string;
  /** The allowed values for programs, as far as a JSON Schema can express them. */
  readonly schema: SettingSchema;
  /** The default as one would write it into the environment; undefined when there is none. */
  readonly defaultText: string | undefined;
  readonly required: boolean;
  /** Never shown, neither in an error nor in a log. */
  readonly secret: boolean;
  /** Left out of the documents for operators: for tests and trials alone. */
  readonly omitted?: boolean;
  /** The value; undefined for a text that is not allowed. */
  readonly parse: (text: string) => T | undefined;
  readonly fallback: () => T | undefined;
}

/** The schema of a value before it is written into the environment, where it may be a number. */
export type SettingSchema =
  | { readonly type: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'boolean' }
  | { readonly type: 'string' }
  | { readonly enum: readonly string[] };

export type SettingsSpec = Readonly<Record<string, Setting<unknown>>>;

export type SettingsOf<S extends SettingsSpec> = {
  readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never;
};

/** A rule about settings that must agree. It is not applied while one of them is itself wrong. */
export interface SettingsCheck<T> {
  readonly of: readonly (keyof T)[];
  /** Throws `invalid_configuration` with one sentence. */
  readonly check: (settings: T) => void;
}
