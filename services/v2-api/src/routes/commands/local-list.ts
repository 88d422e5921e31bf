import { rfidTagSchema, type CommandDeps } from '@busbar/api';
import { judgeLocalList } from '@busbar/domain/tags';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { timestampSchema, recordSchema } from '../../schemas/values';
import { chargerStatusSchema, commandedSchemas, commandParts, send } from './command';

/** More than fit into a body of 100 kB. Chargers accept fewer at once (SendLocalListMaxLength). */
const MAX_TAGS: number = 2_000;

export const sendLocalListRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/local-list',
    summary: 'Send a local list',
    body: {
      title: 'LocalListInput',
      type: 'object',
      properties: {
        listVersion: { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
        updateType: {
          type: 'string',
          enum: ['Full', 'Differential'],
          description: 'Full replaces the whole list. Differential changes the listed tags.',
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
                  "Default: status, expiry and parent of the client's tag at this moment.",
                  'A parent of more than 20 characters is then left out, since OCPP 1.6 cannot carry it.',
                  'Null removes the tag from the list; only in a Differential update.',
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
      return send(deps, call, encodeOperation('sendLocalList', { ...call.body, tags }, call.body));
    },
  });

export const localListVersionRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path: '/chargers/:chargerId/local-list/version',
    summary: 'Request the version of a local list',
    response: recordSchema('LocalListVersion', {
      chargerId: { type: 'string' },
      listVersion: { type: 'integer', description: '0: the charger has no list. -1: it does not support lists.' },
      ...commandedSchemas,
    }),
    handler: (call) => send(deps, call, encodeOperation('getLocalListVersion', {})),
  });
