// Periodic event streams of a charger of OCPP 2.1.
import { chargerIdSchema } from '@busbar/api';
import { field, pageQuerySchema, pageSchemaWith, withProperties } from '@busbar/http';
import {
  boolean,
  integer,
  nullableInteger,
  nullableString,
  nullableTimestampSchema,
  paramsSchema,
  recordSchema,
  string,
  timestampSchema,
} from './values';

const MAX_NUMBER = 2_147_483_647;

const streamIdSchema = {
  type: 'integer',
  minimum: 0,
  maximum: MAX_NUMBER,
  description: 'Number of the stream.',
  examples: [1],
} as const;

export const streamParamsSchema = paramsSchema({ chargerId: chargerIdSchema, streamId: streamIdSchema });

const parameterSchema = { type: 'integer', minimum: 0, maximum: MAX_NUMBER } as const;

const parametersSchema = {
  type: 'object',
  properties: {
    interval: field(parameterSchema, 'Seconds after which the charger sends what it has.', 30),
    values: field(parameterSchema, 'Number of values after which the charger sends them.', 10),
  },
  additionalProperties: false,
  examples: [{ interval: 30, values: 10 }],
} as const;

export const streamBodySchema = {
  ...parametersSchema,
  title: 'PeriodicEventStreamInput',
  description: 'At least one of `interval` and `values`.',
} as const;

/** Of a monitor that is set. */
export const monitorStreamSchema = {
  ...parametersSchema,
  title: 'MonitorStreamInput',
  description:
    'OCPP 2.1: the charger opens a stream of the values (`GET …/event-streams`), and reports no events. Default: no stream.',
} as const;

export const streamQuerySchema = withProperties(
  pageQuerySchema(['id', 'openedAt'], 'oldest first', 'a part of the name of a variable'),
  { refresh: field(boolean, 'Requests the streams from the charger now. Default false.') },
);

export const streamPageSchema = {
  ...pageSchemaWith(
    'PeriodicEventStreamPage',
    recordSchema('PeriodicEventStream', 'An open stream of values of a variable.', {
      id: field(integer, 'Number of the stream.', 1),
      monitorId: field(integer, 'The monitor whose variable it sends: `GET …/monitors`.', 3),
      name: field(nullableString, 'Name of that variable. Null: the monitor is not known.', 'EVSE@1.Power'),
      interval: field(nullableInteger, 'Seconds after which the charger sends what it has. Null: not given.', 30),
      values: field(nullableInteger, 'Number of values after which the charger sends them. Null: not given.', 10),
      openedAt: field(timestampSchema, 'When the charger opened it, or listed it first.'),
      lastValue: field(nullableString, 'The value that came last. Null: none has come.', '11000'),
      lastValueAt: field(nullableTimestampSchema, 'Its time by the clock of the charger. Null: none has come.'),
    }),
    {
      listedAt: field(nullableTimestampSchema, 'When the charger listed its streams last. Null: it has not yet.'),
      status: field(nullableString, '`Accepted`: the charger has listed them. Null: without `refresh=true`.', null),
      commandId: field(nullableString, 'The id of the stored command. Null: none was sent.', null),
    },
  ),
  description: 'The open streams, paged.',
} as const;

export const streamValueQuerySchema = pageQuerySchema(['at'], 'the last received first', 'a part of a value');

export const streamValuePageSchema = {
  ...pageSchemaWith(
    'PeriodicEventStreamValuePage',
    recordSchema('PeriodicEventStreamValue', 'A value of the variable.', {
      at: field(timestampSchema, 'Its time by the clock of the charger; where that is unusable, the time of receipt.'),
      value: field(string, 'The value, as the charger sent it.', '11000'),
    }),
    {
      monitorId: field(integer, 'The monitor whose variable it is.', 3),
      name: field(nullableString, 'Name of the variable. Null: the monitor is not known.', 'EVSE@1.Power'),
    },
  ),
  description: 'The values, paged.',
} as const;
