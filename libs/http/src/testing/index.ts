export { documentIssues } from './check-document';
export { createReplyChecker } from './check-reply';
export { schemaIssues } from './schema-issues';
export { bodyExample, operationFinder, operationsOf } from './documented-operations';
export type { DocumentedBodies, DocumentedBody, DocumentedOperation } from './documented-operations';
