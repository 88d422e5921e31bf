export { ask } from './ask';
export type { AskOptions, HttpReply } from './ask';
export { createAuthority, createSigningRequest } from './authority';
export type { Authority, IssuedCertificate } from './authority';
export { writeServerPair } from './server-pair';
export { BROWSER_ARGUMENTS, describeWithBrowser, findBrowser, launchBrowser, NO_BROWSER } from './browser';
export type { Misdeeds, OpenPage } from './browser';
export { eventually } from './eventually';
export { advanceUntil, createFakeClock } from './fake-clock';
export type { FakeClock } from './fake-clock';
export { createHurriedClock } from './hurried-clock';
export { FREE_PORTS, oneProcessEnv } from './one-process-env';
export type { OneProcess } from './one-process-env';
export { reachableBytes } from './reachable-bytes';
export { createRecordingLogger } from './recording-logger';
export type { LogLine, RecordingLogger } from './recording-logger';
export { superlinearAt } from './regular-expressions/growth';
export { countStream } from './event-stream';
export type { CountedStream } from './event-stream';
export { openReceiver } from './receiver';
export type { Receiver, ReceiverAnswer } from './receiver';
export { serve } from './serve';
export type { Served } from './serve';
export { freePort } from './servers/free-port';
export { createGuard } from './servers/guard';
export type { Guard } from './servers/guard';
export type { PrivateServer, ServerFinding } from './servers/private-server';
export { containerEngineAnswers } from './servers/container-engine';
export { findDocumentServer, startDocumentServer } from './servers/document-server';
export { findRabbitServer, startRabbitServer } from './servers/rabbitmq';
export { describeWithRabbitMetrics } from './servers/rabbitmq-metrics';
export { describeWithRabbitTls } from './servers/rabbitmq-tls';
export { startTlsFront } from './servers/tls-front';
export type { TlsFront } from './servers/tls-front';
export { describeWithDocumentServer, describeWithRabbit, describeWithServers } from './servers/with-server';
export type { Answer, ChargerAnswer, Payload } from './charger/charger-answers';
export { openSocket, UpgradeRejected } from './charger/handshake';
export type { ConnectOptions } from './charger/handshake';
export { connectCharger } from './scripted-charger';
export type {
  CallResponse,
  CloseEvent,
  LoggedFrame,
  ReceivedCall,
  ScriptedCharger,
  ScriptedChargerOptions,
} from './scripted-charger';
export { completePayload, minimalPayload } from './minimal-payload';
export { newClient } from './new-client';
export type { NewClient } from './new-client';
