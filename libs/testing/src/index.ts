export { eventually } from './eventually';
export { createFakeClock } from './fake-clock';
export type { FakeClock } from './fake-clock';
export { createRecordingLogger } from './recording-logger';
export type { LogLine, RecordingLogger } from './recording-logger';
export type { PrivateServer, ServerFinding } from './servers/private-server';
export { findDocumentServer, startDocumentServer } from './servers/document-server';
export { findRabbitServer, startRabbitServer } from './servers/rabbitmq';
export { describeWithDocumentServer, describeWithRabbit } from './servers/with-server';
