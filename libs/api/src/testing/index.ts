export { codeOf, openApi } from './open-app';
export type { TestApi, TestClient } from './open-app';
