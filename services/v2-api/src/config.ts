import { commandSettings, maskSettings, rateLimitSettings, type SettingsOf } from '@busbar/runtime';
import { apiSettings } from '@busbar/api';

/** What this API goes by, alone or beside the others. */
export const v2Settings = { ...rateLimitSettings, ...commandSettings, ...maskSettings };

export type V2Settings = SettingsOf<typeof v2Settings>;

/** What a process of its own reads. */
export const aloneSettings = { ...apiSettings, ...v2Settings };
