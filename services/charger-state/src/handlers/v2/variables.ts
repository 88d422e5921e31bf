// Variables of the device model of OCPP 2.x, shown as the configuration of the charger under their names (rules 147 and 150).
import type { Position } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { maskPayload, variableName } from '@busbar/ocpp';
import { withResolvedKey } from '../shared/authorization-key';
import { isTaken, withChangedItem } from '../shared/configuration';
import type { CallHandler, OutcomeHandler, RequestOf, ResponseOf } from './route';

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
    const sent = maskPayload(request).setVariableData.filter(isActual);
    return {
      charger: sent.reduce(
        (each, data) => (taken.has(nameOf(data)) ? withValue(each, data, data.attributeValue, position) : each),
        charger,
      ),
    };
  },
};

/** The result of a GetVariables (OCPP 2.0.1, B06). */
export const getVariablesOutcome: OutcomeHandler<'GetVariables'> = {
  apply(charger, { payload: { response } }, { position }) {
    const results = response === undefined ? [] : maskPayload(response).getVariableResult;
    return { charger: results.filter(isActual).reduce((each, result) => withRead(each, result, position), charger) };
  },
};

/** A part of a report of the charger's variables (OCPP 2.0.1, B07 and B08). Parts may come in any order. */
export const notifyReport: CallHandler<'NotifyReport'> = {
  apply(charger, { payload }, { position }) {
    const { reportData = [] } = maskPayload(payload);
    return { charger: reportData.reduce((each, data) => withReport(each, data, position), charger) };
  },
};

type ReadResult = ResponseOf<'GetVariables'>['getVariableResult'][number];
type ReportData = (RequestOf<'NotifyReport'>['reportData'] & object)[number];
type Named = Parameters<typeof variableName>[0];

function withRead(charger: Charger, result: ReadResult, position: Position): Charger {
  if (result.attributeStatus !== 'Accepted') return charger;
  return withValue(charger, result, result.attributeValue ?? '', position);
}

function withReport(charger: Charger, data: ReportData, position: Position): Charger {
  const attribute = data.variableAttribute.find(isActual);
  if (attribute === undefined) return charger;
  const { mutability, value = '' } = attribute;
  const change = {
    configName: variableName(data),
    configValue: mutability === WRITE_ONLY ? '' : value,
    canBeChanged: mutability !== READ_ONLY,
  };
  return withChangedItem(charger, change, position);
}

function withValue(charger: Charger, variable: Named, configValue: string, position: Position): Charger {
  const value = nameOf(variable) === PASSWORD ? '' : configValue;
  return withChangedItem(charger, { configName: variableName(variable), configValue: value }, position);
}

function isActual({ attributeType, type }: { readonly attributeType?: string; readonly type?: string }): boolean {
  return (attributeType ?? type ?? ACTUAL) === ACTUAL;
}

function nameOf(variable: Named): string {
  return variableName(variable).toLowerCase();
}
