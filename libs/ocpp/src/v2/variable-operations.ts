// The configuration of a charger in OCPP 2.x: variables of its device model by their names, or by the usual names of 1.6 (rules 147, 148).
import { given } from '../operations/calls';
import type { InputIssue, NamedVariable, OperationTable } from '../operations/operation';
import { variableOfKey } from './configuration-aliases';
import { call, status } from './operation-parts';
import { parseVariableName, variableName, type ComponentVariable } from './variable-name';

const UNKNOWN = 'is neither Component.Variable nor the name of a configuration key of OCPP 1.6 that 2.x has';
/** The attribute that counts where a message names none. */
const ACTUAL = 'Actual';
const NOWHERE: ComponentVariable = { component: { name: '' }, variable: { name: '' } };

export const variableOperations: OperationTable = {
  /** Without names the charger would send reports: not by this operation. */
  getConfiguration({ configNames = [] }) {
    if (configNames.length === 0) return undefined;
    const variables = configNames.map(variableNamed);
    const asked = new Map(variables.map((each, n) => [keyOf(each ?? NOWHERE), configNames[n] ?? '']));
    return {
      ...call(
        'GetVariables',
        { getVariableData: variables.map((each) => each ?? NOWHERE) },
        ({ getVariableResult }) => {
          const named = getVariableResult.map((result) => ({
            ...result,
            configName: asked.get(keyOf(result)) ?? variableName(result),
          }));
          const isKnown = ({ attributeStatus }: (typeof named)[number]) => !attributeStatus.startsWith('Unknown');
          return {
            configuration: named.filter(isKnown).map(({ configName, attributeValue = '' }) => ({
              configName,
              configValue: attributeValue,
              // The charger does not say it here; its reports do.
              canBeChanged: true,
            })),
            unknownConfigNames: named.filter((each) => !isKnown(each)).map(({ configName }) => configName),
          };
        },
      ),
      issues: variables.flatMap((each, n): InputIssue[] =>
        each === undefined ? [{ path: `/configNames/${String(n)}`, message: UNKNOWN }] : [],
      ),
    };
  },
  requestConfiguration: ({ requestId }) => status('GetBaseReport', { requestId, reportBase: 'ConfigurationInventory' }),
  getVariables: ({ variables }) => ({
    ...call('GetVariables', { getVariableData: variables.map(dataOf) }, ({ getVariableResult }) => ({
      variables: getVariableResult.map((result) => ({
        name: variableName(result),
        attributeType: result.attributeType ?? ACTUAL,
        value: result.attributeValue ?? null,
        status: result.attributeStatus,
      })),
    })),
    issues: issuesOfAll(variables),
  }),
  setVariables: ({ variables }) => ({
    ...call(
      'SetVariables',
      { setVariableData: variables.map((each) => ({ ...dataOf(each), attributeValue: each.value })) },
      ({ setVariableResult }) => ({
        variables: setVariableResult.map((result) => {
          const { attributeType = ACTUAL, attributeStatus, attributeStatusInfo: info } = result;
          const statusInfo = info && { reasonCode: info.reasonCode, additionalInfo: info.additionalInfo ?? null };
          return {
            name: variableName(result),
            attributeType,
            status: attributeStatus,
            statusInfo: statusInfo ?? null,
          };
        }),
      }),
    ),
    issues: issuesOfAll(variables),
  }),
  changeConfiguration({ configName, configValue }) {
    const variable = variableNamed(configName);
    const setVariableData = [{ ...(variable ?? NOWHERE), attributeValue: configValue }];
    return {
      ...call('SetVariables', { setVariableData }, ({ setVariableResult: [result] }) => ({
        status: result?.attributeStatus ?? '',
      })),
      issues: variable === undefined ? [{ path: '/configName', message: UNKNOWN }] : [],
    };
  },
};

/** Both ways to name a variable; undefined for a text that names none, or neither. */
function variableOf({ name, ...parts }: NamedVariable): ComponentVariable | undefined {
  const { component, instance, evseId, connectorId, variable, variableInstance } = parts;
  if (name !== undefined) return variableNamed(name);
  if (component === undefined || variable === undefined) return undefined;
  const evse = evseId === undefined ? undefined : { id: evseId, ...given('connectorId', connectorId) };
  return {
    component: { name: component, ...given('instance', instance), ...given('evse', evse) },
    variable: { name: variable, ...given('instance', variableInstance) },
  };
}

function dataOf(variable: NamedVariable) {
  return { ...(variableOf(variable) ?? NOWHERE), ...given('attributeType', variable.attributeType) };
}

function issuesOfAll(variables: readonly NamedVariable[]): InputIssue[] {
  return variables.flatMap((each, n): InputIssue[] => {
    if (variableOf(each) !== undefined) return [];
    const at = `/variables/${String(n)}`;
    if (each.name !== undefined) return [{ path: `${at}/name`, message: UNKNOWN }];
    return [{ path: at, message: 'needs name, or component and variable' }];
  });
}

function variableNamed(configName: string): ComponentVariable | undefined {
  return parseVariableName(variableOfKey(configName) ?? configName);
}

function keyOf(variable: ComponentVariable): string {
  return variableName(variable).toLowerCase();
}
