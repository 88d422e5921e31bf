import { commandSettings, maskSettings, rateLimitSettings, type SettingsOf } from '@busbar/runtime';
import { apiSettings } from '@busbar/api';

/** What this API goes by, alone or beside the others. */
export const legacySettings = { ...rateLimitSettings, ...commandSettings, ...maskSettings };

export type LegacySettings = SettingsOf<typeof legacySettings>;

/** What a process of its own reads. */
export const aloneSettings = { ...apiSettings, ...legacySettings };
