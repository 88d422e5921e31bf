export { createLegacyApp } from './app';
export type { LegacyApp, LegacyAppDeps } from './app';
export { aloneSettings, legacySettings } from './config';
export type { LegacySettings } from './config';
export { createLegacyApi } from './service';
export type { LegacyApi, LegacyApiDeps } from './service';
