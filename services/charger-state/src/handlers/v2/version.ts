// OCPP 2.0.1 and 2.1 as charger-state runs them: one table of handlers, since a field of both has one name.
import type { Records } from '@busbar/domain';
import type { Version } from '../router';
import type { AfterBootDeps } from '../shared/after-boot';
import type { Authorities } from '../shared/certificates/authorities';
import { createSigner } from '../shared/certificates/signer';
import { followersOf } from '../shared/followers';
import { createAfterBoot } from './after-boot';
import { certificateMessages } from './certificates';
import { createV2Routes } from './routes';
import { createSilentSessions } from './silent-sessions';

const NAMES = ['ocpp2.0.1', 'ocpp2.1'] as const;

/** The time after its boot that a charger may take to report its connectors' status before it is asked. */
const STATUS_GRACE_MS = 10_000;

export interface V2Deps extends Pick<AfterBootDeps, 'link' | 'reports' | 'clock' | 'logger'> {
  readonly records: Pick<Records, 'certificates'>;
  readonly settings: { readonly commandTimeoutS: number };
  readonly authorities: Authorities;
}

export function createV2({ settings, authorities, ...deps }: V2Deps): readonly Version[] {
  const routes = createV2Routes({ authorities });
  const commandTimeoutMs = settings.commandTimeoutS * 1000;
  return NAMES.map((name) => {
    const afterBoot = createAfterBoot({ ...deps, commandTimeoutMs, statusGraceMs: STATUS_GRACE_MS });
    const signer = createSigner({ ...deps, authorities }, certificateMessages);
    const silentSessions = createSilentSessions({ ...deps, commandTimeoutMs });
    return {
      name,
      routes,
      start: async () => {
        await Promise.all(Object.values(authorities).map((authority) => authority.check()));
      },
      ...followersOf(afterBoot, signer, silentSessions),
    };
  });
}
