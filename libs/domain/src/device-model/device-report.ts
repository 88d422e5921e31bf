// Reports that a charger of OCPP 2.x sends in parts, as they came: kept for a day (rule 151 and section 7).
import { AppError, type Clock } from '@busbar/core';
import type { Charger, ChargerReader } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import { isGivenUp, type DeviceReportKind, type VariableName } from '../chargers/reported-variables';
import { omitNil } from '../nullable';
import type { Timestamp } from '../timestamp';
import { isReportComplete, NO_PARTS, withPart } from './report-parts';

/** The monitors of a variable, in OCPP's field names (`VariableMonitoringType`). */
export interface ReportedMonitors extends VariableName {
  readonly monitors: readonly Readonly<Record<string, unknown>>[];
}

/** A part, or the charger's agreement to send one. */
export interface DeviceReportRow {
  readonly rowId: string;
  readonly chargerId: string;
  readonly incarnationId: string;
  readonly requestId: number;
  /** Of the message: of the part, or of the CALL. */
  readonly action: string;
  readonly receivedAt: Timestamp;
  /** In an agreement. */
  readonly kind?: DeviceReportKind;
  /** In an agreement: the action of the parts. */
  readonly partAction?: string;
  /** In an agreement that parts of the report overtook: the row of the first one. */
  readonly firstRowId?: string;
  /** In an agreement: that no part follows. */
  readonly isEmpty?: true;
  /** In a part that has a number. */
  readonly seqNo?: number;
  /** In the part that no other follows. */
  readonly isLast?: true;
  /**
   * In a part, with secrets masked: `ReportedVariable` of NotifyReport, `ReportedMonitors` of NotifyMonitoringReport, texts of
   * NotifyCustomerInformation, and what OCPP names of others.
   */
  readonly items?: readonly unknown[];
}

/** Parts of an action, from a row on. */
export interface PartsWanted {
  readonly action: string;
  readonly from: string;
}

export interface DeviceReportReader {
  /** Agreements and parts of any action, the oldest first, from the row of that id, or after it. */
  rows(
    charger: Pick<Charger, 'incarnationId'>,
    requestId: number,
    range: { readonly from: string; readonly isExclusive?: boolean; readonly limit: number },
  ): Promise<readonly DeviceReportRow[]>;
  /** The last agreement. */
  agreement(charger: Pick<Charger, 'incarnationId'>, requestId: number): Promise<DeviceReportRow | undefined>;
  /** Whether there is a part of that action that no other follows, from the row of that id on. */
  hasLast(charger: Pick<Charger, 'incarnationId'>, requestId: number, parts: PartsWanted): Promise<boolean>;
}

export interface DeviceReport {
  readonly requestId: number;
  /** Null: nobody requested it. */
  readonly kind: DeviceReportKind | null;
  readonly state: 'pending' | 'complete' | 'incomplete';
  /** The number of messages. */
  readonly parts: number;
  /** The action of the parts. Null: none has come. */
  readonly action: string | null;
  /** In the order of the parts' numbers. */
  readonly items: readonly unknown[];
  /** There are more than `items`. */
  readonly hasMore: boolean;
}

export interface ReadDeviceReportDeps {
  readonly chargers: Pick<ChargerReader, 'findOwned'>;
  readonly deviceReports: DeviceReportReader;
  readonly clock: Clock;
}

const ROWS_A_READ = 20;
const MAX_ITEMS = 5_000;
const MAX_CHARACTERS = 4_000_000;

/** A report of the last day. `check` throws where the charger has none. Throws `not_found` where the charger is unknown or another client's, or has no report of that number. */
export async function readDeviceReport(
  { chargers, deviceReports, clock }: ReadDeviceReportDeps,
  owner: { readonly clientId: string; readonly chargerId: string },
  requestId: number,
  check: (charger: Charger) => void = () => undefined,
): Promise<DeviceReport> {
  const charger = await readOwnedCharger({ chargers }, owner);
  check(charger);
  const agreed = await deviceReports.agreement(charger, requestId);
  const { from, kind, isEmpty, action } = beginOf(agreed);
  const found = await readParts(deviceReports, charger, { requestId, from, action });
  const last = found.parts.at(-1) ?? agreed;
  if (last === undefined) {
    throw new AppError(
      'not_found',
      `The charger ${charger.chargerId} has no report ${String(requestId)} of the last day.`,
    );
  }
  const { parts, hasMore } = found;
  const isWhole = hasMore
    ? await deviceReports.hasLast(charger, requestId, { action: last.action, from })
    : hasAll(parts);
  const lastPartAt = hasMore ? null : last.receivedAt;
  const state = stateOf({ isComplete: isWhole || isEmpty, ...omitNil({ lastPartAt }) }, clock.now());
  return { requestId, kind, state, ...contentOf(parts), hasMore };
}

/** Where the rows of a report begin, and what was agreed of it. */
function beginOf(agreed: DeviceReportRow | undefined) {
  if (agreed === undefined) return { from: '', kind: null, isEmpty: false, action: undefined };
  const { rowId, firstRowId = rowId, kind = null, isEmpty = false, partAction } = agreed;
  return { from: firstRowId, kind, isEmpty, action: partAction };
}

/** As charger-state decides it of what it has gathered. */
function hasAll(parts: readonly DeviceReportRow[]): boolean {
  const gathered = parts.map(({ seqNo, isLast }) => ({ ...omitNil({ seqNo }), isContinued: isLast !== true }));
  return isReportComplete(gathered.reduce(withPart, NO_PARTS));
}

function stateOf(report: Parameters<typeof isGivenUp>[0], now: Date): DeviceReport['state'] {
  if (report.isComplete) return 'complete';
  return isGivenUp(report, now) ? 'incomplete' : 'pending';
}

function contentOf(parts: readonly DeviceReportRow[]): Pick<DeviceReport, 'parts' | 'action' | 'items'> {
  const sorted = parts.toSorted((one, other) => (one.seqNo ?? 0) - (other.seqNo ?? 0));
  const items = sorted.flatMap((part) => part.items ?? []);
  return { parts: parts.length, action: parts[0]?.action ?? null, items };
}

interface RowsWanted {
  readonly requestId: number;
  readonly from: string;
  /** Undefined: of the first part. */
  readonly action: string | undefined;
}

/** Of one action, and each number once: a part may be sent twice, and another report may have the same number. */
async function readParts(
  reader: DeviceReportReader,
  charger: Charger,
  { requestId, from: begin, action: wanted }: RowsWanted,
): Promise<{ readonly parts: readonly DeviceReportRow[]; readonly hasMore: boolean }> {
  const parts: DeviceReportRow[] = [];
  const numbers = new Set<number>();
  let [items, characters, from, action] = [0, 0, begin, wanted];
  for (;;) {
    const rows = await reader.rows(charger, requestId, { from, isExclusive: from !== begin, limit: ROWS_A_READ });
    for (const row of rows) {
      from = row.rowId;
      if (row.items === undefined || (row.seqNo !== undefined && numbers.has(row.seqNo))) continue;
      action ??= row.action;
      if (row.action !== action) continue;
      items += row.items.length;
      characters += JSON.stringify(row.items).length;
      if (items > MAX_ITEMS || characters > MAX_CHARACTERS) return { parts, hasMore: true };
      if (row.seqNo !== undefined) numbers.add(row.seqNo);
      parts.push(row);
    }
    if (rows.length < ROWS_A_READ) return { parts, hasMore: false };
  }
}
