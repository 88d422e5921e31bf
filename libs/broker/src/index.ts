export type { MessageContext, MessageHeaders } from './message-context';
export type { BatchHandler, Broker, Delivery, PublishFailure, RequestOutcome, Subscription } from './port';
export { createAmqpBroker } from './amqp/amqp-broker';
export type { AmqpTls } from './amqp/settings';
export { createMemoryBroker } from './memory/memory-broker';
export { createMemoryHub } from './memory/memory-hub';
