// JSON of what is read while it is sent: a value in which arrays may be sequences that come one by one.

/** The type of an answer, with a sequence wherever it has an array. What such a sequence gives is whole. */
export type InPieces<T> = T extends readonly (infer I)[]
  ? AsyncIterable<I> | readonly InPieces<I>[]
  : T extends object
    ? { readonly [K in keyof T]: InPieces<T[K]> }
    : T;

type Sequence = AsyncIterable<unknown>;

/** The value's JSON, a piece after the other. Sequences are read as the pieces are taken, and ended when no more are. */
export async function* jsonText(value: unknown): AsyncGenerator<string> {
  // Whatever is there already is put into words at once: a wait for each of its fields would cost more than the words.
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
