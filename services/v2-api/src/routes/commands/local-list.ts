import { ownerOf, rfidTagSchema, type CommandDeps } from '@busbar/api';
import { judgeLocalList } from '@busbar/domain/tags';
import { field } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import { integer, recordSchema, timestampSchema } from '../../schemas/values';
import { chargerStatusSchema, answerSchema, commandParts, send } from './command';

/** More than fit into a body of 100 kB. Chargers accept fewer at once (SendLocalListMaxLength). */
const MAX_TAGS: number = 2_000;

const listedTagSchema = recordSchema(
  'LocalListTagInput',
  'A tag for the local list.',
  { rfidTag: rfidTagSchema },
  {
    status: {
      type: ['string', 'null'],
      enum: ['Accepted', 'Blocked', 'Expired', 'Invalid', null],
      description: [
        "Default: status, expiry and parent of the client's tag at this moment.",
        "A parent that is too long for the charger's version is then left out.",
        'Null removes the tag from the list; only in a Differential update.',
      ].join(' '),
    },
    expiringDate: field(timestampSchema, 'From then on the charger refuses the tag.'),
    parentRfidTag: field(rfidTagSchema, 'The group of the tag.'),
  },
);

export const sendLocalListRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path: '/chargers/:chargerId/local-list',
    operationId: 'sendLocalList',
    summary: 'Send a local list',
    description: 'Tags that the charger accepts while it has no connection. `VersionMismatch` is a response with 200.',
    body: {
      ...recordSchema('LocalListInput', 'The local list, or changes of it.', {
        listVersion: field(
          { type: 'integer', minimum: 0, maximum: 2_147_483_647 },
          'Version of the list after the update.',
        ),
        updateType: {
          type: 'string',
          enum: ['Full', 'Differential'],
          description: 'Full replaces the whole list. Differential changes the listed tags.',
        },
        tags: {
          type: 'array',
          maxItems: MAX_TAGS,
          items: listedTagSchema,
          description: 'The tags.',
        },
      }),
      examples: [{ listVersion: 1, updateType: 'Full', tags: [{ rfidTag: '04E91C5A123B80', status: 'Accepted' }] }],
    },
    response: chargerStatusSchema,
    async handler(call) {
      const { clientId, chargerId } = ownerOf(call);
      const siteId = (await deps.chargers.findOwned(clientId, chargerId))?.registered.siteId;
      const tags = await judgeLocalList(deps, { clientId, siteId }, call.body.tags);
      return send(deps, call, encodeOperation('sendLocalList', { ...call.body, tags }, call.body));
    },
  });

export const localListVersionRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path: '/chargers/:chargerId/local-list/version',
    operationId: 'requestLocalListVersion',
    summary: 'Request the version of a local list',
    description: 'Asks the charger now.',
    response: answerSchema('LocalListVersion', "The charger's response.", {
      listVersion: field(integer, 'Version of the list. 0: no list. -1: the charger does not support lists.', 1),
    }),
    handler: (call) => send(deps, call, encodeOperation('getLocalListVersion', {})),
  });
