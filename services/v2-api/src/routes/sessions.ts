import type { Clock } from '@busbar/core';
import { inUtc } from '@busbar/domain';
import {
  listSessions,
  readMeterValues,
  readSession,
  readTransactionEvents,
  type ReadSessionsDeps,
} from '@busbar/domain/sessions';
import { cursorPageSchema, cursorPageWanted, cursorReply, listReply, pageSchema, pageWanted } from '@busbar/http';
import { presentMeterValues, presentSession, presentTransactionEvent } from '../presenters/present-session';
import { route } from '../route';
import {
  meterValueQuerySchema,
  meterValueSchema,
  sessionParamsSchema,
  sessionQuerySchema,
  sessionSchema,
  transactionEventQuerySchema,
  transactionEventSchema,
} from '../schemas/session';

const TAG = 'Sessions';

export const listSessionsRoute = (deps: ReadSessionsDeps & { readonly clock: Clock }) =>
  route({
    method: 'GET',
    path: '/sessions',
    tag: TAG,
    operationId: 'listSessions',
    summary: 'List sessions',
    description: [
      'A session matches all filters.',
      'Sessions of deleted chargers remain. A `totalRecords` above 10,000 may be some minutes old.',
    ].join(' '),
    permission: 'sessions:read',
    query: sessionQuerySchema,
    response: cursorPageSchema('SessionPage', sessionSchema),
    errors: ['invalid_charger_id', 'invalid_site_id'],
    async handler({ auth, query }) {
      const order = { list: 'sessions', sortKey: 'startTime', sortDescending: true, now: deps.clock.now() } as const;
      const page = cursorPageWanted(query, order);
      const filter = {
        startedFrom: inUtc(query.startTime),
        startedTo: inUtc(query.startTimeSearchEnd),
        endedFrom: inUtc(query.stopTimeSearchBegin),
        endedTo: inUtc(query.stopTime),
        chargerIds: query.chargerIds,
        siteIds: query.siteIds,
        idTags: query.rfidTags,
        commandId: query.commandId,
        state: query.state,
        authorization: query.authorization,
        search: query.search,
        updatedSince: page.updatedSince,
      };
      const found = await listSessions(deps, auth.clientId, filter, page);
      return cursorReply(page, { ...found, items: found.items.map(presentSession) });
    },
  });

export const readSessionRoute = (deps: ReadSessionsDeps) =>
  route({
    method: 'GET',
    path: '/sessions/:transactionId',
    tag: TAG,
    operationId: 'getSession',
    summary: 'Read a session',
    permission: 'sessions:read',
    params: sessionParamsSchema,
    response: sessionSchema,
    errors: ['not_found'],
    handler: async ({ auth, params }) => presentSession(await readSession(deps, auth.clientId, params.transactionId)),
  });

export const readMeterValuesRoute = (deps: ReadSessionsDeps) =>
  route({
    method: 'GET',
    path: '/sessions/:transactionId/meter-values',
    tag: TAG,
    operationId: 'listMeterValues',
    summary: "List a session's meter values",
    description: 'Each item is one message as the charger sent it, in the order of receipt.',
    permission: 'sessions:read',
    params: sessionParamsSchema,
    query: meterValueQuerySchema,
    response: pageSchema('MeterValuePage', meterValueSchema),
    errors: ['not_found'],
    async handler({ auth, params: { transactionId }, query }) {
      const page = pageWanted(query, { sortKey: 'receivedAt', sortDescending: false });
      const { items, total } = await readMeterValues(deps, { clientId: auth.clientId, transactionId }, page);
      return listReply(page, { items: items.map(presentMeterValues), total });
    },
  });

export const readTransactionEventsRoute = (deps: ReadSessionsDeps) =>
  route({
    method: 'GET',
    path: '/sessions/:transactionId/events',
    tag: TAG,
    operationId: 'listTransactionEvents',
    summary: "List a session's transaction events",
    description: [
      'The TransactionEvents of OCPP 2.x in the order of `seqNo`, then of time. An event that the charger sent again appears once.',
      'A session that began in OCPP 1.6: 409 `not_supported_by_version`.',
    ].join(' '),
    permission: 'sessions:read',
    params: sessionParamsSchema,
    query: transactionEventQuerySchema,
    response: pageSchema('TransactionEventPage', transactionEventSchema),
    errors: ['not_found', 'not_supported_by_version'],
    async handler({ auth, params: { transactionId }, query }) {
      const page = pageWanted(query, { sortKey: 'seqNo', sortDescending: false });
      const { items, total } = await readTransactionEvents(deps, { clientId: auth.clientId, transactionId }, page);
      return listReply(page, { items: items.map(presentTransactionEvent), total });
    },
  });
