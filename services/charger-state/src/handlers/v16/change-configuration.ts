import type { Charger, ConfigurationItem } from '@busbar/domain/chargers';
import { maskPayload } from '@busbar/ocpp';
import { isAfter, withReported } from '../../pipeline/contract';
import { withResolvedKey } from './authorization-key';
import { MAX_ITEMS } from './get-configuration';
import type { OutcomeHandler } from './route';

/** Statuses after which the charger has the new value, at the latest from its next start. */
const TAKEN: ReadonlySet<string> = new Set(['Accepted', 'RebootRequired']);

/** The result of a ChangeConfiguration (OCPP 1.6 5.3). Secret values are stored masked. */
export const changeConfigurationOutcome: OutcomeHandler<'ChangeConfiguration'> = {
  apply(before, { commandId, payload: { result, request, status }, order }, { position }) {
    const charger = commandId === undefined ? before : withResolvedKey(before, commandId, result, order);
    if (request === undefined || !TAKEN.has(status)) return { charger };
    const { key, value } = maskPayload(request);
    const { configuration } = charger.reported;
    // Keys are compared without case (OCPP 1.6 7.10, CiString50Type); the charger's spelling is retained.
    const at = configuration.findIndex(({ configName }) => configName.toLowerCase() === key.toLowerCase());
    const known = configuration[at];
    if (known === undefined && configuration.length >= MAX_ITEMS) return { charger };
    if (!isAfter(position, writtenAt(charger, known))) return { charger };
    const item: ConfigurationItem = {
      configName: known?.configName ?? key,
      configValue: value,
      canBeChanged: known?.canBeChanged ?? true,
      position,
    };
    const changed = known === undefined ? [...configuration, item] : configuration.with(at, item);
    return { charger: withReported(charger, { configuration: changed }) };
  },
};

function writtenAt({ reported }: Charger, item: ConfigurationItem | undefined): readonly [number, number] {
  return item?.position ?? reported.configurationPosition ?? [0, 0];
}
