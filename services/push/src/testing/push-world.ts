// Processes of push whose parts are all real, on a feed and stores in memory: an embedded broker, receivers on the loopback.
import { createMemoryBroker, createMemoryHub } from '@busbar/broker';
import { channels, type PushAnswer, type PushRequest } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { exampleEvent, feedPageKey, streamCount, type FeedEvent, type FeedPage } from '@busbar/domain/feed';
import { storedFeed, storedSites } from '@busbar/domain/testing';
import { standardMessage, type Webhook } from '@busbar/domain/webhooks';
import { createMetrics, createOwners, createParticipation, openEgress, createStoredSecrets } from '@busbar/runtime';
import { createRecordingLogger, openReceiver, type Receiver } from '@busbar/testing';
import { createPushMetrics } from '../push-metrics';
import { createWebhookDeliveries } from '../webhook-deliveries';
import { createMemoryWebhookStores } from './memory-webhook-stores';
import { webhookOf } from './webhook';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const CLIENT_ID = 'c';
const PARTITIONS = 2;
const IDENTITY = { generation: 'g', partitions: PARTITIONS };

export type PushWorld = Awaited<ReturnType<typeof openPushWorld>>;

export async function openPushWorld({ timeScale = 0.01, maxInFlight = 500 } = {}) {
  const hub = createMemoryHub({ clock: systemClock });
  const feed = storedFeed(IDENTITY);
  const stores = createMemoryWebhookStores();
  const secrets = createStoredSecrets(Buffer.alloc(32, 1).toString('base64'));
  const logger = createRecordingLogger();
  const closing: (() => Promise<void>)[] = [];
  const sequences = new Map<string, number>();
  const lastPages = new Map<number, number>();
  const broker = createMemoryBroker({ clock: systemClock, hub });
  await broker.start();

  async function replica() {
    const own = createMemoryBroker({ clock: systemClock, hub });
    await own.start();
    const replicaId = `replica ${String(closing.length)}`;
    const owners = createOwners(replicaId);
    const participation = createParticipation({
      broker: own,
      clock: systemClock,
      logger,
      replicaId,
      owners,
      channel: channels.pushReplicas,
      probe: () => stores.webhooks.listOf(CLIENT_ID),
      onChange: () => deliveries.review(),
    });
    const metrics = createMetrics();
    const deliveries = createWebhookDeliveries({
      broker: own,
      records: {
        ...stores,
        feed,
        sites: storedSites(),
        connectionHistory: { list: () => Promise.resolve({ items: [], total: 0 }) },
      },
      pages: {
        insert: async ({ events, ...page }: FeedPage) => {
          if ((await feed.lastPage(page)) >= page.page) return false;
          feed.stored.add(page, JSON.parse(events) as FeedEvent[]);
          return true;
        },
      },
      formats: {
        standard: (event, json, webhook) => Promise.resolve([standardMessage(event, json, webhook)]),
        'push-v1': () => Promise.resolve([]),
        'push-v2': () => Promise.resolve([]),
      },
      secrets,
      openEgress: () => openEgress({ allowedCidrs: [], plainHttp: true, loopback: true }),
      clock: systemClock,
      logger,
      metrics: createPushMetrics(metrics),
      maxInFlight,
      timeScale,
      isOwner: (webhookId) => participation.isActive() && owners.ownerOf(webhookId) === replicaId,
      onStored: participation.workEnded,
    });
    await participation.start();
    await deliveries.start();
    let isStopped = false;
    const stop = async (): Promise<void> => {
      if (isStopped) return;
      isStopped = true;
      await deliveries.stop();
      await participation.stop();
      await own.stop();
    };
    closing.push(stop);
    return { stop, deliveries, metrics };
  }

  /** A page of the stream of the chargers, with their next events. */
  function write(...chargers: readonly string[]): readonly FeedEvent[] {
    const partition = (chargers[0] ?? '').charCodeAt(0) % PARTITIONS;
    const page = (lastPages.get(partition) ?? 0) + 1;
    const events = chargers.map((chargerId) => {
      const sequence = (sequences.get(chargerId) ?? 0) + 1;
      sequences.set(chargerId, sequence);
      const id = `evt_${chargerId}_${String(sequence)}`;
      return { ...exampleEvent('charger.state_changed'), id, sequence, chargerId, timestamp: new Date().toISOString() };
    });
    lastPages.set(partition, page);
    feed.stored.add({ clientId: CLIENT_ID, partition, page }, events);
    broker.broadcast(channels.eventPages, { clientId: CLIENT_ID, partition, page });
    return events;
  }

  function put(webhook: Webhook): void {
    stores.stored.set(webhook.webhookId, webhook);
    broker.broadcast(channels.webhooks, { clientId: webhook.clientId, webhookId: webhook.webhookId });
  }

  const streams = streamCount(IDENTITY);
  return {
    feed,
    stores,
    secrets,
    logger,
    replica,
    write,
    streams,
    async receiver(): Promise<Receiver> {
      const receiver = await openReceiver();
      closing.push(receiver.stop);
      return receiver;
    },
    /** A webhook from the beginning of the feed. */
    webhook({ webhookId = 'wh_1', ...over }: Partial<Webhook> = {}): Webhook {
      const position = { pages: Array.from({ length: streams }, () => 0), next: 0, taken: 0 };
      const webhook = webhookOf({
        webhookId,
        clientId: CLIENT_ID,
        begin: { id: 'b1', generation: IDENTITY.generation, position },
        secrets: [{ encrypted: secrets.encrypt(SECRET, webhookId), endsAt: null }],
        ...over,
      });
      put(webhook);
      return webhook;
    },
    change(webhook: Webhook, over: Partial<Webhook>): Webhook {
      const changed = { ...webhook, ...over, revision: webhook.revision + 1 };
      put(changed);
      return changed;
    },
    async ask(request: PushRequest): Promise<PushAnswer | undefined> {
      const outcome = await broker.request(channels.pushRequests, '', request, 20_000);
      return outcome.outcome === 'answered' ? outcome.answer : undefined;
    },
    standing: (webhookId = 'wh_1') => stores.standings.get(webhookId),
    /** The ids of all events of these chargers, by charger. */
    idsOf: (...chargers: readonly string[]) =>
      chargers.map((charger) =>
        Array.from({ length: sequences.get(charger) ?? 0 }, (_, n) => `evt_${charger}_${String(n + 1)}`),
      ),
    lost: (partition: number, page: number) => feed.stored.remove({ clientId: CLIENT_ID, partition, page }),
    key: (partition: number, page: number) => feedPageKey({ clientId: CLIENT_ID, partition, page }),
    async close() {
      for (const each of closing.reverse()) await each();
      await broker.stop();
    },
  };
}

/** The accepted events of a charger. */
export function acceptedOf(receiver: Receiver, charger: string): readonly string[] {
  return receiver.accepted().filter((id) => id.startsWith(`evt_${charger}_`));
}
