// Variables of the device model of OCPP 2.x: their values in the model, and in the configuration of the charger under their names
// (rules 147, 149 and 150).
import type { Charger } from '@busbar/domain/chargers';
import { withVariables } from '@busbar/domain/device-model';
import { maskPayload, socketIdOf, variableName } from '@busbar/ocpp';
import { isAfter, withReported, type HandlerContext } from '../../pipeline/contract';
import { withResolvedKey } from '../shared/authorization-key';
import { isTaken, withChangedItems, type ChangedItem } from '../shared/configuration';
import { changeDeviceModel } from '../shared/device-state';
import { isWithinLimit } from '../shared/row-limit';
import { withNewValues, withValuesInModel, type NewValue } from './changed-values';
import { isRepeated, withReportPart } from './reports';
import type { CallHandler, OutcomeHandler, RequestOf } from './route';
import {
  ACTUAL,
  isActual,
  isPassword,
  isReadOnly,
  isWriteOnly,
  reportedVariable,
  shownValue,
  type NamedVariable,
  type ReportData,
} from './variable-parts';

const REBOOT = 'RebootRequired';

/** The result of a SetVariables (OCPP 2.0.1, B05). Secret values are never stored (rule 152). */
export const setVariablesOutcome: OutcomeHandler<'SetVariables'> = {
  prepare: (needs, { chargerId }) => needs.deviceModel(chargerId),
  apply(before, { commandId, payload: { result, request, response }, order, receivedAt: at }, context) {
    const results = response?.setVariableResult ?? [];
    const status = results.find(isPassword)?.attributeStatus;
    const charger =
      commandId === undefined ? before : withResolvedKey(before, commandId, { result, status, order, at });
    if (request === undefined) return { charger };
    const statuses = new Map(results.map((each) => [attributeKey(each), each.attributeStatus]));
    const mutabilities = mutabilitiesOf(charger, context);
    const set = maskPayload(request).setVariableData.flatMap((data): NewValue[] => {
      const key = attributeKey(data);
      const answer = statuses.get(key) ?? '';
      if (!isTaken(answer)) return [];
      const isSecret = isPassword(data) || isWriteOnly(mutabilities.get(key));
      return [{ ...data, value: isSecret ? undefined : data.attributeValue, isPending: answer === REBOOT }];
    });
    const current = set.filter(({ isPending }) => isPending !== true);
    const configured = withChangedItems(charger, current.filter(isActual).map(itemOf), {
      at,
      position: context.position,
    });
    return { charger: withNewValues(configured, set, { at, context, areSet: true }) };
  },
};

/** The result of a GetVariables (OCPP 2.0.1, B06). */
export const getVariablesOutcome: OutcomeHandler<'GetVariables'> = {
  prepare: (needs, { chargerId }) => needs.deviceModel(chargerId),
  apply(charger, { payload: { response }, receivedAt: at }, context) {
    const results = response === undefined ? [] : maskPayload(response).getVariableResult;
    const read = results.flatMap((each): NewValue[] =>
      each.attributeStatus === 'Accepted'
        ? [{ ...each, value: isPassword(each) ? undefined : (each.attributeValue ?? '') }]
        : [],
    );
    // The response does not say what can be changed.
    const mutabilities = mutabilitiesOf(charger, context);
    const known = configuredNames(charger);
    const items = read.filter(isActual).flatMap((value): ChangedItem[] => {
      const mutability = mutabilities.get(attributeKey(value));
      const item = itemOf(value);
      if (known.has(item.configName.toLowerCase())) return [item];
      return mutability === undefined || isReadOnly(mutability) ? [] : [item];
    });
    const configured = withChangedItems(charger, items, { at, position: context.position });
    return { charger: withNewValues(configured, read, { at, context }) };
  },
};

/** A part of a report of the charger's variables (OCPP 2.0.1, B07 and B08). Parts may come in any order. */
export const notifyReport: CallHandler<'NotifyReport'> = {
  prepare: (needs, { chargerId }) => needs.deviceModel(chargerId),
  apply(charger, report, context) {
    const { payload, receivedAt: at } = report;
    const { position } = context;
    const { reportData = [] } = maskPayload(payload);
    const variables = reportData.map(reportedVariable);
    const part = { part: payload, items: variables };
    if (isRepeated(charger, report, payload)) return { charger: withReportPart(charger, report, context, part) };
    const current = withValuesInModel(charger, context);
    changeDeviceModel(current, context, (model) => withVariables(model, variables, { at, position }));
    const configured = withChangedItems(current, reportData.flatMap(configurationOf(current, payload)), {
      at,
      position,
    });
    const gathered = withReportPart(configured, report, context, part);
    const found = withReportedSockets(gathered, reportData, { at, position });
    return { charger: found.charger, deviations: found.hasSurplus ? ['surplus_connector'] : [] };
  },
};

