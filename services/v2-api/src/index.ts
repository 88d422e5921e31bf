export { createV2App } from './app';
export type { V2App, V2AppDeps } from './app';
export { aloneSettings, v2Settings } from './config';
export type { V2Settings } from './config';
export { createV2Api } from './service';
export type { V2Api, V2ApiDeps } from './service';
