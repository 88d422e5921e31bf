// Variables of the device model of OCPP 2.x, shown as the configuration of the charger under their names (rules 147 and 150).
import type { Timestamp } from '@busbar/domain';
import type { Charger, ReportInParts } from '@busbar/domain/chargers';
import { maskPayload, variableName } from '@busbar/ocpp';
import { withReported, type HandlerContext } from '../../pipeline/contract';
import { withResolvedKey } from '../shared/authorization-key';
import { isTaken, withChangedItems, type ChangedItem } from '../shared/configuration';
import { isComplete, NO_PARTS, withPart } from './report-parts';
import type { CallHandler, OutcomeHandler, RequestOf } from './route';

/** Of the attribute that counts where a message names none. */
const ACTUAL = 'Actual';
const WRITE_ONLY = 'WriteOnly';
const READ_ONLY = 'ReadOnly';
const PASSWORD = 'securityctrlr.basicauthpassword';

/** The result of a SetVariables (OCPP 2.0.1, B05). Secret values are never stored (rule 152). */
export const setVariablesOutcome: OutcomeHandler<'SetVariables'> = {
  apply(before, { commandId, payload: { result, request, response }, order }, { position }) {
    const results = response?.setVariableResult ?? [];
    const status = results.find((each) => nameOf(each) === PASSWORD)?.attributeStatus;
    const charger = commandId === undefined ? before : withResolvedKey(before, commandId, { result, status, order });
    if (request === undefined) return { charger };
    const taken = new Set(
      results.filter(isActual).flatMap((each) => (isTaken(each.attributeStatus) ? [nameOf(each)] : [])),
    );
    const sent = maskPayload(request).setVariableData.filter((data) => isActual(data) && taken.has(nameOf(data)));
    const changes = sent.map((data) => valueOf(data, data.attributeValue));
    return { charger: withChangedItems(charger, changes, position) };
  },
};

/** The result of a GetVariables (OCPP 2.0.1, B06). */
export const getVariablesOutcome: OutcomeHandler<'GetVariables'> = {
  apply(charger, { payload: { response } }, { position }) {
    const results = response === undefined ? [] : maskPayload(response).getVariableResult;
    const read = results.filter((each) => isActual(each) && each.attributeStatus === 'Accepted');
    const changes = read.map((each) => valueOf(each, each.attributeValue ?? ''));
    return { charger: withChangedItems(charger, changes, position) };
  },
};

/** Reports that are joined at a time: those that are interleaved (rule 151). */
const MAX_REPORTS = 4;
/** Without a further part a report is closed after this time, as incomplete (rule 151). */
const CLOSED_AFTER_MS = 600_000;

/** A part of a report of the charger's variables (OCPP 2.0.1, B07 and B08). Parts may come in any order. */
export const notifyReport: CallHandler<'NotifyReport'> = {
  apply(charger, { payload, receivedAt }, { position }) {
    const { reportData = [] } = maskPayload(payload);
    const changed = withChangedItems(charger, reportData.flatMap(reported), position);
    return { charger: withReportPart(changed, payload, receivedAt) };
  },
};

function withReportPart(charger: Charger, part: RequestOf<'NotifyReport'>, receivedAt: Timestamp): Charger {
  const { requestId, seqNo, tbc = false } = part;
  const { reports = [] } = charger.reported;
  const known = reports.find((each) => each.requestId === requestId);
  // A part that comes after the end belongs to another report of that number.
  const before = known === undefined || isClosed(known, receivedAt) ? NO_PARTS : known;
  const parts = withPart(before, { seqNo, isContinued: tbc });
  if (parts === known) return charger;
  const { sequences, last } = parts;
  const report: ReportInParts = {
    requestId,
    isComplete: isComplete(parts),
    sequences,
    ...(last !== undefined && { last }),
    lastPartAt: receivedAt,
  };
  const others = reports.filter((each) => each !== known);
  return withReported(charger, { reports: [...others, report].slice(-MAX_REPORTS) });
}

function isClosed({ isComplete: hasAll, lastPartAt }: ReportInParts, now: Timestamp): boolean {
  return !hasAll && lastPartAt !== undefined && Date.parse(now) - Date.parse(lastPartAt) >= CLOSED_AFTER_MS;
}

/** The values of an event's variables that the configuration has: an event is no list of what the charger can be configured with. */
export function withReportedValues(
  charger: Charger,
  payload: RequestOf<'NotifyEvent'>,
  { position }: Pick<HandlerContext, 'position'>,
): Charger {
  const { configuration } = charger.reported;
  if (configuration.length === 0) return charger;
  const known = new Map(configuration.map((item) => [item.configName.toLowerCase(), item]));
  const values = maskPayload(payload).eventData.map((data) => valueOf(data, data.actualValue));
  const changed = values.filter(({ configName, configValue }) => {
    const item = known.get(configName.toLowerCase());
    return item !== undefined && item.configValue !== configValue;
  });
  return withChangedItems(charger, changed, position);
}

type ReportData = (RequestOf<'NotifyReport'>['reportData'] & object)[number];
type Named = Parameters<typeof variableName>[0];

function reported(data: ReportData): ChangedItem[] {
  const attribute = data.variableAttribute.find(isActual);
  if (attribute === undefined) return [];
  const { mutability, value = '' } = attribute;
  const shown = valueOf(data, mutability === WRITE_ONLY ? '' : value);
  return [{ ...shown, canBeChanged: mutability !== READ_ONLY }];
}

function valueOf(variable: Named, configValue: string): ChangedItem {
  return { configName: variableName(variable), configValue: nameOf(variable) === PASSWORD ? '' : configValue };
}

function isActual({ attributeType, type }: { readonly attributeType?: string; readonly type?: string }): boolean {
  return (attributeType ?? type ?? ACTUAL) === ACTUAL;
}

function nameOf(variable: Named): string {
  return variableName(variable).toLowerCase();
}
