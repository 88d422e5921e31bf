import type { Compatibility } from '@busbar/contracts';
import { updateCharger } from '@busbar/domain/chargers';
import { findCharger } from './charger-commands';
import { misuse, type AdminCommand, type Arguments } from './command';

/** Tolerated deviations of a charger, each by its option. */
const SWITCHES = {
  'assume-ocpp16': 'assumeOcpp16',
  'accept-hex-key': 'acceptHexKey',
  'zoneless-is-utc': 'zonelessIsUtc',
  'vendor-fields': 'vendorFields',
  'null-fields': 'nullFields',
  'overlong-texts': 'overlongTexts',
  'number-texts': 'numberTexts',
  'fractional-meters': 'fractionalMeters',
  'no-call-result-error': 'noCallResultError',
} as const satisfies Record<string, keyof Compatibility>;

const VALUES: Readonly<Record<string, boolean>> = { on: true, off: false };

export const compatibilityCommand: AdminCommand = {
  name: ['charger', 'compatibility'],
  positionals: ['CHARGER_ID'],
  options: Object.fromEntries(Object.keys(SWITCHES).map((name) => [name, 'on|off'])),
  about: 'set which deviations of a charger are tolerated from its next connection on; without options: show them',
  async run({ records, clock }, given) {
    const change = changeOf(given.options);
    const found = await findCharger({ records }, given);
    const { chargers, sites } = records;
    const charger =
      Object.keys(change).length === 0
        ? found
        : await updateCharger({ chargers, sites, clock }, found, { compatibility: change });
    const { compatibility } = charger.registered;
    const lines = Object.entries(SWITCHES).map(([name, key]) => `${name}  ${compatibility[key] ? 'on' : 'off'}`);
    return { lines, data: { chargerId: charger.chargerId, compatibility } };
  },
};

function changeOf(options: Arguments['options']): Partial<Compatibility> {
  const given = Object.entries(SWITCHES).flatMap(([name, key]) => {
    const word = options[name];
    if (word === undefined) return [];
    const value = VALUES[word];
    if (value === undefined) throw misuse(`--${name} is on or off.`);
    return [[key, value] as const];
  });
  return Object.fromEntries(given);
}
