// Variables of the device model of OCPP 2.x: their values in the model, and in the configuration of the charger under their names
// (rules 147, 149 and 150).
import type { Charger } from '@busbar/domain/chargers';
import { withVariables } from '@busbar/domain/device-model';
import { maskPayload, socketIdOf, variableName } from '@busbar/ocpp';
import { withReported, type HandlerContext } from '../../pipeline/contract';
import { withResolvedKey } from '../shared/authorization-key';
import { isTaken, withChangedItems, type ChangedItem } from '../shared/configuration';
import { changeDeviceModel } from '../shared/device-state';
import { isWithinLimit } from '../shared/row-limit';
import { needModelForMany, withNewValues, withValuesInModel, type NewValue } from './changed-values';
import { withReportPart } from './reports';
import type { CallHandler, OutcomeHandler, RequestOf } from './route';
import {
  ACTUAL,
  isActual,
  isPassword,
  isReadOnly,
  reportedVariable,
  shownValue,
  type NamedVariable,
  type ReportData,
} from './variable-parts';

const REBOOT = 'RebootRequired';

/** The result of a SetVariables (OCPP 2.0.1, B05). Secret values are never stored (rule 152). */
export const setVariablesOutcome: OutcomeHandler<'SetVariables'> = {
  prepare: (needs, charger, { payload: { request } }) =>
    needModelForMany(needs, charger, request?.setVariableData.length ?? 0),
  apply(before, { commandId, payload: { result, request, response }, order, receivedAt }, context) {
    const results = response?.setVariableResult ?? [];
    const status = results.find(isPassword)?.attributeStatus;
    const charger = commandId === undefined ? before : withResolvedKey(before, commandId, { result, status, order });
    if (request === undefined) return { charger };
    const statuses = new Map(results.map((each) => [attributeKey(each), each.attributeStatus]));
    const set = maskPayload(request).setVariableData.flatMap((data): NewValue[] => {
      const answer = statuses.get(attributeKey(data)) ?? '';
      if (!isTaken(answer)) return [];
      return [{ ...data, value: isPassword(data) ? '' : data.attributeValue, isPending: answer === REBOOT }];
    });
    const current = set.filter(({ isPending }) => isPending !== true);
    const configured = withChangedItems(charger, current.filter(isActual).map(itemOf), context.position);
    return { charger: withNewValues(configured, set, { at: receivedAt, context }) };
  },
};

/** The result of a GetVariables (OCPP 2.0.1, B06). */
export const getVariablesOutcome: OutcomeHandler<'GetVariables'> = {
  prepare: (needs, charger, { payload: { response } }) =>
    needModelForMany(needs, charger, response?.getVariableResult.length ?? 0),
  apply(charger, { payload: { response }, receivedAt }, context) {
    const results = response === undefined ? [] : maskPayload(response).getVariableResult;
    const values = results.flatMap((each): NewValue[] =>
      each.attributeStatus === 'Accepted'
        ? [{ ...each, value: isPassword(each) ? '' : (each.attributeValue ?? '') }]
        : [],
    );
    const configured = withChangedItems(charger, values.filter(isActual).map(itemOf), context.position);
    return { charger: withNewValues(configured, values, { at: receivedAt, context }) };
  },
};

/** A part of a report of the charger's variables (OCPP 2.0.1, B07 and B08). Parts may come in any order. */
export const notifyReport: CallHandler<'NotifyReport'> = {
  prepare: (needs, { chargerId }) => needs.deviceModel(chargerId),
  apply(charger, report, context) {
    const { payload, receivedAt: at } = report;
    const { position } = context;
    const { reportData = [] } = maskPayload(payload);
    const current = withValuesInModel(charger, context);
    const variables = reportData.map(reportedVariable);
    changeDeviceModel(current, context, (model) => withVariables(model, variables, { at, position }));
    const configured = withChangedItems(current, reportData.flatMap(configurationOf(current, payload)), position);
    const gathered = withReportPart(configured, report, context, { part: payload, items: variables });
    return { charger: withReportedSockets(gathered, reportData, { at, position }) };
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
  const values = maskPayload(payload).eventData.map((data): NewValue => {
    const { component, variable, actualValue } = data;
    return { component, variable, value: isPassword(data) ? '' : actualValue };
  });
  const known = new Map(charger.reported.configuration.map((item) => [item.configName.toLowerCase(), item]));
  const changed = values.map(itemOf).filter(({ configName, configValue }) => {
    const item = known.get(configName.toLowerCase());
    return item !== undefined && item.configValue !== configValue;
  });
  const configured = changed.length === 0 ? charger : withChangedItems(charger, changed, context.position);
  // A charger that never reported its model has nothing to update.
  return charger.reported.reports === undefined ? configured : withNewValues(configured, values, { at, context });
}

/** A connector that a report names has a socket from then on (rule 133). Its state is not known before its status. */
function withReportedSockets(
  charger: Charger,
  reportData: readonly ReportData[],
  { at, position }: { readonly at: string; readonly position: HandlerContext['position'] },
): Charger {
  const sockets = { ...charger.reported.sockets };
  const before = Object.keys(sockets).length;
  for (const { component } of reportData) {
    const { evse } = component;
    if (component.name.toLowerCase() !== 'connector' || evse?.connectorId === undefined) continue;
    const socketId = socketIdOf({ evseId: evse.id, connectorId: evse.connectorId });
    if (socketId === undefined || sockets[String(socketId)] !== undefined || !isWithinLimit(sockets, socketId, 1))
      continue;
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
  return Object.keys(sockets).length === before ? charger : withReported(charger, { sockets });
}

/** What a report of everything says of the configuration: what can be changed, and what the configuration has. */
function configurationOf(
  { reported: { reports = [], configuration } }: Charger,
  { requestId }: RequestOf<'NotifyReport'>,
): (data: ReportData) => ChangedItem[] {
  const { kind = 'configuration' } =
    reports.find((each) => each.action === undefined && each.requestId === requestId) ?? {};
  if (kind === 'configuration') return reported;
  const known = new Set(configuration.map(({ configName }) => configName.toLowerCase()));
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
  return { configName: variableName(value), configValue: value.value };
}

function attributeKey(named: NamedVariable & { readonly attributeType?: string }): string {
  return `${variableName(named).toLowerCase()}/${named.attributeType ?? ACTUAL}`;
}
