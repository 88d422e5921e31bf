// Monitors of the variables of a charger of OCPP 2.x: it reports an event when a value passes a threshold, changes or is due.
import type { Position } from '@busbar/contracts';
import type { VariableName } from '../chargers/reported-variables';
import type { Timestamp } from '../timestamp';
import { withItems, withoutItems, type NumberedItem, type NumberedItems } from './numbered-items';

export interface Monitor extends NumberedItem, VariableName {
  /** As OCPP names it: UpperThreshold, LowerThreshold, Delta, Periodic, PeriodicClockAligned, TargetDelta or TargetDeltaRelative. */
  readonly type: string;
  readonly value: number;
  /** 0: danger, to 9: debug. */
  readonly severity: number;
  /** It is active during transactions alone. */
  readonly transaction: boolean;
  /** As OCPP names it (`eventNotificationType`). Null: not known. */
  readonly origin: string | null;
  /** When the charger accepted or reported it last. */
  readonly setAt: Timestamp;
  /** The command that set it. Null: none of this service. */
  readonly commandId: string | null;
}

/** The origin of monitors that a central system has set. */
const CUSTOM = 'CustomMonitor';
const MAX_MONITORS = 500;

/**
 * Adds monitors that the charger accepted or reported. A reported one keeps its command, and its origin where the report names none; an
 * accepted one that was there before is no custom one.
 */
export function withMonitors(before: NumberedItems<Monitor>, monitors: readonly Monitor[]): NumberedItems<Monitor> {
  const known = new Map(before.items.map((each) => [each.id, each]));
  const added = monitors.map((each) => {
    const { commandId = null, origin = null } = known.get(each.id) ?? {};
    const accepted = each.commandId === null ? null : CUSTOM;
    return { ...each, commandId: each.commandId ?? commandId, origin: each.origin ?? origin ?? accepted };
  });
  return withItems(before, added, MAX_MONITORS);
}

/** Removes the monitors that central systems have set (OCPP 2.0.1, N03). */
export function withoutCustomMonitors(before: NumberedItems<Monitor>, position: Position): NumberedItems<Monitor> {
  const custom = before.items.filter(({ origin }) => origin === CUSTOM);
  return withoutItems(before, { ids: custom.map(({ id }) => id), position });
}
