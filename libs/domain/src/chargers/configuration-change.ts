// When items of a charger's configuration changed. Reports and responses have values without times.
import type { Timestamp } from '../timestamp';
import type { ConfigurationItem } from './charger';

/**
 * When the value of an item last changed, given what was stored before: the given time where the value differs. Undefined where no
 * change was noticed since the item was first read. A masked value never differs.
 */
export function changedAtOf(
  known: Pick<ConfigurationItem, 'configValue' | 'changedAt'> | undefined,
  configValue: string,
  at: Timestamp,
): Timestamp | undefined {
  return known === undefined || known.configValue === configValue ? known?.changedAt : at;
}

/** The item with the time of its last change, where there was one. */
export function withChangedAt(
  item: ConfigurationItem,
  known: Pick<ConfigurationItem, 'configValue' | 'changedAt'> | undefined,
  at: Timestamp,
): ConfigurationItem {
  const changedAt = changedAtOf(known, item.configValue, at);
  return changedAt === undefined ? item : { ...item, changedAt };
}
