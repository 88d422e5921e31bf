export { describeDocument } from './describe-document';
export type { DocumentSuite } from './describe-document';
export { describeApi } from './describe-api';
export type { ApiSuite } from './describe-api';
export { openPushPeer } from './push-peer';
export type { PushPeer } from './push-peer';
export { codeOf, openApi } from './open-app';
export type { TestApi, TestClient } from './open-app';
