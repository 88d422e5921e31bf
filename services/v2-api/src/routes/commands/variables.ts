// Variables of the device model of a charger of OCPP 2.x, several in one CALL.
import {
  COMMAND_ERRORS,
  commandOf,
  configNameSchema,
  configValueSchema,
  newRequestId,
  ownerOf,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import type { VariableName } from '@busbar/domain/chargers';
import { requestWholeReport } from '@busbar/domain/commands';
import { readDeviceModel, type ReadDeviceModelDeps, type ShownVariable } from '@busbar/domain/device-model';
import { field, pageOf, pageQuerySchema, withProperties } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { presentVariable } from '../../presenters/present-variable';
import { route } from '../../route';
import { boolean, nullableString, recordSchema, string } from '../../schemas/values';
import {
  attributeFields,
  attributeTypeSchema,
  MAX_VARIABLES,
  partSchema,
  placeSchema,
  shownVariableFields,
  statusInfoSchema,
  variablePageSchema,
} from '../../schemas/variable';
import { commandParts, NOT_ASKED, requirePermission, sendInParts, statusSchema, timeoutQuerySchema } from './command';
import { requireOcpp2 } from './reports';

const path = '/chargers/:chargerId/variables';

const variableSchema = {
  title: 'VariableName',
  type: 'object',
  description: 'A variable, by its name or by its parts.',
  properties: attributeFields,
  additionalProperties: false,
} as const;

const shownFields = {
  name: shownVariableFields.name,
  attributeType: field(string, 'The attribute.', 'Actual'),
} as const;

export const readVariablesRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: `${path}/read`,
    operationId: 'readVariables',
    summary: "Read a charger's variables",
    description: [
      'The charger is asked by one GetVariables, or by several, each of as many variables as the charger takes in one (`DeviceDataCtrlr.ItemsPerMessage`',
      'and `BytesPerMessage`); the response has all. OCPP 1.6 has none: 409 `not_supported_by_version`. Passwords are masked.',
    ].join(' '),
    body: {
      ...recordSchema('ReadVariablesInput', 'The variables to read.', {
        variables: field(
          {
            type: 'array',
            minItems: 1,
            maxItems: MAX_VARIABLES,
            items: { anyOf: [configNameSchema, variableSchema] },
          },
          'Names, or objects with a name or its parts.',
        ),
      }),
      examples: [{ variables: ['OCPPCommCtrlr.HeartbeatInterval'] }],
    },
    response: {
      title: 'VariablesRead',
      type: 'array',
      description: "The charger's response, in its order.",
      items: recordSchema('VariableRead', 'A variable with its value.', {
        ...shownFields,
        value: field(nullableString, 'The value. Null: the charger gave none.', '300'),
        status: statusSchema,
      }),
    },
    errors: COMMAND_ERRORS,
    async handler(call) {
      const named = call.body.variables.map((each) => (typeof each === 'string' ? { name: each } : each));
      return joined(
        await sendInParts(deps, call, named, (variables) => encodeOperation('getVariables', { variables })),
      );
    },
  });

export const changeVariablesRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'PATCH',
    path,
    operationId: 'changeVariables',
    summary: "Change a charger's variables",
    description: [
      'The charger is asked by one SetVariables, or by several where it takes fewer variables in one, and may refuse each by itself: 200 also where it refuses all.',
      'With the error of one of several, the changes of those before it stand. The stored configuration follows its response. OCPP 1.6 has none: 409 `not_supported_by_version`.',
    ].join(' '),
    body: {
      ...recordSchema('ChangeVariablesInput', 'The variables to change.', {
        variables: field(
          {
            type: 'array',
            minItems: 1,
            maxItems: MAX_VARIABLES,
            items: recordSchema(
              'VariableChange',
              'A variable, by its name or by its parts, with its new value.',
              { value: configValueSchema },
              attributeFields,
            ),
          },
          'The variables with their values.',
        ),
      }),
      examples: [{ variables: [{ name: 'OCPPCommCtrlr.HeartbeatInterval', value: '600' }] }],
    },
    response: {
      title: 'VariablesChanged',
      type: 'array',
      description: "The charger's response, in its order.",
      items: recordSchema('VariableChanged', 'What became of a change.', {
        ...shownFields,
        status: statusSchema,
        statusInfo: statusInfoSchema,
      }),
    },
    // Too many key changes of the charger are pending.
    errors: [...COMMAND_ERRORS, 'conflict'],
    async handler(call) {
      const { variables: changes } = call.body;
      return joined(
        await sendInParts(deps, call, changes, (variables) => encodeOperation('setVariables', { variables })),
      );
    },
  });

