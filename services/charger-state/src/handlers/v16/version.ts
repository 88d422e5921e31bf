// OCPP 1.6 as charger-state runs it: the table of its handlers, and the CALLs that follow from stored messages.
import type { Clock, Logger } from '@busbar/core';
import type { Records } from '@busbar/domain';
import type { ReportStore } from '@busbar/domain/reports';
import type { ChargerLink } from '@busbar/domain/commands';
import type { Version } from '../router';
import { createAfterBoot } from './after-boot';
import type { Authorities } from '../shared/certificates/authorities';
import { createSigner } from '../shared/certificates/signer';
import { followersOf } from '../shared/followers';
import { createV16Routes } from './routes';
import { certificateMessages } from './sign-certificate';

export interface V16Deps {
  readonly link: Pick<ChargerLink, 'call'>;
  readonly reports: Pick<ReportStore, 'loadChargers'>;
  readonly records: Pick<Records, 'certificates'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: { readonly commandTimeoutS: number };
  readonly authorities: Authorities;
}

/** The time after its boot that a charger may take to report its sockets' status before it is asked. */
const STATUS_GRACE_MS = 10_000;

export function createV16({ settings, authorities, ...deps }: V16Deps): Version {
  const commandTimeoutMs = settings.commandTimeoutS * 1000;
  const afterBoot = createAfterBoot({ ...deps, commandTimeoutMs, statusGraceMs: STATUS_GRACE_MS });
  const authority = authorities.ChargingStationCertificate;
  const signer = authority && createSigner({ ...deps, authorities }, certificateMessages);
  return {
    name: 'ocpp1.6',
    routes: createV16Routes({ signsCertificates: authority !== undefined }),
    start: async () => authority?.check(),
    ...followersOf(afterBoot, signer),
  };
}
