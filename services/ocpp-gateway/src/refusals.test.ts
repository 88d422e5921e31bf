import { createMetrics } from '@busbar/runtime';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import type { Connection } from './connection';
import { createGatewayMetrics } from './gateway-metrics';
import { createRefusals } from './refusals';
import { createRegistry } from './registry';

/** Connections that note what is done with them. */
function openFleet(size: number) {
  const clock = createFakeClock();
  const registry = createRegistry();
  const state = { ready: true, failing: false, confirmed: 0 };
  const asked: string[] = [];
  const closed: string[] = [];
  const connections = Array.from({ length: size }, (_, n) => {
    const chargerId = `C${String(n)}`;
    const connection = {
      chargerId,
      closed: false,
      calls: { call: () => void asked.push(chargerId), close: () => undefined },
      socket: {
        close: (code: number) => void closed.push(`${chargerId} ${String(code)}`),
        // Its peer answers at once.
        once(_event: string, listener: () => void) {
          listener();
        },
      },
    } as unknown as Connection;
    registry.add(connection);
    return connection;
  });
  const refusals = createRefusals({
    broker: { ready: () => state.ready },
    publisher: { publish: () => undefined, failing: () => state.failing, confirmed: () => state.confirmed },
    registry,
    clock,
    logger: createRecordingLogger(),
    metrics: createGatewayMetrics(createMetrics()),
    awayLongMs: 60_000,
  });
  refusals.start();
  return { clock, state, asked, closed, connections, refusals };
}

describe('what was refused in an outage', () => {
  it('closes sockets with a refused transaction also when the broker is there and takes nothing', () => {
    const { clock, state, closed, connections, refusals } = openFleet(2);
    state.failing = true;
    for (const connection of connections.slice(0, 1)) refusals.refused(connection, 'MeterValues');
    for (const connection of connections.slice(1)) refusals.refused(connection, 'Heartbeat');
    clock.advance(59_000);
    expect(closed).toEqual([]);
    clock.advance(3_000);
    expect(closed).toEqual(['C0 1013']);
  });

  it('is counted anew for each outage', () => {
    const { clock, state, closed, connections, refusals } = openFleet(1);
    state.ready = false;
    for (const connection of connections) refusals.refused(connection, 'StopTransaction');
    clock.advance(40_000);
    state.ready = true;
    clock.advance(2_000);
    state.ready = false;
    clock.advance(40_000);
    expect(closed).toEqual([]);
  });

  it('has statuses asked for only when something was confirmed after it, so many at a time', () => {
    const { clock, state, asked, connections, refusals } = openFleet(1_200);
    for (const connection of connections) refusals.refused(connection, 'StatusNotification');
    clock.advance(10_000);
    expect(asked).toEqual([]);
    state.confirmed = 1;
    clock.advance(1_000);
    expect(asked).toHaveLength(500);
    clock.advance(2_000);
    expect(asked).toHaveLength(1_200);
    clock.advance(10_000);
    expect(new Set(asked).size).toBe(1_200);
    expect(asked).toHaveLength(1_200);
  });

  it('is forgotten for sockets that are gone', () => {
    const { clock, state, asked, connections, refusals } = openFleet(2);
    for (const connection of connections) refusals.refused(connection, 'StatusNotification');
    const [gone] = connections;
    if (gone) gone.closed = true;
    state.confirmed = 1;
    clock.advance(1_000);
    expect(asked).toEqual(['C1']);
  });
});
