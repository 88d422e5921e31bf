import { exampleEvent, type FeedEvent } from '@busbar/contracts';
import type { Charger } from '@busbar/domain/chargers';
import { eventOwnerOf } from '@busbar/domain/feed';
import { newCharger, storedChargers } from '@busbar/domain/testing';
import { PUSH_KINDS, type PushedCharger } from '@busbar/domain/webhooks';
import { createFakeClock } from '@busbar/testing';
import { createFormats } from './formats';

const WEBHOOK = { webhookId: 'wh_1', clientId: 'client', description: 'Billing', types: PUSH_KINDS };
const BOOTED = exampleEvent('charger.booted');
const SECONDS = 1_000;

function world(...chargers: readonly Charger[]) {
  const clock = createFakeClock();
  const stored = storedChargers(...chargers);
  let reads = 0;
  let isUnavailable = false;
  const reader = {
    findOwned: (clientId: string, chargerId: string) => {
      reads += 1;
      if (isUnavailable) return Promise.reject(new Error('unavailable'));
      return stored.findOwned(clientId, chargerId);
    },
  };
  const deleted = new Map<string, PushedCharger>();
  const formats = createFormats({
    chargers: reader,
    deleted: { find: (...key) => Promise.resolve(deleted.get(key.join('/'))) },
    clock,
  });
  return {
    clock,
    deleted,
    stored,
    formats,
    reads: () => reads,
    fail: (fails: boolean) => void (isUnavailable = fails),
    pushed: (event: FeedEvent = BOOTED, webhook = WEBHOOK) => formats['push-v2'](event, 'as in the feed', webhook),
  };
}

/** The incarnation of the example events. */
const INCARNATION = eventOwnerOf(BOOTED.id) ?? '';

function chargerWith(pushIntegrationEnabled: boolean, chargerId = 'ACME-17', incarnationId = INCARNATION): Charger {
  return newCharger({ chargerId, incarnationId, registered: { pushIntegrationEnabled } });
}

it('sends the event as it is in the feed in the standard format, of any charger and without reading it', async () => {
  const { formats, reads } = world();
  const [message, ...others] = await formats.standard(BOOTED, 'as in the feed', WEBHOOK);
  expect(message).toMatchObject({ id: BOOTED.id, body: 'as in the feed', headers: { 'ce-id': BOOTED.id } });
  expect(others).toEqual([]);
  expect(reads()).toBe(0);
});

it('makes messages of v1 and of v2 for a charger whose owner enabled them', async () => {
  const { formats } = world(chargerWith(true));
  const [v1] = await formats['push-v1'](BOOTED, '', WEBHOOK);
  const [v2] = await formats['push-v2'](BOOTED, '', WEBHOOK);
  expect(v1?.body).toContain('"timeStamp"');
  expect(v2?.body).toContain('"receivedTimestamp"');
});

it('makes push messages of what waits for a charger that was deleted since', async () => {
  const { deleted, pushed } = world(chargerWith(false, 'ACME-17', '01J9Z3N5V7C8R2K4M6P8Q0S2T5'));
  deleted.set(`client/${INCARNATION}`, chargerWith(true).registered);
  expect(await pushed()).toHaveLength(1);
});

it.each<[string, readonly Charger[]]>([
  ['a charger whose owner did not enable them', [chargerWith(false)]],
  ['a charger that was deleted, and was not pushed', []],
  ['a charger that was registered after another one of its id', [chargerWith(true, 'ACME-17', 'I2')]],
  ['a charger that another client has now', [{ ...chargerWith(true), clientId: 'other' }]],
])('makes no push message for %s', async (_name, chargers) => {
  expect(await world(...chargers).pushed()).toEqual([]);
});

it('keeps clients apart in its cache', async () => {
  const { pushed } = world(chargerWith(true));
  expect(await pushed(BOOTED)).toHaveLength(1);
  expect(await pushed(BOOTED, { ...WEBHOOK, clientId: 'other' })).toEqual([]);
});

it('reads a charger once for the events of three seconds, also those at the same time', async () => {
  const { pushed, reads, clock } = world(chargerWith(true));
  await Promise.all([pushed(), pushed(), pushed()]);
  clock.advance(2_999);
  await pushed();
  expect(reads()).toBe(1);
  clock.advance(1);
  await pushed();
  expect(reads()).toBe(2);
});

it('follows a change of the registration after three seconds', async () => {
  const { pushed, stored, clock } = world(chargerWith(false));
  expect(await pushed()).toEqual([]);
  stored.all.set('ACME-17', chargerWith(true));
  clock.advance(3 * SECONDS);
  expect(await pushed()).toHaveLength(1);
});

it('rejects while the store is unavailable, and reads again with the next event', async () => {
  const { pushed, fail } = world(chargerWith(true));
  fail(true);
  await expect(pushed()).rejects.toThrow('unavailable');
  fail(false);
  expect(await pushed()).toHaveLength(1);
});

it('sends a test of the webhook as it is in the feed', async () => {
  const event = exampleEvent('webhook.test');
  expect(await world().pushed(event)).toEqual([{ id: event.id, body: 'as in the feed', headers: {} }]);
});
