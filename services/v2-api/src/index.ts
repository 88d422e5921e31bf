export { v2Api } from './app';
export { aloneSettings } from './config';
export { createConsole } from './console/console';
export type { Console } from './console/console';
export { consoleSettings } from './console/console-settings';
