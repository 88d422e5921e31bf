// Messages on the display of a charger of OCPP 2.x: listed, set and cleared.
import {
  chargerIdSchema,
  COMMAND_ERRORS,
  commandOf,
  newRequestId,
  ownerOf,
  paramsSchema,
  type CommandDeps,
  type CommandRequest,
} from '@busbar/api';
import { omitNil, toTimestamp } from '@busbar/domain';
import { requestWholeReport, setDisplayMessage } from '@busbar/domain/commands';
import {
  messagesInForce,
  NO_ITEMS,
  readDeviceState,
  type DisplayMessage,
  type ReadDeviceStateDeps,
} from '@busbar/domain/device-state';
import { field, pageOf, withProperties } from '@busbar/http';
import { encodeOperation, type DisplayCriteria } from '@busbar/ocpp';
import { presentDisplayMessage } from '../../presenters/present-device-state';
import { route } from '../../route';
import {
  displayMessageBodySchema,
  displayMessagePageSchema,
  displayMessageQuerySchema,
  messageIdSchema,
} from '../../schemas/display-message';
import { integer } from '../../schemas/values';
import {
  answerSchema,
  commandParts,
  NOT_ASKED,
  requirePermission,
  send,
  statusSchema,
  timeoutQuerySchema,
} from './command';
import { requireOcpp2 } from './reports';

type Deps = CommandDeps & ReadDeviceStateDeps;

const path = '/chargers/:chargerId/display-messages';
const NOT_IN_16 = 'OCPP 1.6 has none: 409 `not_supported_by_version`.';

const messageStatusSchema = answerSchema('DisplayMessageStatus', "The charger's response.", {
  id: field(integer, 'Number of the message.', 7),
  status: statusSchema,
});

export const listDisplayMessagesRoute = (deps: Deps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path,
    operationId: 'listDisplayMessages',
    summary: "List a charger's display messages",
    description: [
      'Returns the messages that the charger accepted or reported, at most a hundred, until it clears them or they end: by their time, or with their session.',
      '`refresh=true` requests them from the charger, with the filters `id`, `priority` and `state`; without these its report replaces what is stored. It also requires `chargers:operate`.',
      NOT_IN_16,
    ].join(' '),
    permission: 'chargers:read',
    query: withProperties(displayMessageQuerySchema, timeoutQuerySchema.properties),
    response: displayMessagePageSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      const { query, params, auth } = call;
      const { status, commandId } = query.refresh === true ? await refreshed(deps, call) : NOT_ASKED;
      const { charger, deviceStates } = await readDeviceState(deps, auth.clientId, params.chargerId);
      requireOcpp2(charger);
      const { displayMessages } = deviceStates;
      const ongoing = Object.values(charger.reported.ongoing);
      const shown = messagesInForce(displayMessages ?? NO_ITEMS, ongoing, toTimestamp(deps.clock.now()));
      const found = status === 'Unknown' ? [] : shown.filter((each) => isWanted(each, query));
      const page = pageOf(found.map(presentDisplayMessage), query, {
        sort: ({ id, setAt }, key) => (key === 'id' ? id : setAt),
        searched: ({ message }) => message.content,
      });
      return { listedAt: displayMessages?.listedAt ?? null, status, commandId, ...page };
    },
  });

interface Criteria {
  readonly id?: readonly number[] | undefined;
  readonly priority?: DisplayCriteria['priority'] | undefined;
  readonly state?: DisplayCriteria['state'] | undefined;
}

async function refreshed(deps: Deps, call: CommandRequest & { readonly query: Criteria }) {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  const { id, priority, state } = call.query;
  const criteria = omitNil<DisplayCriteria>({ id: id?.length === 0 ? undefined : id, priority, state });
  const requestId = newRequestId();
  const request = { requestId, kind: 'display_messages' as const, isPartial: Object.keys(criteria).length > 0 };
  const command = commandOf(deps, call, encodeOperation('listDisplayMessages', { ...criteria, requestId }));
  return requestWholeReport(deps, ownerOf(call), request, command);
}

function isWanted(message: DisplayMessage, { id = [], priority, state }: Criteria): boolean {
  if (id.length > 0 && !id.includes(message.id)) return false;
  return (priority ?? message.priority) === message.priority && (state ?? message.state) === message.state;
}

export const setDisplayMessageRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    path,
    operationId: 'setDisplayMessage',
    summary: 'Set a message on the display of a charger',
    description: [
      'The charger is asked by one SetDisplayMessage. Its own words are responses with 200, such as `NotSupportedPriority` and `UnknownTransaction`.',
      `It replaces the message of the same number. ${NOT_IN_16} So does a session that began in it.`,
    ].join(' '),
    body: displayMessageBodySchema,
    response: messageStatusSchema,
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { id = newRequestId(), ...message } = call.body;
      const command = commandOf(deps, call, encodeOperation('setDisplayMessage', { ...message, id }));
      const answer = await setDisplayMessage(deps, ownerOf(call), message.transactionId, command);
      return { chargerId: call.params.chargerId, id, ...answer };
    },
  });

export const clearDisplayMessageRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'DELETE',
    path: `${path}/:messageId`,
    operationId: 'clearDisplayMessage',
    summary: 'Clear a message on the display of a charger',
    description: `\`Unknown\` is a response with 200: the charger has none of that number. ${NOT_IN_16}`,
    params: paramsSchema({ chargerId: chargerIdSchema, messageId: messageIdSchema }),
    response: messageStatusSchema,
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { messageId: id } = call.params;
      return { ...(await send(deps, call, encodeOperation('clearDisplayMessage', { id }))), id };
    },
  });
