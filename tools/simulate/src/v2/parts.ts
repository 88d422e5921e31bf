// Reports in parts, one after another.

const ITEMS_PER_PART = 10;

/** Sends the items. `tbc`: another part follows. */
export async function notifyInParts<Item>(
  items: readonly Item[],
  send: (part: Item[], at: { readonly seqNo: number; readonly tbc: boolean }) => Promise<void>,
  perPart = ITEMS_PER_PART,
): Promise<void> {
  for (let seqNo = 0; seqNo * perPart < items.length; seqNo += 1) {
    const from = seqNo * perPart;
    await send(items.slice(from, from + perPart), { seqNo, tbc: from + perPart < items.length });
  }
}
