// Periodic event streams of a charger of OCPP 2.1: listed with their values, and adjusted.
import { COMMAND_ERRORS, commandOf, ownerOf, type CommandDeps, type CommandRequest } from '@busbar/api';
import { AppError } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { readEventStreams, refreshEventStreams, type EventStreamDeps } from '@busbar/domain/commands';
import {
  openStream,
  openStreams,
  valuesOf,
  type DeviceStateReader,
  type EventStream,
  type EventStreams,
} from '@busbar/domain/device-state';
import { field, pageOf, withProperties } from '@busbar/http';
import { encodeOperation } from '@busbar/ocpp';
import { route } from '../../route';
import {
  streamBodySchema,
  streamPageSchema,
  streamParamsSchema,
  streamQuerySchema,
  streamValuePageSchema,
  streamValueQuerySchema,
} from '../../schemas/event-stream';
import { integer } from '../../schemas/values';
import {
  answerSchema,
  commandParts,
  NOT_ASKED,
  nothingGiven,
  requirePermission,
  send,
  statusSchema,
  timeoutQuerySchema,
} from './command';

type ReadDeps = Pick<EventStreamDeps, 'chargers' | 'eventStreams'> & { readonly deviceStates: DeviceStateReader };
type Deps = CommandDeps & EventStreamDeps & ReadDeps;

const path = '/chargers/:chargerId/event-streams';
const NOT_BEFORE_21 = 'OCPP 1.6 and 2.0.1 have none: 409 `not_supported_by_version`.';

export const listEventStreamsRoute = (deps: Deps) =>
  route({
    ...commandParts,
    method: 'GET',
    acceptsIdempotencyKey: false,
    path,
    operationId: 'listEventStreams',
    summary: "List a charger's event streams",
    description: [
      'Returns the periodic event streams that the charger has opened, at most 32, until it closes them or boots.',
      '`refresh=true` requests them from the charger, and its list replaces what is stored; it also requires `chargers:operate`.',
      `The charger opens one for a monitor that is set with \`periodicEventStream\`. ${NOT_BEFORE_21}`,
    ].join(' '),
    permission: 'chargers:read',
    query: withProperties(streamQuerySchema, timeoutQuerySchema.properties),
    response: streamPageSchema,
    errors: [...COMMAND_ERRORS, 'forbidden'],
    async handler(call) {
      const { query } = call;
      const { status, commandId } = query.refresh === true ? await refreshed(deps, call) : NOT_ASKED;
      const { charger, eventStreams, nameOf } = await stored(deps, call);
      const shown = openStreams(eventStreams, charger).map((each) => presentStream(eventStreams, each, nameOf(each)));
      const page = pageOf(shown, query, {
        sort: ({ id, openedAt }, key) => (key === 'id' ? id : openedAt),
        searched: ({ name }) => name ?? '',
      });
      return { listedAt: eventStreams.streams.listedAt, status, commandId, ...page };
    },
  });

export const listStreamValuesRoute = (deps: ReadDeps) =>
  route({
    method: 'GET',
    tag: 'Commands',
    permission: 'chargers:read',
    path: `${path}/:streamId/values`,
    operationId: 'listEventStreamValues',
    summary: 'List the values of an event stream',
    description: `The last thousand values of an open stream, and no more than 64 KiB of them. The streams of a charger share some 256 KiB, with the times: beyond, the oldest values of the largest are dropped. 404: there is none of that number. ${NOT_BEFORE_21}`,
    params: streamParamsSchema,
    query: streamValueQuerySchema,
    response: streamValuePageSchema,
    errors: ['invalid_charger_id', 'not_found', 'not_supported_by_version'],
    async handler(call) {
      const { params, query } = call;
      const { charger, eventStreams, nameOf } = await stored(deps, call);
      const stream = openStream(eventStreams, charger, params.streamId);
      if (stream === undefined) {
        const which = `event stream ${String(params.streamId)}`;
        throw new AppError('not_found', `The charger ${params.chargerId} has no open ${which}.`);
      }
      const values = valuesOf(eventStreams, stream).toReversed();
      const page = pageOf(values, query, { sort: ({ at }) => at, searched: ({ value }) => value });
      return { monitorId: stream.monitorId, name: nameOf(stream), ...page };
    },
  });

export const adjustEventStreamRoute = (deps: CommandDeps) =>
  route({
    ...commandParts,
    method: 'PATCH',
    path: `${path}/:streamId`,
    operationId: 'adjustEventStream',
    summary: 'Adjust an event stream of a charger',
    description: `How often the charger sends its values. \`Rejected\` is a response with 200, such as for an unknown stream. ${NOT_BEFORE_21}`,
    params: streamParamsSchema,
    body: streamBodySchema,
    response: answerSchema('PeriodicEventStreamAdjusted', "The charger's response.", {
      id: field(integer, 'Number of the stream.', 1),
      status: statusSchema,
    }),
    errors: COMMAND_ERRORS,
    async handler(call) {
      const { streamId: id } = call.params;
      if (call.body.interval === undefined && call.body.values === undefined)
        throw nothingGiven('The body has neither interval nor values.', 'interval', 'values');
      return { ...(await send(deps, call, encodeOperation('adjustEventStream', { ...call.body, id }))), id };
    },
  });

function refreshed(deps: Deps, call: CommandRequest) {
  requirePermission(call, 'chargers:operate', 'refresh=true');
  return refreshEventStreams(deps, ownerOf(call), commandOf(deps, call, encodeOperation('listEventStreams', {})));
}

/** What is stored of a charger that may have streams, and the names of their variables. */
async function stored(deps: ReadDeps, { auth, params }: Pick<CommandRequest, 'auth' | 'params'>) {
  const owner = { clientId: auth.clientId, chargerId: params.chargerId };
  const { charger, eventStreams } = await readEventStreams(deps, owner);
  requireOcpp21(charger);
  const { monitors } = await deps.deviceStates.read(charger);
  const names = new Map(monitors?.items.map(({ id, name }) => [id, name]));
  const nameOf = ({ monitorId }: EventStream): string | null => names.get(monitorId) ?? null;
  return { charger, eventStreams, nameOf };
}

function requireOcpp21({ connection: { ocppVersion } }: Pick<Charger, 'connection'>): void {
  if (ocppVersion === null || ocppVersion === 'ocpp2.1') return;
  throw new AppError('not_supported_by_version', `The charger speaks ${ocppVersion}, which has no event streams.`);
}

function presentStream(eventStreams: EventStreams, stream: EventStream, name: string | null) {
  const { id, monitorId, interval, values, openedAt } = stream;
  const last = valuesOf(eventStreams, stream).at(-1);
  const lastValue = { lastValue: last?.value ?? null, lastValueAt: last?.at ?? null };
  return { id, monitorId, name, interval, values, openedAt, ...lastValue };
}
