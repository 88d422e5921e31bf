// Variables of the device model of a charger of OCPP 2.x: how requests name them, and how they are shown.
import { configNameSchema } from '@busbar/api';
import { field, pageSchemaWith } from '@busbar/http';
import {
  boolean,
  nullableInteger,
  nullableNumber,
  nullableString,
  recordSchema,
  string,
  timestampSchema,
} from './values';

export const MAX_VARIABLES = 100;
/** `ComponentType.name` and `VariableType.name` of the standard. */
export const partSchema = { type: 'string', minLength: 1, maxLength: 50 } as const;
export const placeSchema = { type: 'integer', minimum: 0, maximum: 2_147_483_647 } as const;

const ATTRIBUTES = ['Actual', 'Target', 'MinSet', 'MaxSet'] as const;
export const attributeTypeSchema = { type: 'string', enum: ATTRIBUTES } as const;

const partFields = {
  instance: field(partSchema, 'Instance of the component. Default: none.', 'main'),
  evseId: field(placeSchema, 'EVSE of the component. Default: the charging station.', 1),
  connectorId: field(placeSchema, 'Connector of the component. Default: the EVSE.', 1),
  variableInstance: field(partSchema, 'Instance of the variable. Default: none.', 'main'),
} as const;

export const nameFields = {
  name: field(
    configNameSchema,
    'The name, as the configuration shows it; or give `component` and `variable`.',
    'OCPPCommCtrlr.HeartbeatInterval',
  ),
  component: field(partSchema, 'The component.', 'OCPPCommCtrlr'),
  variable: field(partSchema, 'The variable.', 'HeartbeatInterval'),
  ...partFields,
} as const;

export const attributeFields = {
  ...nameFields,
  attributeType: field(attributeTypeSchema, 'The attribute. Default: Actual.', 'Actual'),
} as const;

export const componentSchema = {
  title: 'ComponentName',
  type: 'object',
  description: 'A variable, by its name or by its parts, or a component alone: all its variables.',
  properties: nameFields,
  additionalProperties: false,
} as const;

const attributeSchema = recordSchema(
  'VariableAttribute',
  'An attribute of a variable.',
  {
    type: field(string, 'Actual, Target, MinSet or MaxSet.', 'Actual'),
    value: field(nullableString, 'The value. Null: the charger gave none, or it is secret.', '300'),
    mutability: field(nullableString, 'ReadOnly, WriteOnly or ReadWrite. Null: not reported.', 'ReadWrite'),
    persistent: field({ type: ['boolean', 'null'] }, 'Whether the value outlives a restart. Null: not reported.', true),
    constant: field({ type: ['boolean', 'null'] }, 'Whether the value never changes. Null: not reported.', false),
  },
  { pendingValue: field(string, 'Present where the charger uses another value from its next boot on.', '600') },
);

export const shownVariableFields = {
  name: field(
    string,
    'The name: `Component.Variable`, instances in brackets, the place behind `@`.',
    'OCPPCommCtrlr.HeartbeatInterval',
  ),
  component: field(string, 'The component.', 'OCPPCommCtrlr'),
  instance: field(nullableString, 'Instance of the component. Null: it has none.', null),
  evseId: field(nullableInteger, 'EVSE of the component. Null: the charging station.', null),
  connectorId: field(nullableInteger, 'Connector of the component. Null: the EVSE.', null),
  variable: field(string, 'The variable.', 'HeartbeatInterval'),
  variableInstance: field(nullableString, 'Instance of the variable. Null: it has none.', null),
} as const;

export const statusInfoSchema = field(
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
);

const variableSchema = recordSchema('Variable', 'A variable of the device model.', {
  ...shownVariableFields,
  attributes: field({ type: 'array', items: attributeSchema }, 'Its attributes.'),
  dataType: field(nullableString, 'Type of the values. Null: not reported.', 'integer'),
  unit: field(nullableString, 'Unit of the values. Null: none or not reported.', 's'),
  valuesList: field(nullableString, 'The possible values, separated by commas. Null: any or not reported.', null),
  minLimit: field(nullableNumber, 'Least value. Null: none or not reported.', 1),
  maxLimit: field(nullableNumber, 'Greatest value; of a text its length. Null: none or not reported.', null),
  updatedAt: field(timestampSchema, 'When the charger reported or took it last.'),
});

export const variablePageSchema = {
  ...pageSchemaWith('VariablePage', variableSchema, {
    isComplete: field(
      boolean,
      'Whether the charger has reported its model whole, and all of it is stored: at most 5,000 attributes and a mebibyte.',
      true,
    ),
    status: field(
      nullableString,
      "The charger's status: with `Accepted` the list is what it reported, else what is stored; `EmptyResultSet`: it has none. Null: without `refresh=true`.",
      'Accepted',
    ),
    commandId: field(
      nullableString,
      'The id of the stored command. Null: without `refresh=true`, or where the charger was sending the report already.',
      null,
    ),
  }),
  description: "The charger's variables, paged.",
} as const;
