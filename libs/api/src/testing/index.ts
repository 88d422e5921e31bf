export { describeDocument } from './describe-document';
export type { DocumentSuite } from './describe-document';
export { describeApi } from './describe-api';
export type { ApiSuite } from './describe-api';
export { codeOf, openApi } from './open-app';
export type { TestApi, TestClient } from './open-app';
