// JSON of what is read while it is sent: a value in which arrays may be sequences that come one by one.

/** The type of an answer, with a sequence wherever it has an array. What such a sequence gives is whole. */
export type InPieces<T> = T extends readonly (infer I)[]
  ? AsyncIterable<I> | readonly InPieces<I>[]
  : T extends object
    ? { readonly [K in keyof T]: InPieces<T[K]> }
    : T;

/** The value's JSON, a piece after the other. Sequences are read as the pieces are taken, and ended when no more are. */
export async function* jsonText(value: unknown): AsyncGenerator<string> {
  if (typeof value !== 'object' || value === null) yield JSON.stringify(value);
  else if (Symbol.asyncIterator in value) yield* sequenceText(value as AsyncIterable<unknown>);
  else if (Array.isArray(value)) yield* listText(value);
  else yield* fieldsText(value as Readonly<Record<string, unknown>>);
}

async function* sequenceText(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* listText(items: readonly unknown[]): AsyncGenerator<string> {
  yield '[';
  for (const [i, item] of items.entries()) {
    if (i > 0) yield ',';
    yield* jsonText(item);
  }
  yield ']';
}

async function* fieldsText(fields: Readonly<Record<string, unknown>>): AsyncGenerator<string> {
  let before = '{';
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    yield* jsonText(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
