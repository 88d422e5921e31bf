// The configuration of a charger in OCPP 2.x: variables of its device model by their names, or by the usual names of 1.6 (rules 147, 148).
import { given } from '../operations/calls';
import type { NamedVariable } from '../operations/named-variable';
import type { InputIssue, OperationTable } from '../operations/operation';
import { call, statusInfoOf } from './operation-parts';
import { NO_VARIABLE, UNKNOWN_NAME, variableNamed, variableOf } from './named-variable';
import { variableName, type ComponentVariable } from './variable-name';

/** The attribute that counts where a message names none. */
const ACTUAL = 'Actual';

export const variableOperations: OperationTable = {
  /** Without names the charger would send reports: not by this operation. */
  getConfiguration({ configNames = [] }) {
    if (configNames.length === 0) return undefined;
    const variables = configNames.map(variableNamed);
    const asked = new Map(variables.map((each, n) => [keyOf(each ?? NO_VARIABLE), configNames[n] ?? '']));
    return {
      ...call(
        'GetVariables',
        { getVariableData: variables.map((each) => each ?? NO_VARIABLE) },
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
        each === undefined ? [{ path: `/configNames/${String(n)}`, message: UNKNOWN_NAME }] : [],
      ),
    };
  },
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
          const { attributeType = ACTUAL, attributeStatus, attributeStatusInfo } = result;
          return {
            name: variableName(result),
            attributeType,
            status: attributeStatus,
            statusInfo: statusInfoOf(attributeStatusInfo),
          };
        }),
      }),
    ),
    issues: issuesOfAll(variables),
  }),
  changeConfiguration({ configName, configValue }) {
    const variable = variableNamed(configName);
    const setVariableData = [{ ...(variable ?? NO_VARIABLE), attributeValue: configValue }];
    return {
      ...call('SetVariables', { setVariableData }, ({ setVariableResult: [result] }) => ({
        status: result?.attributeStatus ?? '',
      })),
      issues: variable === undefined ? [{ path: '/configName', message: UNKNOWN_NAME }] : [],
    };
  },
};

function dataOf(variable: NamedVariable) {
  return { ...(variableOf(variable) ?? NO_VARIABLE), ...given('attributeType', variable.attributeType) };
}

function issuesOfAll(variables: readonly NamedVariable[]): InputIssue[] {
  return variables.flatMap((each, n): InputIssue[] => {
    if (variableOf(each) !== undefined) return [];
    const at = `/variables/${String(n)}`;
    if (each.name !== undefined) return [{ path: `${at}/name`, message: UNKNOWN_NAME }];
    return [{ path: at, message: 'needs name, or component and variable' }];
  });
}

function keyOf(variable: ComponentVariable): string {
  return variableName(variable).toLowerCase();
}

/** The path of a field of a variable in the input, by its path in the payload. */
export function variablePath([, at = '0', field = '', ...parts]: readonly string[]): string {
  const path = `/variables/${at}`;
  if (field === 'attributeValue') return `${path}/value`;
  if (field === 'attributeType') return `${path}/attributeType`;
  const part = parts.at(-1);
  if (field === 'variable') return `${path}/${part === 'instance' ? 'variableInstance' : 'variable'}`;
  const named: Readonly<Record<string, string>> = { id: 'evseId', name: 'component' };
  return part === undefined ? path : `${path}/${named[part] ?? part}`;
}
