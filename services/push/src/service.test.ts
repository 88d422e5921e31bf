// The service on a real store: a webhook's events, its standing and its log.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@busbar/core';
import { exampleEvent, streamCount } from '@busbar/domain/feed';
import { createMetrics, createPlatform, createStoredSecrets, readSettings } from '@busbar/runtime';
import { createFeedPageWriter } from '@busbar/store';
import { createRecordingLogger, eventually, openReceiver } from '@busbar/testing';
import { pushSettings } from './config';
import { createPush } from './service';
import { webhookOf } from './testing/webhook';

const PARTITIONS = 2;

it('delivers from a store in a file, and stores standing, log and the event of a disabled webhook', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'busbar-push-'));
  const logger = createRecordingLogger();
  const common = { logger, clock: systemClock };
  const platform = createPlatform({
    brokerUrl: 'memory:',
    storeUrl: `file:${directory}`,
    partitions: PARTITIONS,
    ...common,
  });
  const metrics = createMetrics();
  const { store, records, broker } = platform;
  const secrets = createStoredSecrets(Buffer.alloc(32, 1).toString('base64'));
  const settings = readSettings(pushSettings, { PUSH_PLAIN_HTTP: 'true', PUSH_TIME_SCALE: '0.01' });
  const push = createPush({ broker, store, records, secrets, ...common, metrics, settings, loopback: true });
  const receiver = await openReceiver();
  try {
    await platform.start();
    const pages = createFeedPageWriter(store);
    const { generation = '' } = (await records.feed.identity()) ?? {};
    const position = { pages: [0, 0, 0], next: 0, taken: 0 };
    const encrypted = secrets.encrypt(`whsec_${Buffer.alloc(32).toString('base64')}`, 'wh_1');
    const webhook = webhookOf({
      url: receiver.url,
      begin: { id: 'b', generation, position },
      secrets: [{ encrypted, endsAt: null }],
    });
    await records.webhooks.insert(webhook);
    const event = exampleEvent('charger.state_changed');
    const page = { clientId: 'c', partition: 1, at: new Date().toISOString(), highest: '{}', count: 1 };
    await pages.insert({ ...page, page: 1, events: JSON.stringify([event]) });
    await push.start();
    expect(push.ready()).toBe(true);
    await eventually(() => receiver.accepted().includes(event.id));
    expect(receiver.requests[0]?.body).toBe(JSON.stringify(event));
    await eventually(async () => {
      const [standing] = await records.webhookStandings.find(['wh_1']);
      return standing?.progress.pages[1] === 1;
    });

    receiver.answer(() => ({ status: 410 }));
    await pages.insert({ ...page, page: 2, events: JSON.stringify([{ ...event, id: `${event.id}0` }]) });
    await eventually(async () => {
      const [standing] = await records.webhookStandings.find(['wh_1']);
      return standing?.health.status === 'disabled' && standing.outbox === null;
    });
    const own = { clientId: 'c', partition: streamCount({ partitions: PARTITIONS }) - 1, page: 0 };
    const [stored] = await records.feed.pagesAfter(own, 1);
    expect(JSON.parse(stored?.events ?? '[]')).toMatchObject([{ id: 'evt_wh_1_1', type: 'webhook.disabled' }]);
    await push.stop();
    const log = await records.deliveryLog.list('wh_1', {}, { page: 1, limit: 10, sortKey: 'at', sortDescending: true });
    expect(log.items.map(({ outcome, httpStatus }) => [outcome, httpStatus])).toEqual([
      ['failed', 410],
      ['delivered', 200],
    ]);
    expect(await metrics.text()).toContain('busbar_push_attempts_total{outcome="delivered"} 1');
  } finally {
    await push.stop();
    await platform.stop();
    await receiver.stop();
    rmSync(directory, { recursive: true, force: true });
  }
});
