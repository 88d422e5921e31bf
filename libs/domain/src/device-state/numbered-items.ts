// What a charger of OCPP 2.x has under numbers: display messages and monitors (rule 160). Commands set and clear them, reports name
// them, and a report of all removes what it does not name. Pure.
import { isAfter, type Position } from '@busbar/contracts';
import type { Timestamp } from '../timestamp';

export interface NumberedItem {
  readonly id: number;
  /** Of the last message with it. */
  readonly position: Position;
}

/** Items that the charger does not have after the message at `position`, unless a later one names them. */
export interface Removal {
  /** Null: all. */
  readonly ids: readonly number[] | null;
  readonly position: Position;
}

export interface NumberedItems<Item extends NumberedItem> {
  /** Oldest first. */
  readonly items: readonly Item[];
  /** The last few removals, for items of an older connection that are reported later. */
  readonly removals: readonly Removal[];
  /** When the charger reported all of them last. Null: not yet. */
  readonly listedAt: Timestamp | null;
}

const MAX_REMOVALS = 16;
/** Characters of all items as JSON together. Above it the oldest are removed. */
const MAX_CHARACTERS = 1_000_000;

export const NO_ITEMS = { items: [], removals: [], listedAt: null } as const;

/** Adds items; each replaces the one of its number. Later messages prevail. Above `maxItems` the oldest are removed. */
export function withItems<Item extends NumberedItem>(
  { items, removals, listedAt }: NumberedItems<Item>,
  added: readonly Item[],
  maxItems: number,
): NumberedItems<Item> {
  const byId = new Map(items.map((each) => [each.id, each]));
  for (const item of added) {
    const before = byId.get(item.id);
    if (before !== undefined && isAfter(before.position, item.position)) continue;
    if (removals.some((removal) => isRemovedBy(removal, item))) continue;
    byId.delete(item.id);
    byId.set(item.id, item);
  }
  return { items: withinLimits([...byId.values()], maxItems), removals, listedAt };
}

/** Removes items that no later message has named. */
export function withoutItems<Item extends NumberedItem>(
  { items, removals, listedAt }: NumberedItems<Item>,
  removal: Removal,
): NumberedItems<Item> {
  return {
    items: items.filter((each) => !isRemovedBy(removal, each)),
    removals: [...removals, removal].slice(-MAX_REMOVALS),
    listedAt,
  };
}

/** The items after a report of all, which began with the message at `since` and has come to its end. */
export function withAllReported<Item extends NumberedItem>(
  before: NumberedItems<Item>,
  { since, at }: { readonly since: Position; readonly at: Timestamp },
): NumberedItems<Item> {
  return { ...withoutItems(before, { ids: null, position: since }), listedAt: at };
}

function isRemovedBy({ ids, position }: Removal, item: NumberedItem): boolean {
  return (ids === null || ids.includes(item.id)) && isAfter(position, item.position);
}

function withinLimits<Item extends NumberedItem>(items: readonly Item[], maxItems: number): readonly Item[] {
  const kept: Item[] = [];
  let characters = 0;
  for (const item of items.slice(-maxItems).reverse()) {
    characters += JSON.stringify(item).length;
    if (kept.length > 0 && characters > MAX_CHARACTERS) break;
    kept.push(item);
  }
  return kept.reverse();
}
