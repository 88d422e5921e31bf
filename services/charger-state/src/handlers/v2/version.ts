// OCPP 2.0.1 and 2.1 as charger-state runs them: one table of handlers, since a field of both has one name. `on-demand.ts` loads it.
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

/** The time after its boot that a charger may take to report its connectors' status before it is asked. */
const STATUS_GRACE_MS = 10_000;

export interface V2Deps extends Pick<AfterBootDeps, 'link' | 'reports' | 'clock' | 'logger'> {
  readonly records: Pick<Records, 'certificates'>;
  readonly settings: { readonly commandTimeoutS: number };
  readonly authorities: Authorities;
}

/** What handles and follows the messages of one version of 2.x. Its settings have been checked. */
export function createV2({ settings, authorities, ...deps }: V2Deps): Omit<Version, 'name' | 'start'> {
  const commandTimeoutMs = settings.commandTimeoutS * 1000;
  const afterBoot = createAfterBoot({ ...deps, commandTimeoutMs, statusGraceMs: STATUS_GRACE_MS });
  const signer = createSigner({ ...deps, authorities }, certificateMessages);
  const silentSessions = createSilentSessions({ ...deps, commandTimeoutMs });
  return { routes: createV2Routes({ authorities }), ...followersOf(afterBoot, signer, silentSessions) };
}
