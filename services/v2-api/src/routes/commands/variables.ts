// Variables of the device model of a charger of OCPP 2.x, several in one CALL.
import { COMMAND_ERRORS, configNameSchema, configValueSchema, type CommandDeps } from '@busbar/api';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { nullableString, recordSchema, string } from '../../schemas/values';
import { commandParts, send, statusSchema } from './command';

const path = '/chargers/:chargerId/variables';

const MAX_VARIABLES = 100;
/** `ComponentType.name` and `VariableType.name` of the standard. */
const partSchema = { type: 'string', minLength: 1, maxLength: 50 } as const;
const placeSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const;

const nameFields = {
  name: field(
    configNameSchema,
    'The name, as the configuration shows it; or give `component` and `variable`.',
    'OCPPCommCtrlr.HeartbeatInterval',
  ),
  component: field(partSchema, 'The component.', 'OCPPCommCtrlr'),
  instance: field(partSchema, 'Instance of the component. Default: none.', 'main'),
  evseId: field(placeSchema, 'EVSE of the component. Default: the charging station.', 1),
  connectorId: field(placeSchema, 'Connector of the component. Default: the EVSE.', 1),
  variable: field(partSchema, 'The variable.', 'HeartbeatInterval'),
  variableInstance: field(partSchema, 'Instance of the variable. Default: none.', 'main'),
  attributeType: field(
    { type: 'string', enum: ['Actual', 'Target', 'MinSet', 'MaxSet'] },
    'The attribute. Default: Actual.',
    'Actual',
  ),
} as const;

const variableSchema = {
  title: 'VariableName',
  type: 'object',
  description: 'A variable, by its name or by its parts.',
  properties: nameFields,
  additionalProperties: false,
} as const;

const shownFields = {
  name: field(
    string,
    'The name: `Component.Variable`, instances in brackets, the place behind `@`.',
    'OCPPCommCtrlr.HeartbeatInterval',
  ),
  attributeType: field(string, 'The attribute.', 'Actual'),
} as const;

export const readVariablesRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: `${path}/read`,
    operationId: 'readVariables',
    summary: "Read a charger's variables",
    description:
      'The charger is asked by one GetVariables. OCPP 1.6 has none: 409 `not_supported_by_version`. Passwords are masked.',
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
      return [...(await send(deps, call, encodeOperation('getVariables', { variables: named }))).variables];
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
      'The charger is asked by one SetVariables, and may refuse each by itself: 200 also where it refuses all.',
      'The stored configuration follows its response. OCPP 1.6 has none: 409 `not_supported_by_version`.',
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
              nameFields,
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
        statusInfo: field(
          {
            anyOf: [
              recordSchema('StatusInfo', 'Why.', {
                reasonCode: field(string, 'Code of the reason.', 'OutofRange'),
                additionalInfo: field(nullableString, 'More, as text. Null: nothing.', null),
              }),
              { type: 'null' },
            ],
          },
          'What the charger says about it. Null: nothing.',
        ),
      }),
    },
    // Too many key changes of the charger are pending.
    errors: [...COMMAND_ERRORS, 'conflict'],
    async handler(call) {
      return [...(await send(deps, call, encodeOperation('setVariables', call.body))).variables];
    },
  });
