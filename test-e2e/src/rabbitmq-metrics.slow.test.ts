// The metrics of RabbitMQ that alerts name, as RabbitMQ itself shows them.
import { channels } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { createBroker } from '@busbar/runtime';
import { createRecordingLogger, describeWithRabbitMetrics, eventually } from '@busbar/testing';
import { http } from './harness/http';
import { readRabbitAlerts, samplesIn } from './harness/monitoring-names';

const PARTITIONS = 3;
/** As the documents say. A quorum queue shows its numbers every five seconds. */
const PATH = '/detailed?family=queue_consumer_count';
const WITHIN_MS = 30_000;
const TEST_MS = 120_000;

describeWithRabbitMetrics('RabbitMQ', (server, metricsUrl) => {
  it(
    'shows for each queue of a partition how many subscribe to it, by the names of the alerts',
    async () => {
      const deps = { logger: createRecordingLogger(), clock: systemClock };
      const broker = createBroker(server().url, deps);
      await broker.start();
      try {
        await broker.declareQueue(channels.reports, PARTITIONS);
        const subscribe = (partition: number) =>
          broker.consume(channels.reports, partition, { maxBatch: 1 }, () => Promise.resolve());
        // One consumes, the other waits: both subscribe.
        const subscriptions = [await subscribe(0), await subscribe(0), await subscribe(1)];
        await eventually(async () => {
          expect(await subscribersOf(metricsUrl())).toEqual({ 0: 2, 1: 1, 2: 0 });
          return true;
        }, WITHIN_MS);
        await Promise.all(subscriptions.map((subscription) => subscription.close()));
        await eventually(async () => {
          expect(await subscribersOf(metricsUrl())).toEqual({ 0: 0, 1: 0, 2: 0 });
          return true;
        }, WITHIN_MS);
      } finally {
        await broker.stop();
      }
      const samples = samplesIn((await http(`${metricsUrl()}${PATH}`)).text);
      for (const { expr } of readRabbitAlerts()) {
        for (const [, name = '', labels = ''] of expr.matchAll(/(rabbitmq_\w+)\{([^}]*)\}/g)) {
          const own = [...labels.matchAll(/(\w+)=/g)].map(([, label = '']) => label).filter((label) => label !== 'job');
          expect([...(samples.get(name) ?? [])]).toEqual(expect.arrayContaining(own));
        }
      }
    },
    TEST_MS,
  );
});

/** By partition. */
async function subscribersOf(metricsUrl: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await http(`${metricsUrl}${PATH}`);
  const samples = text.matchAll(/^rabbitmq_detailed_queue_consumers\{.*queue="busbar\.reports\.(\d+)".*\} (\d+)$/gm);
  return Object.fromEntries([...samples].map(([, partition = '', count]) => [partition, Number(count)]));
}
