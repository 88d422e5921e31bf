// Serializes a value as JSON while parts of it are still being read: arrays may be asynchronous sequences.

/** The type of a response with sequences in place of arrays. The items of a sequence are complete. */
export type InPieces<T> = T extends readonly (infer I)[]
  ? AsyncIterable<I> | readonly InPieces<I>[]
  : T extends object
    ? { readonly [K in keyof T]: InPieces<T[K]> }
    : T;

type Sequence = AsyncIterable<unknown>;

/** The value's JSON in chunks. Sequences are read as chunks are consumed, and ended when the consumer stops. */
export async function* jsonText(value: unknown): AsyncGenerator<string> {
  // Values in memory are serialized immediately: an await for each field would cost more than its text.
  for (const part of partsOf(value)) {
    if (typeof part === 'string') yield part;
    else yield* sequenceText(part);
  }
}

async function* sequenceText(items: Sequence): AsyncGenerator<string> {
  let before = '[';
  for await (const item of items) {
    yield before + JSON.stringify(item);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function partsOf(value: unknown): readonly (string | Sequence)[] {
  const parts: (string | Sequence)[] = [];
  let text = '';
  const writeList = (items: readonly unknown[]): void => {
    for (const [i, item] of items.entries()) {
      text += i === 0 ? '[' : ',';
      write(item);
    }
    text += items.length === 0 ? '[]' : ']';
  };
  const writeFields = (fields: object): void => {
    let before = '{';
    for (const [name, field] of Object.entries(fields)) {
      if (field === undefined) continue;
      text += `${before}${JSON.stringify(name)}:`;
      write(field);
      before = ',';
    }
    text += before === '{' ? '{}' : '}';
  };
  const write = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) text += JSON.stringify(inner);
    else if (Array.isArray(inner)) writeList(inner);
    else if (Symbol.asyncIterator in inner) {
      parts.push(text, inner as Sequence);
      text = '';
    } else writeFields(inner);
  };
  write(value);
  return [...parts, text];
}