/**
 * The record with the values of an event (rule 150). The configuration has those of its variables: an event is no list of what the
 * charger can be configured with.
 */
export function withReportedValues(
  charger: Charger,
  { payload, receivedAt: at }: { readonly payload: RequestOf<'NotifyEvent'>; readonly receivedAt: string },
  context: HandlerContext,
): Charger {
  const values = latestOf(maskPayload(payload).eventData).map((data): NewValue => {
    const { component, variable, actualValue } = data;
    return { component, variable, value: isPassword(data) ? undefined : actualValue };
  });
  const known = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
  const changed = values.map(itemOf).filter(({ configName, configValue }) => {
    const item = known.get(configName.toLowerCase());
    return item !== undefined && item.configValue !== configValue;
  });
  const configured =
    changed.length === 0 ? charger : withChangedItems(charger, changed, { at, position: context.position });
  // A charger that never reported its model has nothing to update.
  return charger.reported.reports === undefined ? configured : withNewValues(configured, values, { at, context });
}

/** The latest event of each variable: a message may have several, and stores one value. Of equal times the last one counts. */
function latestOf<Data extends NamedVariable & { readonly timestamp: string }>(
  events: readonly Data[],
): readonly Data[] {
  const latest = new Map<string, Data>();
  for (const data of events) {
    const key = attributeKey(data);
    const known = latest.get(key);
    if (known === undefined || !(Date.parse(known.timestamp) > Date.parse(data.timestamp))) latest.set(key, data);
  }
  return [...latest.values()];
}

/** A connector that a report names has a socket from then on (rule 133). Its state is not known before its status. */
function withReportedSockets(
  charger: Charger,
  reportData: readonly ReportData[],
  { at, position }: { readonly at: string; readonly position: HandlerContext['position'] },
): { readonly charger: Charger; readonly hasSurplus: boolean } {
  let hasSurplus = false;
  const sockets = { ...charger.reported.sockets };
  const before = Object.keys(sockets).length;
  for (const { component } of reportData) {
    const { evse } = component;
    if (component.name.toLowerCase() !== 'connector' || evse?.connectorId === undefined) continue;
    const socketId = socketIdOf({ evseId: evse.id, connectorId: evse.connectorId });
    if (socketId === undefined || !isWithinLimit(sockets, socketId, 1)) {
      hasSurplus = true;
      continue;
    }
    if (sockets[String(socketId)] !== undefined) continue;
    sockets[String(socketId)] = {
      state: 'Booting',
      errorCode: '',
      info: '',
      vendorErrorCode: '',
      at,
      position,
      isAssumed: true,
    };
  }
  const isSame = Object.keys(sockets).length === before;
  return { charger: isSame ? charger : withReported(charger, { sockets }), hasSurplus };
}

/** What a report of everything says of the configuration: what can be changed, and what the configuration has. */
function configurationOf(
  charger: Charger,
  { requestId }: RequestOf<'NotifyReport'>,
): (data: ReportData) => ChangedItem[] {
  const { reports = [] } = charger.reported;
  const report = reports.find((each) => each.action === undefined && each.requestId === requestId);
  if (report?.kind === undefined || report.kind === 'configuration') return reported;
  const known = configuredNames(charger);
  return (data) =>
    reported(data).filter((item) => item.canBeChanged !== false || known.has(item.configName.toLowerCase()));
}

function reported(data: ReportData): ChangedItem[] {
  const attribute = data.variableAttribute.find(isActual);
  if (attribute === undefined) return [];
  const configValue = shownValue(data, attribute);
  return [{ configName: variableName(data), configValue, canBeChanged: !isReadOnly(attribute.mutability) }];
}

function itemOf(value: NewValue): ChangedItem {
  return { configName: variableName(value), configValue: value.value ?? '' };
}

function configuredNames({ reported: { configuration } }: Charger): ReadonlySet<string> {
  return new Set(configuration.map(({ configName }) => configName.toLowerCase()));
}

/**
 * Of the attributes that the charger has reported, by `attributeKey`. Of others the model has the values alone. The model may be ahead of
 * this message, where the process died before it stored the record.
 */
function mutabilitiesOf(
  charger: Charger,
  { lookups, position }: Pick<HandlerContext, 'lookups' | 'position'>,
): ReadonlyMap<string, string> {
  const { variables = [] } = lookups.deviceModel(charger) ?? {};
  const all = variables.flatMap(({ name, attributes }) =>
    attributes.flatMap(({ type, mutability, position: reportedAt }) =>
      mutability === undefined || isAfter(reportedAt, position)
        ? []
        : [[`${name.toLowerCase()}/${type}`, mutability] as const],
    ),
  );
  return new Map(all);
}

function attributeKey(named: NamedVariable & { readonly attributeType?: string | undefined }): string {
  return `${variableName(named).toLowerCase()}/${named.attributeType ?? ACTUAL}`;
}