const querySchema = withProperties(
  pageQuerySchema(['name', 'updatedAt'], 'as the charger reported them first', 'a part of a name'),
  {
    component: { ...partSchema, description: 'Only variables of components of this name.' },
    variable: { ...partSchema, description: 'Only variables of this name.' },
    evseId: { ...placeSchema, description: 'Only variables of this EVSE. 0: of the charging station.' },
    attributeType: { ...attributeTypeSchema, description: 'Only this attribute. Default: all.' },
    refresh: field(boolean, 'Requests the whole device model from the charger now, and waits for it. Default false.'),
    ...timeoutQuerySchema.properties,
  },
);

export const listVariablesRoute = (deps: ReadDeviceModelDeps & CommandDeps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path,
    operationId: 'listVariables',
    summary: "List a charger's variables",
    description: [
      'Returns the device model as the charger reported it, with the values that changed since. The service requests it once for each firmware.',
      '`refresh=true` requests it from the charger, which also requires `chargers:operate`; a large one takes longer than the default of `timeoutS`.',
      'Names are compared without case. Passwords and what the charger only takes have no value. OCPP 1.6 has none: 409 `not_supported_by_version`.',
    ].join(' '),
    permission: 'chargers:read',
    query: querySchema,
    response: variablePageSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      const { query } = call;
      const { status, commandId } = query.refresh === true ? await refreshed(deps, call) : NOT_ASKED;
      const { charger, variables, isComplete } = await readDeviceModel(deps, ownerOf(call));
      requireOcpp2(charger);
      const found = status === 'EmptyResultSet' ? [] : variables.flatMap((each) => wanted(each, query));
      const page = pageOf(found.map(presentVariable), query, {
        sort: (each, key) => (key === 'name' ? each.name.toLowerCase() : each.updatedAt),
        searched: ({ name }) => name,
      });
      return { isComplete, status, commandId, ...page };
    },
  });

/** The answers of all CALLs as one. */
function joined<Each>(answers: readonly { readonly variables: readonly Each[] }[]): Each[] {
  return answers.flatMap(({ variables }) => variables);
}

async function refreshed(deps: CommandDeps, call: CommandRequest) {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  const request = { requestId: newRequestId(), kind: 'full' as const };
  const command = commandOf(deps, call, encodeOperation('requestReport', request));
  return requestWholeReport(deps, ownerOf(call), request, command);
}

/** A filter by the parts of a name. */
interface NamedIn {
  readonly component?: string | undefined;
  readonly variable?: string | undefined;
  /** 0: the charging station. */
  readonly evseId?: number | undefined;
}

/** Whether these parts, compared without case, are of the name. Absent ones are of any. */
export function isNamedIn({ component, variable, evseId }: NamedIn, named: VariableName): boolean {
  const isPart = (name: string, other: string | undefined): boolean =>
    other === undefined || name.toLowerCase() === other.toLowerCase();
  if (!isPart(named.component, component) || !isPart(named.variable, variable)) return false;
  return evseId === undefined || (named.evseId ?? 0) === evseId;
}

interface Wanted extends NamedIn {
  readonly attributeType?: string | undefined;
}

/** The variable with the attributes that are asked for, or nothing. */
function wanted(variable: ShownVariable, query: Wanted): readonly ShownVariable[] {
  if (!isNamedIn(query, variable)) return [];
  if (query.attributeType === undefined) return [variable];
  const attributes = variable.attributes.filter(({ type }) => type === query.attributeType);
  return attributes.length === 0 ? [] : [{ ...variable, attributes }];
}
