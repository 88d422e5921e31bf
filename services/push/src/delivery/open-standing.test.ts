import { HEALTHY, type DeliveryProgress, type Webhook, type WebhookStanding } from '@busbar/domain/webhooks';
import { webhookOf } from '../testing/webhook';
import { hasPassed, isDone, openStanding } from './open-standing';

const IDENTITY = { generation: 'g', partitions: 1 };
const NOW = new Date('2026-01-31T12:00:00Z');
const NEWEST = [7, 2];
const begin = { id: 'b1', generation: 'g', position: { pages: [3, 0], next: 0, taken: 5 } };
const webhook = (over: Partial<Webhook> = {}) => webhookOf({ begin, ...over });

const open = (stored: WebhookStanding | undefined, over: Partial<Webhook> = {}, identity = IDENTITY) =>
  openStanding(webhook(over), { stored, identity, newest: NEWEST, now: NOW });

it('begins where its owner lets it begin', () => {
  expect(open(undefined)).toMatchObject({
    revision: 0,
    beginId: 'b1',
    generation: 'g',
    progress: { pages: [3, 0], taken: [5, 0], above: [], deferred: [] },
    replay: null,
    gap: null,
  });
});

const stored = (over: Partial<WebhookStanding> = {}): WebhookStanding => ({
  ...open(undefined),
  revision: 4,
  progress: { pages: [6, 1], taken: [2, 0], above: [], deferred: [] },
  ...over,
});

it('continues where it stood', () => {
  expect(open(stored())).toEqual(stored());
});

it('begins anew with another id of its begin, and keeps its health', () => {
  const health = { ...HEALTHY, lastSuccessMs: 5 };
  const opened = open(stored({ health, gap: { from: 'a', to: 'b' } }), { begin: { ...begin, id: 'b2' } });
  expect(opened).toMatchObject({
    revision: 4,
    beginId: 'b2',
    progress: { pages: [3, 0], taken: [5, 0] },
    health,
    gap: null,
  });
});

it('remembers for a replay with an end what was done before', () => {
  const until = '2026-01-30T00:00:00.000Z';
  const opened = open(stored(), { begin: { ...begin, id: 'b2', until } });
  expect(opened.replay).toEqual({ until, progress: stored().progress });
});

it('forgets why it was disabled when its owner enables it', () => {
  const health = { ...HEALTHY, status: 'disabled', statusReason: 'gone', lastSuccessMs: 5 } as const;
  const opened = open(stored({ health, activation: 1 }), { activation: 2 });
  expect(opened).toMatchObject({ activation: 2, health: { status: 'active', statusReason: null, lastSuccessMs: 5 } });
});

it('begins at the end of a feed that was restored, and shows the gap', () => {
  const lastDeliveryAt = '2026-01-31T11:00:00.000Z';
  const opened = open(stored({ lastDeliveryAt }), {}, { ...IDENTITY, generation: 'restored' });
  expect(opened).toMatchObject({
    generation: 'restored',
    progress: { pages: NEWEST, taken: [0, 0], deferred: [] },
    gap: { from: lastDeliveryAt, to: NOW.toISOString() },
  });
});

describe('what was done', () => {
  const deferred = { chargerId: 'a', eventId: null, attempts: 0, firstStartedMs: 0, nextAttemptMs: 0, messages: 0 };
  const progress: DeliveryProgress = {
    pages: [6],
    taken: [2],
    above: [{ partition: 0, page: 7, index: 4 }],
    deferred: [{ partition: 0, page: 5, index: 1, ...deferred }],
  };
  it.each<[number, number, string, boolean]>([
    [6, 9, 'b', true],
    [7, 1, 'b', true],
    [7, 2, 'b', false],
    [7, 4, 'b', true],
    [5, 0, 'a', true],
    [5, 1, 'a', false],
    [6, 0, 'a', false],
  ])('is known of page %i, index %i, charger %s: %s', (page, index, chargerId, expected) => {
    expect(isDone(progress, { partition: 0, page, index, chargerId }, 'charger')).toBe(expected);
  });

  it('is no concern any more behind it', () => {
    expect(hasPassed({ ...progress, pages: [6] }, progress)).toBe(false);
    expect(hasPassed({ ...progress, pages: [7] }, progress)).toBe(true);
  });
});
