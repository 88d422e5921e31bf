import type { StoredSecrets } from '@busbar/domain';
import type { SettingsCheck, SettingsOf } from '../settings/setting';
import type { secretsSettings } from '../settings/shared-settings';
import { createStoredSecrets } from './stored-secrets';

type Settings = SettingsOf<typeof secretsSettings>;

/** For `readSettings`: refuses a wrong key at the start. */
export const secretsCheck: SettingsCheck<Settings> = {
  of: ['secretsKey'],
  check(settings) {
    secretsFrom(settings);
  },
};

/** Undefined where no key is configured: then no secret can be stored. Throws `invalid_configuration`. */
export function secretsFrom({ secretsKey }: Settings): StoredSecrets | undefined {
  return secretsKey === undefined ? undefined : createStoredSecrets(secretsKey);
}
