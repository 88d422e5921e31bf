import type { ChargerReader } from '@busbar/domain/chargers';
import { followChargerLog } from '@busbar/domain/history';
import { EXAMPLES_16 } from '@busbar/ocpp';
import { createLogFeeds, type LogFeedDeps } from '../log-stream/log-feed';
import { openLogEvents } from '../log-stream/log-events';
import { streamRoute } from '../route';
import { chargerParamsSchema } from '../schemas/values';

type Deps = LogFeedDeps & { readonly chargers: Pick<ChargerReader, 'findOwned'> };

const EXCHANGE = {
  messageId: '19223201',
  ocppVersion: 'ocpp1.6',
  messageType: 'StatusNotification',
  source: 'charger',
  requestTimestamp: '2026-01-31T12:00:00.000Z',
  responseTimestamp: '2026-01-31T12:00:00.020Z',
  request: { ...EXAMPLES_16.statusNotification, status: 'Charging' },
  response: {},
  commandId: null,
  requestId: null,
};

const EXAMPLE = `retry: 3000

id: 01JAX5Z3V8Q2M7R4T6W9Y0BCDE.12
data: ${JSON.stringify(EXCHANGE)}

: heartbeat

event: end
data: {"reason":"shutdown"}

`;

export const ocppLogStreamRoute = (deps: Deps) => {
  const feeds = createLogFeeds(deps);
  return streamRoute({
    method: 'GET',
    path: '/chargers/:chargerId/ocpp-logs/stream',
    tag: 'Logs',
    operationId: 'streamOcppLogs',
    summary: "Stream a charger's OCPP log",
    description: [
      'Server-sent events (`text/event-stream`), which stay open. Each new row of the log, heartbeats included, is one event whose',
      '`data` is an item of `GET /v2/chargers/{chargerId}/ocpp-logs`, about half a second after it is stored. Begins with the next row.',
      'It sends at most 50 new rows a second, the newest: the event `skipped` with `{"rows"}` says how many older ones are only in the log. With',
      '`Last-Event-ID` it begins behind that event, and misses nothing that the log still has; where an older row was stored late,',
      'rows of the last ten minutes are repeated. The text of an id before its dot is not less than that of any event before.',
      'A comment every 15 seconds keeps the connection open.',
      'Before the service ends a stream it sends the event `end` with `{"reason"}`: `slow_reader` (1,000 rows or 4 MB wait),',
      '`shutdown`, `key_revoked` (revoked, expired, or without the permission), `charger_deleted`. Reconnect with `Last-Event-ID` after the',
      'first two. At most 10 streams of a key, 40 of a client and 500 of a process of the API: 429 above.',
      'A stream without any byte for a minute is broken.',
    ].join(' '),
    permission: 'logs:read',
    params: chargerParamsSchema,
    response: {
      title: 'OcppLogStream',
      type: 'string',
      description: 'Server-sent events in UTF-8.',
      examples: [EXAMPLE],
    },
    errors: ['invalid_charger_id', 'invalid_request', 'not_found'],
    async handler({ auth: { clientId }, params: { chargerId }, lastEventId }) {
      // EventSource sends an empty one where it has none.
      const after = lastEventId === '' ? undefined : lastEventId;
      const followed = await followChargerLog(deps, { clientId, chargerId }, after);
      return openLogEvents({ ...deps, feeds }, followed);
    },
  });
};
