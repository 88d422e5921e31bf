// Events that arrive while a list is read: what is read may be older than they are, so they are applied to it again. Pure.

interface Page<Row> {
  readonly items: readonly Row[];
}

interface Change<Row> {
  readonly key: string | number;
  readonly change: (row: Row) => Row;
}

/** A reading takes seconds at most; of more events than these the first are forgotten. */
const MAX_CHANGES = 1_000;

export function createChangesWhileReading<Row>(keyOf: (row: Row) => string | number) {
  const readings = new Set<Change<Row>[]>();

  async function during<T>(read: () => Promise<T>, apply: (read: T, change: (row: Row) => Row) => T): Promise<T> {
    const changes: Change<Row>[] = [];
    readings.add(changes);
    try {
      const result = await read();
      return apply(result, (row) => changed(row, keyOf(row), changes));
    } finally {
      readings.delete(changes);
    }
  }

  return {
    /** What `read` resolves to, with the changes since its start. */
    page: <P extends Page<Row>>(read: () => Promise<P>) =>
      during(read, (page, change) => ({ ...page, items: page.items.map(change) })),
    one: (read: () => Promise<Row>) => during(read, (row, change) => change(row)),
    changed(key: string | number, change: (row: Row) => Row): void {
      for (const changes of readings) {
        changes.push({ key, change });
        if (changes.length > MAX_CHANGES) changes.shift();
      }
    },
  };
}

function changed<Row>(row: Row, key: string | number, changes: readonly Change<Row>[]): Row {
  return changes.reduce((before, each) => (each.key === key ? each.change(before) : before), row);
}
