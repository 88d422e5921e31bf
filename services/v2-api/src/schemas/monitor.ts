// Monitors of the variables of a charger of OCPP 2.x.
import { configNameSchema } from '@busbar/api';
import { field, pageQuerySchema, pageSchemaWith, withProperties } from '@busbar/http';
import { MONITOR_TYPES, MONITORING_BASES } from '@busbar/ocpp';
import { statusSchema } from '../routes/commands/command';
import { monitorStreamSchema } from './event-stream';
import {
  boolean,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  number,
  recordSchema,
  string,
  timestampSchema,
} from './values';
import { MAX_VARIABLES, nameFields, partSchema, placeSchema, shownVariableFields, statusInfoSchema } from './variable';

const MAX_SEVERITY = 9;

export const monitorIdSchema = {
  type: 'integer',
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'Number of the monitor.',
  examples: [3],
} as const;

const typeSchema = { type: 'string', enum: MONITOR_TYPES } as const;
const severitySchema = { type: 'integer', minimum: 0, maximum: MAX_SEVERITY } as const;

const monitorInputSchema = recordSchema(
  'MonitorInput',
  'A monitor of a variable.',
  {
    variable: {
      anyOf: [
        configNameSchema,
        {
          title: 'MonitoredVariable',
          type: 'object',
          description: 'The variable, by its name or by its parts.',
          properties: nameFields,
          additionalProperties: false,
        },
      ],
      description: 'The variable: its name, or an object with its name or its parts.',
      examples: ['EVSE@1.Power'],
    },
    type: field(
      typeSchema,
      'When the charger reports an event: above or below `value`, after a change by `value`, or every `value` seconds; `TargetDelta` and `TargetDeltaRelative` are of OCPP 2.1.',
      'UpperThreshold',
    ),
    value: field({ ...number, minimum: -1e12, maximum: 1e12 }, 'The threshold, the change or the interval.', 11_000),
    severity: field(severitySchema, 'Severity of its events: 0 danger, 9 debug.', 5),
  },
  {
    id: { ...monitorIdSchema, description: 'The monitor to replace. Default: a new one.' },
    transaction: field(boolean, 'Whether it is active during sessions alone. Default false.', false),
    periodicEventStream: monitorStreamSchema,
  },
);

export const monitorsBodySchema = {
  ...recordSchema('MonitorsInput', 'The monitors to set.', {
    monitors: field(
      { type: 'array', minItems: 1, maxItems: MAX_VARIABLES, items: monitorInputSchema },
      'The monitors.',
    ),
  }),
  examples: [{ monitors: [{ variable: 'EVSE@1.Power', type: 'UpperThreshold', value: 11_000, severity: 5 }] }],
} as const;

export const monitorsClearBodySchema = {
  ...recordSchema('MonitorsClearInput', 'The monitors to clear.', {
    ids: field({ type: 'array', minItems: 1, maxItems: MAX_VARIABLES, items: monitorIdSchema }, 'Their numbers.'),
  }),
  examples: [{ ids: [3, 4] }],
} as const;

export const monitoringBodySchema = {
  title: 'MonitoringInput',
  type: 'object',
  description: 'At least one of `base` and `level`.',
  properties: {
    base: field(
      { type: 'string', enum: MONITORING_BASES },
      'The monitors that are active: `All`; `FactoryDefault` clears those that were set, and `HardWiredOnly` disables all others too.',
      'FactoryDefault',
    ),
    level: field(severitySchema, 'Events of a greater number of severity are not reported.', 4),
  },
  additionalProperties: false,
  examples: [{ base: 'All', level: 4 }],
} as const;

export const monitorQuerySchema = withProperties(
  pageQuerySchema(['id', 'setAt'], 'oldest first', 'a part of the name of a variable'),
  {
    component: { ...partSchema, description: 'Only monitors of components of this name.' },
    variable: { ...partSchema, description: 'Only monitors of variables of this name.' },
    evseId: { ...placeSchema, description: 'Only monitors of this EVSE. 0: of the charging station.' },
    type: field(typeSchema, 'Only monitors of this type.'),
    refresh: field(boolean, 'Requests all monitors from the charger now. Default false.'),
  },
);

export const monitorPageSchema = {
  ...pageSchemaWith(
    'MonitorPage',
    recordSchema('Monitor', 'A monitor of a variable.', {
      id: field(integer, 'Number of the monitor.', 3),
      ...shownVariableFields,
      type: field(string, 'Its type, as OCPP names it.', 'UpperThreshold'),
      value: field(number, 'The threshold, the change or the interval in seconds.', 11_000),
      severity: field(integer, 'Severity of its events: 0 danger, 9 debug.', 5),
      transaction: field(boolean, 'Whether it is active during sessions alone.', false),
      eventNotificationType: field(
        nullableString,
        'HardWiredNotification, HardWiredMonitor, PreconfiguredMonitor or CustomMonitor. Null: not known.',
        'CustomMonitor',
      ),
      setAt: field(timestampSchema, 'When the charger accepted or reported it last.'),
      commandId: field(
        nullableString,
        'The command that set it. Null: none of this service.',
        '01JAX5Z3V8Q2M7R4T6W9Y0BCDE',
      ),
    }),
    {
      listedAt: field(nullableTimestampSchema, 'When the charger reported all of them last. Null: it has not yet.'),
      status: field(
        nullableString,
        "The charger's status; `EmptyResultSet`: it has none. Null: without `refresh=true`.",
        'Accepted',
      ),
      commandId: field(nullableString, 'The id of the stored command. Null: none was sent.', null),
    },
  ),
  description: 'The monitors that the charger has, paged.',
} as const;

export const monitorsSetSchema = {
  title: 'MonitorsSet',
  type: 'array',
  description: "The charger's response, in its order.",
  items: recordSchema('MonitorSet', 'What became of a monitor.', {
    id: field(nullableInteger, 'Number of the monitor. Null: the charger gave none.', 3),
    name: shownVariableFields.name,
    type: field(string, 'Its type, as OCPP names it.', 'UpperThreshold'),
    severity: field(integer, 'Severity of its events.', 5),
    status: field(string, "The charger's status, as OCPP names it.", 'Accepted'),
    statusInfo: statusInfoSchema,
  }),
} as const;

export const monitorClearedFields = {
  id: field(integer, 'Number of the monitor.', 3),
  status: statusSchema,
  statusInfo: statusInfoSchema,
} as const;

export const monitorsClearedSchema = {
  title: 'MonitorsCleared',
  type: 'array',
  description: "The charger's response, in its order.",
  items: recordSchema('MonitorClearing', 'What became of a monitor.', monitorClearedFields),
} as const;
