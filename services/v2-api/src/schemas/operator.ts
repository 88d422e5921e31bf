import { field } from '@busbar/http';
import { boolean, count, integer, recordSchema, string, timestampSchema } from './values';

const nullable = <const S extends object>(schema: S) => ({ anyOf: [schema, { type: 'null' }] }) as const;

const letterId = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  description: 'Id of the dead letter.',
  examples: ['01JAX5Z3V8Q2M7R4T6W9Y0BCDE'],
} as const;

export const letterParamsSchema = {
  type: 'object',
  properties: { deadLetterId: letterId },
  required: ['deadLetterId'],
  additionalProperties: false,
} as const;

export const lettersQuerySchema = {
  type: 'object',
  properties: {
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      description: 'Dead letters in the response. Default 100.',
      examples: [100],
    },
    after: { ...letterId, description: 'The id of a dead letter: older ones follow. Default: from the newest.' },
  },
  additionalProperties: false,
} as const;

const deadLetterSchema = recordSchema('DeadLetter', 'A message of a charger that could not be applied.', {
  id: field(string, 'Id of the dead letter.', letterId.examples[0]),
  chargerId: field(string, 'Id of the charger. Empty: the message is unreadable.', 'ACME_1'),
  action: field(string, 'OCPP action of the message.', 'StatusNotification'),
  reason: field(string, 'Why it could not be applied.', 'internal: a field is missing'),
  at: field(timestampSchema, 'When it became a dead letter.'),
  frame: field(
    string,
    'The OCPP frame as text, with masked secrets and up to 20,000 characters. Empty: there is none.',
    '[2,"19223201","Heartbeat",{}]',
  ),
});

export const deadLettersSchema = recordSchema('DeadLetters', 'Dead letters, the newest first.', {
  items: { type: 'array', items: deadLetterSchema, description: 'The dead letters.' },
  totalRecords: field(count, 'Number of all dead letters.', 1),
  nextAfter: field(nullable(string), 'For `after` of the next request. Null: there are no more.', null),
});

export const letterIdSchema = recordSchema('DeadLetterId', 'The id of the dead letter.', {
  id: field(string, 'Id of the dead letter.', letterId.examples[0]),
});

const gatewaySchema = recordSchema('GatewayProcess', 'A gateway.', {
  id: field(string, 'Id of the gateway, new at each start.', 'gw_01jax5z3v8q2m7r4t6w9y0bcde'),
  chargers: field(count, 'Chargers that are stored as connected there.', 812),
  sockets: field(nullable(count), 'Open sockets, as the gateway announces. Null: it announced nothing.', 812),
  renewedAt: field(nullable(timestampSchema), 'When it last renewed its lease. Null: it did not.'),
  stopping: field(boolean, 'It closes its sockets to stop.', false),
  dead: field(boolean, 'Its lease expired.', false),
  program: field(nullable(string), 'Version of its program. Null: unknown.', '0.1.0'),
});

const replicaSchema = recordSchema('ChargerStateProcess', 'A replica of charger-state.', {
  id: field(string, 'Id of the replica, new at each start.', '01JAX5Z3V8Q2M7R4T6W9Y0BCDE'),
  partitions: { type: 'array', items: count, description: 'Partitions that it owns.', examples: [[0, 1, 2, 3]] },
});

const partitionSchema = recordSchema('Partition', 'The queue of a part of the chargers.', {
  partition: field(count, 'Number of the partition.', 0),
  depth: field(nullable(count), 'Messages that wait in it. Null: the broker does not say.', 0),
});

const pushSchema = recordSchema('PushProcess', 'A replica of push.', {
  id: field(string, 'Id of the replica, new at each start.', '01JAX5Z3V8Q2M7R4T6W9Y0BCDF'),
  waiting: field(
    nullable(count),
    'About how many events wait for the webhooks that it delivers to, without disabled ones. Null: unknown.',
    0,
  ),
});

const processSchema = recordSchema('StoreProcess', 'A process that works on the store.', {
  service: field(string, 'Its service; `busbar` is the one process.', 'v2-api'),
  program: field(string, 'Version of its program.', '0.1.0'),
  schema: field(integer, 'The schema version of the store that it writes.', 1),
});

export const processesSchema = recordSchema('Processes', 'The processes of the deployment, up to two seconds old.', {
  gateways: {
    type: 'array',
    items: gatewaySchema,
    description: 'Gateways that announced themselves, or have chargers.',
  },
  chargerState: { type: 'array', items: replicaSchema, description: 'Replicas of charger-state.' },
  partitions: { type: 'array', items: partitionSchema, description: 'All partitions.' },
  push: { type: 'array', items: pushSchema, description: 'Replicas of push.' },
  processes: {
    type: 'array',
    items: processSchema,
    description: 'Processes with a store. One that was killed is listed for up to a minute.',
  },
  storeReachable: field(boolean, 'The store responds.', true),
  brokerReachable: field(boolean, 'The broker responds.', true),
});
