import { INPUT_LIMITS } from '@busbar/domain';
import { chargerIdSchema, chargingStateSchema, siteIdSchema } from '@busbar/api';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import { MAX_DAYS } from '@busbar/domain/history';
import { SITE_SORT_KEYS } from '@busbar/domain/sites';
import { field, pageSchemaWith, sortedQuerySchema, withProperties } from '@busbar/http';
import { boolean, common, count, integer, recordSchema, string, timestampSchema } from './values';

const filterFields = {
  from: field(timestampSchema, 'Inclusive. Default: seven days before `to`. Not before 1970.'),
  to: field(
    timestampSchema,
    `Exclusive. Default: the end of this minute. At most ${String(MAX_DAYS)} days after \`from\`.`,
  ),
  siteIds: field(
    { type: 'array', items: siteIdSchema, maxItems: INPUT_LIMITS.items },
    "The charger's site at that time. Repeat it, or separate values by commas.",
  ),
  chargerIds: field(
    { type: 'array', items: chargerIdSchema, maxItems: INPUT_LIMITS.items },
    'Reports of these chargers. Repeat it, or separate values by commas.',
  ),
  socketIds: field(
    {
      type: 'array',
      items: { type: 'integer', minimum: 0, maximum: INPUT_LIMITS.socketId },
      maxItems: INPUT_LIMITS.items,
    },
    'Reports of sockets with these numbers. 0: the charger itself. Repeat it, or separate values by commas.',
  ),
  includeSubsites: field(boolean, 'Includes the sites below `siteIds`. Default false.'),
} as const;

export const chargerStatesQuerySchema = withProperties(sortedQuerySchema(['at'], 'oldest first'), filterFields);
export const siteStatesQuerySchema = withProperties(sortedQuerySchema(SITE_SORT_KEYS, 'by id'), filterFields);

const countsSchema = {
  title: 'StateCounts',
  type: 'object',
  description: `Number of reports of each state: ${CHARGING_STATES.join(', ')}.`,
  additionalProperties: count,
  examples: [{ Available: 12, Charging: 5 }],
} as const;

const stateChangeSchema = recordSchema('StateChange', 'A reported state of a socket.', {
  at: field(timestampSchema, "Time of the report: the charger's own, or that of its receipt."),
  chargerId: common.chargerId,
  siteId: field(integer, "The charger's site at that time.", 1),
  socketId: field(integer, 'Number of the socket. 0: the charger itself.', 1),
  state: chargingStateSchema,
  errorCode: field(string, 'Error code of the report. Empty: no error.', ''),
});

const siteStatesSchema = recordSchema('SiteStates', 'Reports of the chargers of a site.', {
  siteId: common.siteId,
  siteName: field(string, 'Name of the site.', 'Harbour'),
  countsByState: countsSchema,
  days: field(
    {
      type: 'array',
      items: recordSchema('DayStates', 'Reports of a day.', {
        day: field(string, 'The day in UTC.', '2026-01-31'),
        countsByState: countsSchema,
      }),
    },
    'Days (UTC) with a report, in ascending order.',
  ),
});

const periodFields = {
  from: field(timestampSchema, 'Begin of the period, inclusive.', '2026-01-25T00:00:00.000Z'),
  to: field(timestampSchema, 'End of the period, exclusive.', '2026-02-01T00:00:00.000Z'),
} as const;

export const chargerStatesSchema = pageSchemaWith('StateChangePage', stateChangeSchema, {
  ...periodFields,
  countsByState: countsSchema,
});

export const siteStatesReplySchema = pageSchemaWith('SiteStatesPage', siteStatesSchema, periodFields);
