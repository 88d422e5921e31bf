export { apiSettings, runApi } from './run-api';
export type { ApiParts, ListeningApi } from './run-api';
