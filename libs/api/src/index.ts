export { createApi } from './api';
export { apiAccess } from './api-access';
export type { PresentedKey } from './api-access';
export { createApiApp, openApiDocument } from './api-app';
export type { ApiDefinition, ApiDeps, RouteDeps } from './api-app';
export { COMMAND_ERRORS, commandOf, ownerOf } from './command-request';
export type { CommandDeps, CommandRequest } from './command-request';
export { ERRORS_PATH } from './error-pages';
export { escapeHtml } from './escape-html';
export { API_ERRORS, CLIENT_ERROR_CODES } from './errors';
export {
  chargerIdSchema,
  chargingStateSchema,
  commandIdSchema,
  commandTimeoutSchema,
  configNameSchema,
  configValueSchema,
  nameSchema,
  QUANTITY_OF_SOCKET,
  rfidTagSchema,
  siteIdSchema,
  socketIdSchema,
  PUSH_FIELDS,
  STORED_ONLY,
  TEXT_OF_LOCATION,
  TEXT_OF_SOCKET,
  textSchema,
  transactionIdSchema,
} from './input-schemas';
export { boolean, count, integer, number, paramsSchema, recordSchema, string, timestampSchema } from './record-schema';
export { newRequestId } from './request-id';
export {
  apiChecks,
  apiProcessSettings,
  apiSettings,
  createApiProcess,
  operatorExtension,
  runApi,
  webhookApiProcessSettings,
  webhookApiSettings,
  webhookChecks,
  webhookDeps,
} from './run-api';
export type { ApiExtension } from './run-api';
