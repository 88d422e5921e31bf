import { rfidTagSchema } from '@busbar/api';
import { type CommandDeps } from '@busbar/api';
import { judgeLocalList } from '@busbar/domain/tags';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { timestampSchema, recordSchema } from '../../schemas/values';
import { chargerStatusSchema, commandedSchemas, commandParts, send } from './command';

/** More tags than a body of 100 kB holds with their fields; chargers take fewer at once (SendLocalListMaxLength). */
const MAX_TAGS: number = 2_000;

export const sendLocalListRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/local-list',
    summary: 'Send a charger the tags that it accepts by itself',
    body: {
      title: 'LocalListInput',
      type: 'object',
      properties: {
        listVersion: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
        updateType: {
          type: 'string',
          enum: ['Full', 'Differential'],
          description: 'Full takes the place of the whole list; Differential changes the tags that it names.',
        },
        tags: {
          type: 'array',
          maxItems: MAX_TAGS,
          items: {
            type: 'object',
            properties: {
              rfidTag: rfidTagSchema,
              status: {
                type: ['string', 'null'],
                enum: ['Accepted', 'Blocked', 'Expired', 'Invalid', null],
                description: [
                  "Absent: the tag's own verdict, expiry and parent, as your tags have them now.",
                  'Such a parent of more than 20 characters is left out: OCPP 1.6 cannot carry it.',
                  'Null takes the tag off the list, in a Differential update alone.',
                ].join(' '),
              },
              expiringDate: timestampSchema,
              parentRfidTag: rfidTagSchema,
            },
            required: ['rfidTag'],
            additionalProperties: false,
          },
        },
      },
      required: ['listVersion', 'updateType', 'tags'],
      additionalProperties: false,
      examples: [{ listVersion: 1, updateType: 'Full', tags: [{ rfidTag: '04E91C5A123B80', status: 'Accepted' }] }],
    },
    response: chargerStatusSchema,
    async handler(call) {
      const tags = await judgeLocalList(deps, call.auth.clientId, call.body.tags);
      return send(deps, call, encodeOperation('sendLocalList', { ...call.body, tags }));
    },
  });

export const localListVersionRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path: '/chargers/:chargerId/local-list/version',
    summary: 'Ask a charger for the version of its local list',
    response: recordSchema('LocalListVersion', {
      chargerId: { type: 'string' },
      listVersion: { type: 'integer', description: '0: it has none; -1: it cannot have one.' },
      ...commandedSchemas,
    }),
    handler: (call) => send(deps, call, encodeOperation('getLocalListVersion', {})),
  });
