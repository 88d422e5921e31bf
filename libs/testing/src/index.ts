export { eventually } from './eventually';
export { createFakeClock } from './fake-clock';
export type { FakeClock } from './fake-clock';
export { createRecordingLogger } from './recording-logger';
export type { LogLine, RecordingLogger } from './recording-logger';
