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

describe("the watch on the driver's monitor", () => {
  it.each(['serverHeartbeatSucceeded', 'serverHeartbeatFailed'])('ignores a check that ends with %s', (event) => {
    const { clock, client, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    client.emit(event, { connectionId: 'a' });
    clock.advance(10 * STUCK_MS);
    expect(stuck()).toBe(0);
  });

  it('reports a check that never ends, after the time limit', () => {
    const { clock, client, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    clock.advance(STUCK_MS);
    expect(stuck()).toBe(0);
    clock.advance(1_000);
    expect(stuck()).toBe(1);
  });

  it('ignores an open check of a server that is no longer monitored', () => {
    const { clock, client, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    client.emit('serverClosed', { address: 'a' });
    clock.advance(10 * STUCK_MS);
    expect(stuck()).toBe(0);
  });

  it('ignores an open check after the client is detached', () => {
    const { clock, client, watch, stuck } = open();
    client.emit('serverHeartbeatStarted', { connectionId: 'a' });
    watch.detach();
    clock.advance(10 * STUCK_MS);
    expect(stuck()).toBe(0);
    expect(client.eventNames()).toEqual([]);
  });
});
