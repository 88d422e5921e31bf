// The screens that the menu offers, and the permission that each needs. An entry is here only when its screen exists.
import {
  Activity,
  BatteryCharging,
  IdCard,
  KeyRound,
  MailWarning,
  Map,
  MapPin,
  Server,
  Webhook,
  Zap,
  type LucideIcon,
} from 'lucide-react';
import type { Permission } from '../api/session';
import { texts } from '../texts';

export interface MenuEntry {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly permission: Permission;
  /** The second key of its shortcut, after `g`. */
  readonly key: string;
  /** It is there only where the operator named tiles for a map. */
  readonly needsTiles?: boolean;
}

export const MENU: readonly MenuEntry[] = [
  { path: '/', label: texts.menu.fleet, icon: Zap, permission: 'chargers:read', key: 'f' },
  { path: '/sessions', label: texts.menu.sessions, icon: BatteryCharging, permission: 'sessions:read', key: 's' },
  { path: '/sites', label: texts.menu.sites, icon: MapPin, permission: 'sites:read', key: 'i' },
  { path: '/map', label: texts.menu.map, icon: Map, permission: 'sites:read', key: 'm', needsTiles: true },
  { path: '/tags', label: texts.menu.tags, icon: IdCard, permission: 'tags:read', key: 't' },
  { path: '/events', label: texts.menu.events, icon: Activity, permission: 'events:read', key: 'e' },
  { path: '/webhooks', label: texts.menu.webhooks, icon: Webhook, permission: 'webhooks:read', key: 'w' },
  { path: '/keys', label: texts.menu.keys, icon: KeyRound, permission: 'keys:read', key: 'k' },
  {
    path: '/operator/dead-letters',
    label: texts.menu.deadLetters,
    icon: MailWarning,
    permission: 'operator',
    key: 'd',
  },
  { path: '/operator/processes', label: texts.menu.processes, icon: Server, permission: 'operator', key: 'p' },
];

/** Where the console begins for a key: the first screen that it may see. Undefined: it may see none. */
export function homeOf(permissions: readonly Permission[]): string | undefined {
  return MENU.find(({ permission }) => permissions.includes(permission))?.path;
}
