export type { MessageContext, MessageHeaders } from './message-context';
export type {
  BatchHandler,
  Broker,
  ConsumeOptions,
  Delivery,
  PublishFailure,
  QueueAddress,
  RequestOutcome,
  Subscription,
} from './port';
export { createAmqpBroker } from './amqp/amqp-broker';
export type { AmqpBrokerOptions, AmqpTls, BrokerEvent } from './amqp/settings';
export { createMemoryBroker } from './memory/memory-broker';
export type { MemoryBrokerOptions } from './memory/memory-broker';
export { createMemoryHub } from './memory/memory-hub';
export type { MemoryHub, MemoryHubOptions } from './memory/memory-hub';
