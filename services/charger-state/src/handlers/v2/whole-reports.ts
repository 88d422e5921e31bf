// What a complete report of everything replaces, by its kind (rule 151). A part, or a report by criteria, removes nothing.
import type { Position } from '@busbar/contracts';
import type { Charger, DeviceReportKind, ReportInParts } from '@busbar/domain/chargers';
import { withWholeReport } from '@busbar/domain/device-model';
import { NO_ITEMS, withAllProfilesReported, withAllReported } from '@busbar/domain/device-state';
import { isAfter, withReported, type HandlerContext, type Needs } from '../../pipeline/contract';
import { changeDeviceModel, changeDeviceState } from '../shared/device-state';

type Context = Pick<HandlerContext, 'lookups' | 'rows' | 'position'>;

/** A report that has come to its end. */
interface WholeReport extends Pick<ReportInParts, 'sequences'> {
  /** Of its first message: what no message has named since then is gone. */
  readonly since: Position;
  /** When its last part came. */
  readonly at: string;
}

interface Replacement {
  /** The document that it changes. */
  readonly document: 'deviceModel' | 'deviceStates';
  readonly apply: (charger: Charger, report: WholeReport, context: Context) => Charger;
}

const REPLACEMENTS: Partial<Readonly<Record<DeviceReportKind, Replacement>>> = {
  full: {
    document: 'deviceModel',
    apply(charger, { sequences, since }, context) {
      if (sequences.length === 0) return withInventory(charger);
      changeDeviceModel(charger, context, (model) => withWholeReport(model, since));
      return withInventory(withoutOldItems(charger, since));
    },
  },
  /** It shows that all that can be configured has come. */
  configuration: {
    document: 'deviceModel',
    apply(charger, { sequences }, context) {
      if (sequences.length > 0) changeDeviceModel(charger, context, (model) => ({ ...model, isReported: true }));
      return charger;
    },
  },
  monitoring: {
    document: 'deviceStates',
    apply(charger, report, context) {
      changeDeviceState(charger, context, ({ monitors }) => ({
        monitors: withAllReported(monitors ?? NO_ITEMS, report),
      }));
      return charger;
    },
  },
  display_messages: {
    document: 'deviceStates',
    apply(charger, report, context) {
      changeDeviceState(charger, context, ({ displayMessages }) => ({
        displayMessages: withAllReported(displayMessages ?? NO_ITEMS, report),
      }));
      return charger;
    },
  },
  charging_profiles: {
    document: 'deviceStates',
    apply(charger, { since }, context) {
      changeDeviceState(charger, context, ({ profiles }) => ({ profiles: withAllProfilesReported(profiles, since) }));
      return charger;
    },
  },
};

/** Names what a report of this kind changes. */
export function needReplaced(needs: Needs, { chargerId }: Charger, kind: DeviceReportKind): void {
  const replacement = REPLACEMENTS[kind];
  if (replacement !== undefined) needs[replacement.document](chargerId);
}

/** The record after a complete report, for which `needReplaced` must have named the charger. */
export function afterWholeReport(
  charger: Charger,
  { kind, isPartial, since, sequences, lastPartAt }: ReportInParts,
  context: Context,
): Charger {
  if (kind === undefined || isPartial === true) return charger;
  // Only reports that an earlier release stored lack them.
  if (since === undefined || lastPartAt === undefined) return kind === 'full' ? withInventory(charger) : charger;
  return REPLACEMENTS[kind]?.apply(charger, { sequences, since, at: lastPartAt }, context) ?? charger;
}

/** The record of a charger that need not be asked for its whole model until its firmware changes. */
export function withInventory(charger: Charger): Charger {
  const { boot, inventoryOf } = charger.reported;
  const firmware = boot?.firmware ?? '';
  return inventoryOf === firmware ? charger : withReported(charger, { inventoryOf: firmware });
}

/** The configuration has no more than the model. */
function withoutOldItems(charger: Charger, since: Position): Charger {
  const { configuration } = charger.reported;
  const left = configuration.filter(({ position }) => position !== undefined && !isAfter(since, position));
  return left.length === configuration.length ? charger : withReported(charger, { configuration: left });
}
