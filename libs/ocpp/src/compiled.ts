// The shape of what `tools/generate.mjs` writes for each action.

/** A JSON Schema as the generator leaves it: references inlined, only what the walk for deviations reads. */
export interface PayloadSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, PayloadSchema>>;
  readonly required?: readonly string[];
  readonly items?: PayloadSchema;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly maxLength?: number;
}

/** ajv's standalone function: what failed stands in `errors` until the next run. */
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
  /** The same without the rules that a tolerant listener may forgive. */
  readonly lenient: PayloadCheck;
  readonly schema: PayloadSchema;
}

export interface CompiledAction {
  readonly request: CompiledPayload;
  readonly response: CompiledPayload;
}
