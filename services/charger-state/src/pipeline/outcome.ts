import type { ReportEnvelope } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import type { DeviationKind } from '@busbar/ocpp';
import type { CallPayload, StartRefusal } from '../handlers/handler';

/** What became of one message. */
export interface Applied {
  readonly report: ReportEnvelope;
  /** The record after it; undefined when no such charger (or another incarnation of it) is registered. */
  readonly charger: Charger | undefined;
  readonly answer?: CallPayload;
  readonly isNew: boolean;
  /** What was put up with here, beside what the gateway had found. */
  readonly deviations?: readonly DeviationKind[];
  readonly startRefused?: StartRefusal;
}
