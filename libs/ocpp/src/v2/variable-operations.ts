// The configuration of a charger in OCPP 2.x: variables of its device model by their names, or by the usual names of 1.6 (rules 147, 148).
import type { InputIssue, OperationTable } from '../operations/operation';
import { variableOfKey } from './configuration-aliases';
import { call } from './operation-parts';
import { parseVariableName, variableName, type ComponentVariable } from './variable-name';

const UNKNOWN = 'is neither Component.Variable nor the name of a configuration key of OCPP 1.6 that 2.x has';
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

function variableNamed(configName: string): ComponentVariable | undefined {
  return parseVariableName(variableOfKey(configName) ?? configName);
}

function keyOf(variable: ComponentVariable): string {
  return variableName(variable).toLowerCase();
}
