// Requests a report of a charger of OCPP 2.x, which sends it in parts after its answer, and waits for the last part where it shall.
import { AppError, delay } from '@busbar/core';
import type { Charger } from '../chargers/charger';
import { readOwnedCharger } from '../chargers/owned-charger';
import { isGivenUp, type DeviceReportKind, type ReportInParts } from '../chargers/reported-variables';
import { callCharger, type CallChargerDeps, type ChargerCommand, type ChargerOwner } from './call-charger';

export interface ReportRequest {
  readonly requestId: number;
  readonly kind: DeviceReportKind;
  /** By criteria: not of all. */
  readonly isPartial?: boolean;
}

export interface RequestedReport {
  /** That of an equal report, where the charger sends one already. */
  readonly requestId: number;
  /** The charger's answer to the request: only with Accepted a report follows. */
  readonly status: string;
  /** Null where nothing was sent. */
  readonly commandId: string | null;
}

/** Between two reads of the record. */
const LOOK_MS = 200;
const HAS_REPORT: ReadonlySet<string> = new Set(['Accepted', 'EmptyResultSet', 'NoProfiles']);
/** Storing the charger's answer takes less, except in an outage. */
const MAX_STORING_MS = 3_000;

/**
 * Requests a report, and resolves when the charger has answered and that is stored. Where it sends a whole report of that kind already,
 * it is not asked again, unless the service itself has requested it and no part has come. Throws as `callCharger` does.
 */
export async function requestReport(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  request: ReportRequest,
  command: ChargerCommand<{ readonly status: string }>,
): Promise<RequestedReport> {
  const { requestId } = request;
  const pending = pendingReport(await readOwnedCharger(deps, owner), request, deps.clock.now());
  if (pending !== undefined) return { requestId: pending.requestId, status: 'Accepted', commandId: null };
  const { status, commandId } = await callCharger(deps, owner, command);
  // EmptyResultSet and NoProfiles too: the report is empty.
  if (HAS_REPORT.has(status)) await reportWhere(deps, owner, { requestId, withinMs: MAX_STORING_MS }, () => true);
  return { requestId, status, commandId };
}

/**
 * The same, and resolves when the whole report is stored, or the charger refused it. `charger`: its record then. Throws also
 * `charger_timeout` where the report is not complete within the time of the command; what came by then is stored.
 */
export async function requestWholeReport(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  request: ReportRequest,
  command: ChargerCommand<{ readonly status: string }>,
): Promise<RequestedReport & { readonly charger: Charger }> {
  const begunAt = deps.clock.now().getTime();
  const requested = await requestReport(deps, owner, request, command);
  if (requested.status !== 'Accepted') return { ...requested, charger: await readOwnedCharger(deps, owner) };
  const { requestId } = requested;
  const isWhole = ({ isComplete }: ReportInParts): boolean => isComplete;
  const withinMs = command.timeoutMs - (deps.clock.now().getTime() - begunAt);
  const charger = await reportWhere(deps, owner, { requestId, withinMs }, isWhole);
  if (charger !== undefined) return { ...requested, charger };
  throw new AppError(
    'charger_timeout',
    'The charger accepted the request, and its report was not complete in time. What came is stored.',
  );
}

/** The record as soon as it has such a report of that number; undefined where it has none in time. */
async function reportWhere(
  deps: CallChargerDeps,
  owner: ChargerOwner,
  { requestId, withinMs }: { readonly requestId: number; readonly withinMs: number },
  isWanted: (report: ReportInParts) => boolean,
): Promise<Charger | undefined> {
  const until = deps.clock.now().getTime() + withinMs;
  for (;;) {
    const charger = await readOwnedCharger(deps, owner);
    // Numbers of requests are random: reports of two actions have one only by design of another system.
    if (charger.reported.reports?.some((each) => each.requestId === requestId && isWanted(each)) === true)
      return charger;
    if (deps.clock.now().getTime() >= until) return undefined;
    await delay(deps.clock, LOOK_MS);
  }
}

/** A report of a connection that is over may never be complete. */
function pendingReport(
  { connection, reported: { reports = [] } }: Charger,
  { kind, isPartial = false }: ReportRequest,
  now: Date,
): ReportInParts | undefined {
  if (!connection.active || isPartial) return undefined;
  return reports.find(
    (each) =>
      each.kind === kind &&
      each.isPartial !== true &&
      !each.isComplete &&
      !isGivenUp(each, now) &&
      each.since?.[0] === connection.position[0] &&
      (each.isOwn !== true || each.sequences.length > 0),
  );
}
