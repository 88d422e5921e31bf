// Outages of the broker and of the store, as charger-state handles them: on a real RabbitMQ and a document server that
// are killed.
import { channels, partitionOf, type ReportBatch, type ReportEnvelope } from '@busbar/contracts';
import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { createDeadLetterStore } from '@busbar/store';
import { describeWithDocumentServer, describeWithRabbit, eventually, type PrivateServer } from '@busbar/testing';
import { openWorld, PARTITIONS, type ChargerStateWorld } from './testing/open-world';

const FAULT_MS = 120_000;
/** RabbitMQ 3.10 may lose the leader of a queue that is younger than this when it is killed. */
const YOUNG_QUEUES_MS = 6_000;

const status = (state: string) => ({
  connectorId: 1,
  errorCode: 'NoError',
  status: state,
  timestamp: new Date().toISOString(),
});

describeWithRabbit('charger-state', (rabbit) => {
  describeWithDocumentServer('on real servers', (documents) => {
    let world: ChargerStateWorld;
    let charger: Charger;
    let declaredAt = 0;

    beforeAll(async () => {
      world = await openWorld({ brokerUrl: rabbit().url, storeUrl: documents().url });
      declaredAt = Date.now();
    }, FAULT_MS);
    beforeEach(async () => {
      charger = await world.register();
    });
    afterAll(() => world.close(), FAULT_MS);
    const isOurs = (server: PrivateServer): boolean => server.pid() !== undefined;
    const lines = (text: string) =>
      world.logger.lines.filter(({ level, message }) => level !== 'debug' && message.includes(text));

    it(
      'confirms reports while the store is unavailable, and applies them once and in order when it is restored',
      async () => {
        if (!isOurs(documents())) return;
        const connection = await world.connect(charger);
        await connection.report('StatusNotification', status('Available'));
        await eventually(async () => (await world.read(charger)).reported.sockets['1'] !== undefined);
        world.logger.lines.length = 0;

        await documents().kill();
        await eventually(() => !world.ready());
        for (let n = 0; n < 100; n += 1) await connection.report('Heartbeat', {});
        const last = await connection.report('StatusNotification', status('Charging'));
        const asked = await world.admission(charger);
        expect(asked).toEqual({ outcome: 'answered', answer: { outcome: 'unavailable' } });

        await documents().restart();
        await eventually(async () => (await world.read(charger)).reported.lastMessage === last.raw, 60_000);
        expect((await world.read(charger)).reported.sockets['1']).toMatchObject({ state: 'Charging' });
        await eventually(async () => (await world.log(charger)).length === 102);
        expect(await createDeadLetterStore(world.platform.store).count()).toBe(0);
        expect(await world.metric('busbar_state_dead_letters_total{kind="failed"}')).toBe(0);
        expect(await world.metric('busbar_state_failed_batches_total')).toBeGreaterThan(0);
        // Logged when the outage begins, once for each reason of the driver, and when it ends.
        await eventually(() => lines('no batch fails any more').length === 1);
        const began = lines('batches fail').map(({ fields }) => fields['reason']);
        expect(began).toEqual([...new Set(began)]);
        expect(began.length).toBeGreaterThan(0);
        expect(lines('gateway leases are suspended').length).toBeLessThanOrEqual(1);
        expect(world.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
      },
      FAULT_MS,
    );

    it(
      'consumes and admits again when the broker is restored, and nothing is lost or doubled',
      async () => {
        if (!isOurs(rabbit())) return;
        const connection = await world.connect(charger);
        const before = await connection.report('StatusNotification', status('Available'));
        await eventually(() => Date.now() - declaredAt > YOUNG_QUEUES_MS);
        await rabbit().kill();
        await eventually(() => !world.ready());
        await rabbit().restart();
        await eventually(() => world.ready(), 60_000);
        await connection.publish(before);
        const after = await connection.report('StatusNotification', status('Charging'));
        await eventually(async () => (await world.read(charger)).reported.lastMessage === after.raw, 60_000);
        await eventually(async () => (await world.log(charger)).length === 2);
        expect((await world.admission(charger)).outcome).toBe('answered');
      },
      FAULT_MS,
    );

    it('dead-letters a body that holds no reports, once, counted, and its partition continues', async () => {
      const text = `not a batch ${createId()}`;
      await put(text);
      await put(text);
      const connection = await world.connect(charger);
      const report = await connection.report('Heartbeat', {});
      await eventually(async () => (await world.read(charger)).reported.lastMessage === report.raw);
      const letters = createDeadLetterStore(world.platform.store);
      const letter = await eventually(async () => (await letters.list(1000)).find((each) => each.report === text));
      expect(letter).toMatchObject({ chargerId: '', action: '' });
      expect(letter.reason).toContain('JSON');
      await eventually(async () => (await world.metric('busbar_state_dead_letters_total{kind="unreadable"}')) === 2);
      expect((await letters.list(1000)).filter((each) => each.report === text)).toHaveLength(1);
    });

    it('stores the text of a body that names no charger', async () => {
      const text = JSON.stringify({ reports: [{ payload: createId() } as unknown as ReportEnvelope] });
      await put(text);
      const letters = createDeadLetterStore(world.platform.store);
      const letter = await eventually(async () => (await letters.list(1000)).find((each) => each.report === text));
      expect(letter.reason).toBe('a report without its envelope');
    });

    /** Into the charger's partition, as text that no service writes. */
    function put(text: string): Promise<void> {
      const channel = { ...channels.reports, encode: () => text };
      const nothing: ReportBatch = { reports: [] };
      return new Promise((resolve, reject) => {
        world.platform.broker.enqueue(channel, partitionOf(charger.chargerId, PARTITIONS), nothing, (failure) => {
          if (failure === undefined) resolve();
          else reject(new Error(failure));
        });
      });
    }
  });
});
