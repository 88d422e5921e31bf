import { createId } from '@busbar/core';
import { noRows } from '@busbar/domain/reports';
import {
  exampleEvent,
  feedPageKey,
  type EventName,
  type FeedEvent,
  type FeedPageId,
  type FeedStream,
} from '@busbar/domain/feed';
import { collections, createFeedReader, createReportStore, eq } from '@busbar/store';
import type { TestApp } from './open-app';

/** A charger whose events a test writes. */
export interface EventCharger {
  readonly chargerId: string;
  readonly siteId: number | null;
  readonly incarnationId: string;
}

export function eventCharger(chargerId: string, siteId: number | null = null): EventCharger {
  return { chargerId, siteId, incarnationId: createId() };
}

/** Writes pages as the owners of partitions do, and calls `onStored` after each. Numbers the events of each charger from 1. */
export function createEventWriter(
  { platform, own }: Pick<TestApp, 'platform' | 'own'>,
  onStored: (page: FeedPageId) => void = () => undefined,
) {
  const { store } = platform;
  const reports = createReportStore(store);
  const reader = createFeedReader(store);
  const counts = new Map<string, number>();

  /** Any partition: readers read all of them. */
  async function streamOf({ chargerId }: EventCharger): Promise<FeedStream> {
    const { partitions } = (await reader.identity()) ?? { partitions: 1 };
    return { clientId: own.client.clientId, partition: chargerId.charCodeAt(0) % partitions };
  }

  function eventOf({ incarnationId, ...place }: EventCharger, type: EventName): FeedEvent {
    const sequence = (counts.get(incarnationId) ?? 0) + 1;
    counts.set(incarnationId, sequence);
    const id = `evt_${incarnationId}_${String(sequence)}`;
    return { ...exampleEvent(type), ...place, id, sequence };
  }

  async function writePage(charger: EventCharger, events: readonly FeedEvent[]): Promise<void> {
    const stream = await streamOf(charger);
    const highest = JSON.stringify({ [charger.incarnationId]: counts.get(charger.incarnationId) });
    const page = (await reader.lastPage(stream)) + 1;
    const at = new Date().toISOString();
    const written = { ...stream, page, at, highest, count: events.length, events: JSON.stringify(events) };
    expect(await reports.write(noRows(), [], [written])).toBe('written');
    onStored(written);
  }

  return {
    /** A page of one charger's events. */
    async write(charger: EventCharger, ...types: readonly EventName[]): Promise<FeedEvent[]> {
      const events = types.map((type) => eventOf(charger, type));
      await writePage(charger, events);
      return events;
    },
    /** A page of so many events with this text in their data. */
    async writeLarge(charger: EventCharger, count: number, text: string): Promise<void> {
      const data = { vendorId: 'com.example', messageId: null, data: text };
      const events = Array.from({ length: count }, () => ({ ...eventOf(charger, 'charger.data_transfer'), data }));
      await writePage(charger, events);
    },
    /** As a removal of pages by age leaves it. */
    async removeOldest(charger: EventCharger): Promise<void> {
      const stream = await streamOf(charger);
      const [page] = await reader.pagesAfter({ ...stream, page: (await reader.firstPage(stream)) - 1 }, 1);
      await store.collection(collections.feedPages).delete(eq('_id', feedPageKey(page ?? { ...stream, page: 0 })));
    },
  };
}
