export type {
  BatchHandler,
  Broker,
  ConsumeOptions,
  Delivery,
  PublishFailure,
  RequestOutcome,
  Subscription,
} from './port';
export { createAmqpBroker } from './amqp/amqp-broker';
export type { AmqpBrokerOptions } from './amqp/amqp-broker';
export { createMemoryBroker } from './memory/memory-broker';
export type { MemoryBrokerOptions } from './memory/memory-broker';
