// The configuration of a charger as its record has it, in any version: by name, without regard to case.
import type { Position } from '@busbar/contracts';
import type { Charger, ConfigurationItem } from '@busbar/domain/chargers';
import { isAfter, withReported } from '../../pipeline/contract';

/** More keys than any charger has: bounds the record. */
export const MAX_ITEMS = 1000;

/** Statuses after which the charger has the new value, at the latest from its next start. */
const TAKEN: ReadonlySet<string> = new Set(['Accepted', 'RebootRequired']);

export function isTaken(status: string): boolean {
  return TAKEN.has(status);
}

type Change = Pick<ConfigurationItem, 'configName' | 'configValue'> & { readonly canBeChanged?: boolean | undefined };

/** The record with one value, where no later message has written it. The charger's spelling of the name stays (OCPP 1.6 7.10). */
export function withChangedItem(charger: Charger, change: Change, position: Position): Charger {
  const { configuration } = charger.reported;
  const { configName, configValue } = change;
  const at = configuration.findIndex((item) => item.configName.toLowerCase() === configName.toLowerCase());
  const known = configuration[at];
  if (known === undefined && configuration.length >= MAX_ITEMS) return charger;
  if (!isAfter(position, writtenAt(charger, known))) return charger;
  const item: ConfigurationItem = {
    configName: known?.configName ?? configName,
    configValue,
    canBeChanged: change.canBeChanged ?? known?.canBeChanged ?? true,
    position,
  };
  const changed = known === undefined ? [...configuration, item] : configuration.with(at, item);
  return withReported(charger, { configuration: changed });
}

function writtenAt({ reported }: Charger, item: ConfigurationItem | undefined): Position {
  return item?.position ?? reported.configurationPosition ?? [0, 0];
}
