// Types of the validators and schemas that `tools/generate.mjs` writes for each action.

/** A JSON Schema with only the keywords that the search for deviations reads. A definition of 2.x is one object, used in many places. */
export interface PayloadSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PayloadSchema>>;
  readonly required?: readonly string[];
  readonly items?: PayloadSchema;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** An object that may have fields of the vendor (`customData`). */
  readonly open?: boolean;
}

/** A standalone function of ajv: `errors` holds the failures until the next run. */
export interface PayloadCheck {
  (payload: unknown): boolean;
  errors?: readonly PayloadFailure[] | null;
}

export interface PayloadFailure {
  readonly keyword: string;
  /** JSON pointer of the offending value. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface CompiledPayload {
  /** The standard's schema to the letter. */
  readonly strict: PayloadCheck;
  /** The same without the rules whose violation may be tolerated. */
  readonly lenient: PayloadCheck;
  readonly schema: PayloadSchema;
}

export interface CompiledAction {
  readonly request: CompiledPayload;
  readonly response: CompiledPayload;
}
