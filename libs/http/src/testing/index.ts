export { createReplyChecker } from './check-reply';
export { operationFinder, operationsOf } from './documented-operations';
export type { DocumentedOperation } from './documented-operations';
