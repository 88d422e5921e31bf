// What the screen of events keeps in its address, and what it asks of the feed. Pure.
import type { Schemas } from '../../api/client';
import type { Permission } from '../../api/session';
import { selects } from '../../live/needs';
import { isPositive } from '../../parts/search-values';

export interface EventsSearch {
  readonly type?: EventType | undefined;
  readonly charger?: string | undefined;
  readonly site?: number | undefined;
}

type Event = Schemas['Event'];
export type EventType = (typeof TYPES)[number];

/** All but the frequent ones. */
export const STANDARD = '*';
const FREQUENT: readonly string[] = ['meter.values', 'socket.state_reported'];

/** Each family before its types. */
const TYPES = [
  'charger.*',
  'charger.created',
  'charger.updated',
  'charger.deleted',
  'charger.connected',
  'charger.disconnected',
  'charger.booted',
  'charger.state_changed',
  'charger.firmware_status',
  'charger.diagnostics_status',
  'charger.security_event',
  'charger.certificate_refused',
  'charger.data_transfer',
  'socket.*',
  'socket.state_changed',
  'socket.state_reported',
  'session.*',
  'session.started',
  'session.ended',
  'meter.values',
  'tag.checked',
  'command.completed',
  'webhook.*',
  'webhook.disabled',
  'webhook.test',
] as const;

const PERMISSIONS: readonly (readonly [prefix: string, permission: Permission])[] = [
  ['charger.security_event', 'logs:read'],
  ['charger.data_transfer', 'logs:read'],
  ['session.', 'sessions:read'],
  ['meter.', 'sessions:read'],
  ['tag.', 'tags:read'],
  ['webhook.', 'webhooks:read'],
];
const CHARGER_ID = /^(?!\.{1,2}$)[A-Za-z0-9_\-.:*+=@|~]{1,48}$/;

export function parseEventsSearch({ type, charger, site }: Readonly<Record<string, unknown>>): EventsSearch {
  const known = TYPES.find((one) => one === type);
  const id = typeof charger === 'number' ? String(charger) : charger;
  return {
    ...(known === undefined ? {} : { type: known }),
    ...(typeof id === 'string' && CHARGER_ID.test(id) ? { charger: id } : {}),
    ...(isPositive(site) ? { site } : {}),
  };
}

/** The types that a key may name: the feed refuses the others. */
export function typesFor(permissions: readonly Permission[]): readonly EventType[] {
  return TYPES.filter((type) => {
    const [, needed = 'chargers:read'] = PERMISSIONS.find(([prefix]) => type.startsWith(prefix)) ?? [];
    return permissions.includes(needed);
  });
}

/** The parameters of the feed. */
export function filterOf(search: EventsSearch) {
  return { ...needOf(search), ...(search.site === undefined ? {} : { siteIds: [search.site] }) };
}

/** What the shared stream is asked for: it has no filter of sites. */
export function needOf({ type, charger }: EventsSearch) {
  return {
    types: [type ?? STANDARD] as (EventType | typeof STANDARD)[],
    ...(charger === undefined ? {} : { chargerIds: [charger] }),
  };
}

/** Whether an event is of the screen: the shared stream has what other tabs need, too. */
export function isOf(search: EventsSearch, event: Event): boolean {
  if (search.type === undefined && FREQUENT.includes(event.type)) return false;
  if (search.site !== undefined && search.site !== event.siteId) return false;
  return selects(needOf(search), event);
}

/** What a reader types into a shell to read the same. */
export function curlOf(origin: string, search: EventsSearch): string {
  const query = new URLSearchParams({ after: 'oldest', types: search.type ?? STANDARD });
  if (search.charger !== undefined) query.set('chargerIds', search.charger);
  if (search.site !== undefined) query.set('siteIds', String(search.site));
  return commandOf(`${origin}/v2/events?${query.toString()}`);
}

export function curlOfEvent(origin: string, { id }: Event): string {
  return commandOf(`${origin}/v2/events/${encodeURIComponent(id)}`);
}

function commandOf(url: string): string {
  return `curl '${url.replaceAll("'", '%27')}' -H "x-api-key: $API_KEY"`;
}

export function isFiltered(search: EventsSearch): boolean {
  return Object.values(search).some((value) => value !== undefined);
}
