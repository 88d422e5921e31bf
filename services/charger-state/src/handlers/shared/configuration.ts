// The configuration of a charger as its record has it, in any version: by name, without regard to case.
import type { Position } from '@busbar/contracts';
import type { Timestamp } from '@busbar/domain';
import { withChangedAt, type Charger, type ConfigurationItem } from '@busbar/domain/chargers';
import { isAfter, withReported } from '../../pipeline/contract';

/** More keys than any charger has: bounds the record. */
export const MAX_ITEMS = 1000;

/** Statuses after which the charger has the new value, at the latest from its next start. */
const TAKEN: ReadonlySet<string> = new Set(['Accepted', 'RebootRequired']);

export function isTaken(status: string): boolean {
  return TAKEN.has(status);
}

export type ChangedItem = Pick<ConfigurationItem, 'configName' | 'configValue'> & {
  readonly canBeChanged?: boolean | undefined;
};

/** When a message was received, and its place among the charger's messages. */
export interface Written {
  readonly at: Timestamp;
  readonly position: Position;
}

/** The record with one value, where no later message has written it. The charger's spelling of the name stays (OCPP 1.6 7.10). */
export function withChangedItem(charger: Charger, change: ChangedItem, written: Written): Charger {
  return withChangedItems(charger, [change], written);
}

/** The same for all values of a message. */
export function withChangedItems(
  charger: Charger,
  changes: readonly ChangedItem[],
  { at, position }: Written,
): Charger {
  const items = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
  let isChanged = false;
  for (const { configName, configValue, canBeChanged } of changes) {
    const key = configName.toLowerCase();
    const known = items.get(key);
    if (known === undefined && items.size >= MAX_ITEMS) continue;
    if (!isAfter(position, writtenAt(charger, known))) continue;
    isChanged = true;
    const item = {
      configName: known?.configName ?? configName,
      configValue,
      canBeChanged: canBeChanged ?? known?.canBeChanged ?? true,
      position,
    };
    items.set(key, withChangedAt(item, known, at));
  }
  return isChanged ? withReported(charger, { configuration: [...items.values()] }) : charger;
}

function writtenAt({ reported }: Charger, item: ConfigurationItem | undefined): Position {
  return item?.position ?? reported.configurationPosition ?? [0, 0];
}
