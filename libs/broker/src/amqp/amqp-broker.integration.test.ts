import { createRecordingLogger, describeWithRabbit } from '@busbar/testing';
import { describeBrokerContract } from '../broker.contract';
import type { BrokerWorld, WorldOptions } from '../contract/fixtures.contract';
import type { Broker } from '../port';
import { createAmqpBroker } from './amqp-broker';

describeWithRabbit('the AMQP broker', (server) => {
  describeBrokerContract({ asText: true, createWorld: (options) => createWorld(server().url, options) });
});

function createWorld(url: string, options: WorldOptions): BrokerWorld {
  const brokers: Broker[] = [];
  return {
    async connect() {
      const broker = createAmqpBroker({ url, logger: createRecordingLogger(), ...options });
      brokers.push(broker);
      await broker.start();
      return broker;
    },
    async stop() {
      await Promise.all(brokers.map((broker) => broker.stop()));
    },
  };
}
