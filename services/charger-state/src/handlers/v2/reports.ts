// Reports that a charger of OCPP 2.x sends in parts (rule 151): what was agreed, what has come, and the rows of both.
import type { ReportEnvelope } from '@busbar/contracts';
import { hasSequence, omitNil } from '@busbar/domain';
import { isGivenUp, type Charger, type DeviceReportKind, type ReportInParts } from '@busbar/domain/chargers';
import { isReportComplete, NO_PARTS, withPart, type ReportParts } from '@busbar/domain/device-model';
import { maskPayload } from '@busbar/ocpp';
import { withReported, type HandlerContext, type Report } from '../../pipeline/contract';
import type { Action, CallHandler, OutcomeHandler, RequestOf } from './route';
import { afterWholeReport, needReplaced, withInventory } from './whole-reports';

/** Reports that are joined at a time: those that are interleaved. */
const MAX_REPORTS = 8;

type Context = Pick<HandlerContext, 'lookups' | 'rows' | 'position'>;
type Envelope = Omit<ReportEnvelope, 'payload'>;

interface Part {
  readonly requestId: number;
  readonly seqNo?: number;
  readonly tbc?: boolean;
}

/** What a message of this action agrees to, and the action of the parts that follow. */
interface Agreement<A extends Action> {
  readonly parts: Action;
  readonly kind: (request: RequestOf<A>) => DeviceReportKind;
  /** The report is not of all. */
  readonly isPartial?: (request: RequestOf<A>) => boolean;
  /** No part follows. */
  readonly isSilent?: (request: RequestOf<A>) => boolean;
}

const REPORT = 'NotifyReport' satisfies Action;

/** The record with this part of a report, whose row has `items`. */
export function withReportPart(
  charger: Charger,
  report: Envelope,
  context: Context,
  { part, items }: { readonly part: Part; readonly items: readonly unknown[] },
): Charger {
  const { requestId, seqNo, tbc = false } = part;
  const known = reportOf(charger, { action: report.action, requestId });
  const open = ifOpen(known, report);
  const parts = withPart(partsOf(open), { ...omitNil({ seqNo }), isContinued: tbc });
  const row = { ...rowOf(charger, report, requestId), items, ...omitNil({ seqNo }) };
  context.rows.deviceReports.push(tbc ? row : { ...row, isLast: true });
  // One more without a number is no repetition.
  if (parts === open && (seqNo !== undefined || open.hasEnded === true)) return charger;
  const begun = open ?? begunBy(report, requestId, context);
  const next: ReportInParts = {
    ...begun,
    ...parts,
    isComplete: isReportComplete(parts),
    lastPartAt: report.receivedAt,
  };
  const gathered = withReport(charger, next, known);
  return next.isComplete && !begun.isComplete ? afterWholeReport(gathered, next, context) : gathered;
}

/** Whether this part has come before. What it says may be older than what is stored since. */
export function isRepeated(charger: Charger, report: Envelope, { requestId, seqNo }: Part): boolean {
  const open = ifOpen(reportOf(charger, { action: report.action, requestId }), report);
  return open !== undefined && seqNo !== undefined && hasSequence(open.sequences, seqNo);
}

/** A part that comes after the end belongs to another report of that number. */
function ifOpen(known: ReportInParts | undefined, { receivedAt }: Envelope): ReportInParts | undefined {
  return known !== undefined && !isGivenUp(known, new Date(receivedAt)) ? known : undefined;
}

/** A report that nobody requested, at its first part. */
function begunBy({ id, action }: Envelope, requestId: number, { position }: Context): ReportInParts {
  const report = { requestId, isComplete: false, sequences: [], since: position, firstRowId: id };
  return action === REPORT ? report : { ...report, action };
}

/** What a charger that is asked for a report has agreed to. */
export function agreementOutcome<A extends Action>(agreement: Agreement<A>): OutcomeHandler<A> {
  return {
    prepare(needs, charger, { payload: { request } }) {
      if (request !== undefined) needReplaced(needs, charger, agreement.kind(request));
    },
    apply(charger, report, context) {
      const { request, status } = report.payload;
      if (request === undefined || status === '') return { charger };
      return { charger: withAgreement(charger, report, context, { agreement, request, status }) };
    },
  };
}

export const getBaseReportOutcome = agreementOutcome<'GetBaseReport'>({
  parts: REPORT,
  kind: ({ reportBase }) => BASES[reportBase] ?? 'custom',
});

const BASES: Readonly<Record<string, DeviceReportKind>> = {
  ConfigurationInventory: 'configuration',
  FullInventory: 'full',
  SummaryInventory: 'summary',
};

export const getReportOutcome = agreementOutcome<'GetReport'>({
  parts: REPORT,
  kind: () => 'custom',
  isPartial: () => true,
});

export const getMonitoringReportOutcome = agreementOutcome<'GetMonitoringReport'>({
  parts: 'NotifyMonitoringReport',
  kind: () => 'monitoring',
  isPartial: ({ componentVariable, monitoringCriteria }) =>
    componentVariable !== undefined || monitoringCriteria !== undefined,
});

export const customerInformationOutcome = agreementOutcome<'CustomerInformation'>({
  parts: 'NotifyCustomerInformation',
  kind: () => 'customer_information',
  isPartial: () => true,
  isSilent: ({ report }) => !report,
});

