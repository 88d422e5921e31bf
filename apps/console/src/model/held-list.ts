// A list that is read again and again, as its reader sees it: while it is held it stays as it was. Pure.

interface Page<Row> {
  readonly items: readonly Row[];
}

export interface HeldList<P> {
  /** What the list is of: another name is another list. */
  readonly name: string;
  readonly page: P;
}

/** What is shown after a reading. A list of nothing, and another list, is not held: nobody reads in it. */
export function afterReading<P extends Page<unknown>>(
  shown: HeldList<P> | undefined,
  read: HeldList<P>,
  isHeld: boolean,
): HeldList<P> {
  if (shown === undefined) return read;
  const stays = shown.page === read.page || (isHeld && shown.name === read.name && shown.page.items.length > 0);
  return stays ? shown : read;
}

/** How many rows the last reading has that are not shown. */
export function countNew<Row extends { readonly id: string }>(shown: Page<Row>, read: Page<Row>): number {
  const known = new Set(shown.items.map(({ id }) => id));
  return read.items.filter(({ id }) => !known.has(id)).length;
}
