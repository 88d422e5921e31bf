import { EventEmitter } from 'node:events';

import { createFakeClock } from '@busbar/testing';
import type { mongo } from 'mongoose';

import { createMonitorWatch, STUCK_MS } from './monitor-watch';

function open() {
  const clock = createFakeClock();
  const client = new EventEmitter();
  let stuck = 0;
  const watch = createMonitorWatch(clock, () => (stuck += 1));
  watch.attach(client as unknown as mongo.MongoClient);
  return { clock, client, watch, stuck: () => stuck };
}

describe("a check of the driver's monitor", () => {
  it.each(['serverHeartbeatSucceeded', 'serverHeartbeatFailed'])(
    'that ends with %s is none to worry about',
    (event) => {
      const { clock, client, stuck } = open();
      client.emit('serverHeartbeatStarted', { connectionId: 'a' });
      client.emit(event, { connectionId: 'a' });
      clock.advance(10 * STUCK_MS);
      expect(stuck()).toBe(0);
    },
  );

  it('that never ends is told, but not before its time', () => {
    const { clock, client, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    clock.advance(STUCK_MS);
    expect(stuck()).toBe(0);
    clock.advance(1_000);
    expect(stuck()).toBe(1);
  });

  it('of a server that is no longer looked at may stay open', () => {
    const { clock, client, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    client.emit('serverClosed', { address: 'a' });
    clock.advance(10 * STUCK_MS);
    expect(stuck()).toBe(0);
  });

  it('is nobody’s business after the client was let go', () => {
    const { clock, client, watch, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    watch.detach();
    clock.advance(10 * STUCK_MS);
    expect(stuck()).toBe(0);
    expect(client.eventNames()).toEqual([]);
  });
});
