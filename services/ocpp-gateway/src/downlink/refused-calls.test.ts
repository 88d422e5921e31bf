import { createMasker, protocolOf, type CallEnd, type CallResult, type OutgoingCall } from '@busbar/ocpp';
import { createMetrics } from '@busbar/runtime';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import type { Connection } from '../connection/connection';
import { createGatewayMetrics } from '../gateway-metrics';
import { createRefusedCalls } from './refused-calls';
import { createRegistry } from '../connection/registry';

/** Connections that note what is done with them. */
function openFleet(size: number, maxChargers = 20_000) {
  const clock = createFakeClock();
  const registry = createRegistry();
  const logger = createRecordingLogger();
  const state = { ready: true, failing: false, confirmed: 0 };
  const asked: string[] = [];
  const closed: string[] = [];
  /** Outcomes of our CALLs; those that are left out stay without an answer. */
  const outcomes: CallResult[] = [];
  const open = (chargerId: string, over: Partial<Connection> = {}): Connection => {
    const calls = {
      call({ payload }: OutgoingCall, done: (end: CallEnd) => void) {
        const { connectorId, evse } = payload as { connectorId?: number; evse?: { id: number; connectorId: number } };
        const place = evse === undefined ? connectorId : `${String(evse.id)}.${String(evse.connectorId)}`;
        asked.push(place === undefined ? chargerId : `${chargerId}/${String(place)}`);
        const outcome = outcomes.shift();
        if (outcome !== undefined) done({ outcome });
      },
      close: () => undefined,
    };
    const socket = {
      close: (code: number) => void closed.push(`${chargerId} ${String(code)}`),
      // Its peer answers at once.
      once(_event: string, listener: () => void) {
        listener();
      },
    };
    const state = { chargerId, connectionId: `${chargerId} first`, incarnationId: 'i', order: 1, closed: false };
    const connection = {
      ...state,
      protocol: protocolOf('ocpp1.6'),
      calls,
      socket,
      masker: createMasker(),
      ...over,
    } as unknown as Connection;
    registry.add(connection);
    return connection;
  };
  const connections = Array.from({ length: size }, (_, n) => open(`C${String(n)}`));
  const refusals = createRefusedCalls({
    broker: { ready: () => state.ready },
    publisher: { publish: () => undefined, failing: () => state.failing, confirmed: () => state.confirmed },
    registry,
    clock,
    logger,
    metrics: createGatewayMetrics(createMetrics()),
    longOutageMs: 60_000,
    maxChargers,
  });
  refusals.start();
  return {
    clock,
    state,
    asked,
    closed,
    connections,
    refusals,
    outcomes,
    logger,
    open,
    refuse(connections: readonly Connection[], action: string, connectorId = 1) {
      for (const connection of connections) refusals.refused(connection, { action, payload: { connectorId } });
    },
    end(connections: readonly Connection[]) {
      for (const connection of connections) {
        connection.closed = true;
        registry.remove(connection);
      }
    },
  };
}

const STATUS = 'StatusNotification';
const second = (n: number): Partial<Connection> => ({ connectionId: `C${String(n)} second`, order: 2 });

