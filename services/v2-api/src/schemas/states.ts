import { INPUT_LIMITS } from '@busbar/domain';
import { chargerIdSchema, siteIdSchema } from '@busbar/api';
import { CHARGING_STATES } from '@busbar/domain/chargers';
import { MAX_DAYS } from '@busbar/domain/history';
import { SITE_SORT_KEYS } from '@busbar/domain/sites';
import { pageQuerySchema, pageSchema } from '@busbar/http';
import { timestampSchema, recordSchema } from './values';

const filterFields = {
  from: { ...timestampSchema, description: 'Inclusive. Default: seven days before `to`. Not before 1970.' },
  to: {
    ...timestampSchema,
    description: `Exclusive. Default: the end of this minute. At most ${String(MAX_DAYS)} days after \`from\`.`,
  },
  siteIds: {
    type: 'array',
    items: siteIdSchema,
    maxItems: INPUT_LIMITS.items,
    description: "The charger's site at that time.",
  },
  chargerIds: { type: 'array', items: chargerIdSchema, maxItems: INPUT_LIMITS.items },
  socketIds: {
    type: 'array',
    items: { type: 'integer', minimum: 0, maximum: INPUT_LIMITS.socketId },
    maxItems: INPUT_LIMITS.items,
    description: '0: the charger itself.',
  },
  includeSubsites: { type: 'boolean', description: 'Includes the sites below `siteIds`. Default false.' },
} as const;

/** Sorting and paging of a list without search. */
function paging<const K extends string>(sortKeys: readonly K[]) {
  const { page, limit, sortKey, sortDescending } = pageQuerySchema(sortKeys).properties;
  return { page, limit, sortKey, sortDescending } as const;
}

export const chargerStatesQuerySchema = {
  type: 'object',
  properties: { ...paging(['at']), ...filterFields },
  additionalProperties: false,
} as const;

export const siteStatesQuerySchema = {
  type: 'object',
  properties: { ...paging(SITE_SORT_KEYS), ...filterFields },
  additionalProperties: false,
} as const;

const countsSchema = {
  type: 'object',
  description: `Number of reports of each state: ${CHARGING_STATES.join(', ')}.`,
  additionalProperties: { type: 'integer', minimum: 0 },
} as const;

const stateChangeSchema = recordSchema('StateChange', {
  at: timestampSchema,
  chargerId: { type: 'string' },
  siteId: { type: 'integer' },
  socketId: { type: 'integer' },
  state: { type: 'string', enum: CHARGING_STATES },
  errorCode: { type: 'string' },
});

const siteStatesSchema = recordSchema('SiteStates', {
  siteId: { type: 'integer' },
  siteName: { type: 'string' },
  countsByState: countsSchema,
  days: {
    type: 'array',
    description: 'Days (UTC) with a report, in ascending order.',
    items: recordSchema('DayStates', { day: { type: 'string' }, countsByState: countsSchema }),
  },
});

const chargerPage = pageSchema(stateChangeSchema);
const sitePage = pageSchema(siteStatesSchema);

export const chargerStatesSchema = {
  ...chargerPage,
  properties: { from: timestampSchema, to: timestampSchema, countsByState: countsSchema, ...chargerPage.properties },
  required: ['from', 'to', 'countsByState', ...chargerPage.required],
} as const;

export const siteStatesReplySchema = {
  ...sitePage,
  properties: { from: timestampSchema, to: timestampSchema, ...sitePage.properties },
  required: ['from', 'to', ...sitePage.required],
} as const;