export const getDisplayMessagesOutcome = agreementOutcome<'GetDisplayMessages'>({
  parts: 'NotifyDisplayMessages',
  kind: () => 'display_messages',
  isPartial: ({ id, priority, state }) => id !== undefined || priority !== undefined || state !== undefined,
});

export const getChargingProfilesOutcome = agreementOutcome<'GetChargingProfiles'>({
  parts: 'ReportChargingProfiles',
  kind: () => 'charging_profiles',
  isPartial: ({ evseId, chargingProfile }) =>
    evseId !== undefined || Object.keys(chargingProfile).some((field) => field !== 'customData'),
});

/** The messages with parts of a report. */
type PartAction =
  'NotifyMonitoringReport' | 'NotifyCustomerInformation' | 'NotifyDisplayMessages' | 'ReportChargingProfiles';

/** How a part of a report changes what is stored of the charger, beside the report itself. */
type StorePart<A extends PartAction> = (
  charger: Charger,
  report: Report<RequestOf<A>>,
  context: HandlerContext,
) => void;

/** Handles a part of a report (OCPP 2.0.1, N02, N09, O03, K09). `store` gets it with secrets masked. */
export function partHandler<A extends PartAction>(
  kind: DeviceReportKind,
  itemsOf: (payload: RequestOf<A>) => readonly unknown[],
  store: StorePart<A> = () => undefined,
): CallHandler<A> {
  return {
    prepare: (needs, charger) => needReplaced(needs, charger, kind),
    apply: (charger, report, context) => {
      const payload = maskPayload(report.payload);
      if (!isRepeated(charger, report, payload)) store(charger, { ...report, payload }, context);
      return { charger: withReportPart(charger, report, context, { part: payload, items: itemsOf(payload) }) };
    },
  };
}

export const notifyCustomerInformation = partHandler<'NotifyCustomerInformation'>(
  'customer_information',
  ({ data }) => [data],
);

interface Agreed<A extends Action> {
  readonly agreement: Agreement<A>;
  readonly request: RequestOf<A>;
  readonly status: string;
}

const REFUSALS: ReadonlySet<string> = new Set(['Rejected', 'NotSupported', 'Invalid']);

function withAgreement<A extends Action>(
  charger: Charger,
  report: Envelope,
  context: Context,
  { agreement, request, status }: Agreed<A>,
): Charger {
  const kind = agreement.kind(request);
  if (REFUSALS.has(status)) return kind === 'full' ? afterRefusal(charger, report, status) : charger;
  const { requestId } = request as unknown as Pick<Part, 'requestId'>;
  const known = reportOf(charger, { action: agreement.parts, requestId });
  const early = isEarly(known, context) ? known : undefined;
  // EmptyResultSet, NoProfiles, Unknown: there is nothing to report.
  const isEmpty = status !== 'Accepted' || agreement.isSilent?.(request) === true;
  const about = { kind, partAction: agreement.parts, ...omitNil({ firstRowId: early?.firstRowId }) };
  const row = { ...rowOf(charger, report, requestId), ...about };
  context.rows.deviceReports.push(isEmpty ? { ...row, isEmpty } : row);
  const next: ReportInParts = {
    ...(early ?? { requestId, isComplete: isEmpty, sequences: [], since: context.position }),
    ...aboutOf(agreement, request, report),
    kind,
    lastPartAt: report.receivedAt,
  };
  const gathered = withReport(charger, next, known);
  return next.isComplete ? afterWholeReport(gathered, next, context) : gathered;
}

/** An operator may be refused only for now. */
function afterRefusal(charger: Charger, { commandId }: Envelope, status: string): Charger {
  return commandId === undefined || status === 'NotSupported' ? withInventory(charger) : charger;
}

function aboutOf<A extends Action>(
  { parts, isPartial }: Agreement<A>,
  request: RequestOf<A>,
  { commandId }: Envelope,
): Partial<ReportInParts> {
  return {
    ...(parts !== REPORT && { action: parts }),
    ...(isPartial?.(request) === true && { isPartial: true }),
    ...(commandId === undefined && { isOwn: true }),
  };
}

/** Parts of this connection that nobody had requested: they have overtaken the response. */
function isEarly(known: ReportInParts | undefined, { position }: Context): boolean {
  return known !== undefined && known.kind === undefined && known.since?.[0] === position[0];
}

/** The record with this report instead of `known`. */
function withReport(charger: Charger, next: ReportInParts, known: ReportInParts | undefined): Charger {
  const others = charger.reported.reports?.filter((each) => each !== known) ?? [];
  return withReported(charger, { reports: [...others, next].slice(-MAX_REPORTS) });
}

function reportOf(
  { reported: { reports = [] } }: Charger,
  { action, requestId }: { readonly action: string; readonly requestId: number },
): ReportInParts | undefined {
  return reports.find((each) => (each.action ?? REPORT) === action && each.requestId === requestId);
}

function rowOf({ chargerId, incarnationId }: Charger, report: Envelope, requestId: number) {
  const { id: rowId, action, receivedAt } = report;
  return { rowId, chargerId, incarnationId, requestId, action, receivedAt };
}

function partsOf(report: ReportInParts | undefined): ReportParts {
  return report ?? NO_PARTS;
}