describe('calls refused in an outage', () => {
  it('closes their connection after a long outage where they are transactional, also with a broker that accepts nothing', () => {
    const { clock, state, closed, connections, refuse } = openFleet(2);
    state.failing = true;
    refuse(connections.slice(0, 1), 'MeterValues');
    refuse(connections.slice(1), 'Heartbeat');
    clock.advance(59_000);
    expect(closed).toEqual([]);
    clock.advance(3_000);
    expect(closed).toEqual(['C0 1013']);
  });

  it('starts the time again with each outage', () => {
    const { clock, state, closed, connections, refuse } = openFleet(1);
    state.ready = false;
    refuse(connections, 'StopTransaction');
    clock.advance(40_000);
    state.ready = true;
    clock.advance(2_000);
    state.ready = false;
    clock.advance(40_000);
    expect(closed).toEqual([]);
  });

  it('requests their statuses after the next confirm, 500 chargers at a time', () => {
    const { clock, state, asked, connections, refuse } = openFleet(1_200);
    refuse(connections, STATUS);
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

  it('124. requests the status of each connector of OCPP 2.x, eight at a time, and never without one', () => {
    const { clock, state, asked, refusals, open } = openFleet(0);
    const protocol = protocolOf('ocpp2.1');
    if (protocol === undefined) throw new Error('the version is not there');
    const connection = open('C', { protocol });
    const ids = Array.from({ length: 12 }, (_, n) => n + 1);
    const events = ids.map((id) => ({
      component: { name: 'Connector', evse: { id, connectorId: 1 } },
      variable: { name: 'AvailabilityState' },
    }));
    const notify = (eventData: readonly object[]) => ({ action: 'NotifyEvent', payload: { eventData } });
    refusals.refused(connection, notify(events));
    refusals.refused(connection, { action: STATUS, payload: { evseId: 0, connectorId: 0 } });
    refusals.accepted(connection, notify(events.slice(0, 2)));
    state.confirmed = 1;
    clock.advance(1_000);
    const expected = ids.slice(2).map((id) => `C/${String(id)}.1`);
    expect(asked).toEqual(expected.slice(0, 8));
    clock.advance(60_000);
    expect(asked).toEqual(expected);
  });

  it('requests their status on the next connection', () => {
    const { clock, state, asked, closed, connections, refuse, end, open } = openFleet(1);
    state.ready = false;
    refuse(connections, STATUS);
    refuse(connections, 'StartTransaction');
    clock.advance(62_000);
    expect(closed).toEqual(['C0 1013']);
    end(connections);
    state.ready = true;
    state.confirmed = 1;
    clock.advance(600_000);
    expect(asked).toEqual([]);
    open('C0', second(0));
    // It may report the status without the request.
    clock.advance(10_000);
    expect(asked).toEqual([]);
    clock.advance(60_000);
    expect(asked).toEqual(['C0/1']);
  });

  it('requests the status of their connectors, and of all where they concern the charger or many connectors', () => {
    const { clock, state, asked, connections, refuse } = openFleet(4);
    for (const connectorId of [2, 1, 2]) refuse(connections.slice(0, 1), STATUS, connectorId);
    for (const connectorId of [1, 0]) refuse(connections.slice(1, 2), STATUS, connectorId);
    for (let connectorId = 1; connectorId <= 9; connectorId += 1) refuse(connections.slice(2, 3), STATUS, connectorId);
    refuse(connections.slice(3), STATUS, Number.NaN);
    state.confirmed = 1;
    clock.advance(10_000);
    expect(asked.toSorted()).toEqual(['C0/1', 'C0/2', 'C1', 'C2', 'C3']);
  });

  it('requests no status that the charger has reported since', () => {
    const { clock, state, asked, connections, refusals, refuse, end, open } = openFleet(2);
    for (const connectorId of [1, 2]) refuse(connections, STATUS, connectorId);
    end(connections);
    for (const [n, connectorIds] of [[1], [1, 2]].entries()) {
      const connection = open(`C${String(n)}`, second(n));
      for (const connectorId of connectorIds) {
        refusals.accepted(connection, { action: 'MeterValues', payload: { connectorId: 2 } });
        refusals.accepted(connection, { action: STATUS, payload: { connectorId } });
      }
    }
    state.confirmed = 1;
    clock.advance(60_000);
    expect(asked).toEqual(['C0/2']);
  });

  it('requests a status at most three times where the connection ends', () => {
    const { clock, state, asked, connections, refuse, outcomes } = openFleet(1);
    outcomes.push(...Array.from({ length: 9 }, () => ({ outcome: 'disconnected' as const })));
    refuse(connections, STATUS);
    state.confirmed = 1;
    clock.advance(600_000);
    expect(asked).toEqual(['C0/1', 'C0/1', 'C0/1']);
  });

  it('requests a status again as often as the charger has too many calls that wait', () => {
    const { clock, state, asked, connections, refuse, outcomes } = openFleet(1);
    outcomes.push(...Array.from({ length: 5 }, () => ({ outcome: 'busy' as const })));
    refuse(connections, STATUS);
    state.confirmed = 1;
    clock.advance(600_000);
    expect(asked).toHaveLength(6);
  });

  it.each<CallResult>([
    { outcome: 'timeout' },
    { outcome: 'error', code: 'NotSupported', description: '' },
    { outcome: 'answered', payload: { status: 'Rejected' }, deviations: [] },
  ])('requests a status once where the request arrives: $outcome', (outcome) => {
    const { clock, state, asked, connections, refuse, outcomes } = openFleet(1);
    outcomes.push(outcome);
    refuse(connections, STATUS);
    state.confirmed = 1;
    clock.advance(600_000);
    expect(asked).toEqual(['C0/1']);
  });

  it('does not concern another charger with the same id', () => {
    const { clock, state, asked, connections, refuse, end, open } = openFleet(1);
    refuse(connections, STATUS);
    end(connections);
    open('C0', { ...second(0), incarnationId: 'another' });
    state.confirmed = 1;
    clock.advance(600_000);
    expect(asked).toEqual([]);
  });

  it('forgets them after a day', () => {
    const { clock, state, asked, connections, refuse, end, open } = openFleet(2);
    refuse(connections.slice(0, 1), STATUS);
    clock.advance(60_000);
    refuse(connections.slice(1), STATUS);
    end(connections);
    clock.advance(86_400_000 - 50_000);
    for (const n of [0, 1]) open(`C${String(n)}`, second(n));
    state.confirmed = 1;
    clock.advance(60_000);
    expect(asked).toEqual(['C1/1']);
  });

  it('remembers a limited number of chargers, evicts the oldest, and logs that', () => {
    const { clock, state, asked, connections, refuse, logger } = openFleet(3, 2);
    refuse(connections, STATUS);
    refuse(connections.slice(1, 2), STATUS);
    state.confirmed = 1;
    clock.advance(10_000);
    expect(asked).toEqual(['C2/1', 'C1/1']);
    expect(logger.lines.filter(({ level }) => level === 'warn')).toMatchObject([{ fields: { chargers: 1 } }]);
  });
});
