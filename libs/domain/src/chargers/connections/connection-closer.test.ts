import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import type { Charger, ChargerConnection } from '../charger';
import type { ConnectionToClose } from '../../commands/charger-link';
import { newCharger } from '../../testing/charger';
import { createConnectionCloser } from './connection-closer';

type Result = 'closed' | 'not_here' | 'unreachable';

function chargerWith(connection: Partial<ChargerConnection>): Charger {
  const base = { active: true, gatewayId: 'g1', connectionId: 'c1', position: [5, 1] as const };
  return newCharger({ clientId: 'acme', incarnationId: 'i1', connection: { ...base, ...connection } });
}

function openWorld(charger: Charger) {
  const clock = createFakeClock();
  const logger = createRecordingLogger();
  const asked: ConnectionToClose[] = [];
  const world = {
    clock,
    logger,
    asked,
    stored: charger as Charger | undefined,
    lastOrder: 5,
    result: 'closed' as Result,
    dead: false,
    // Time moves only when something waits for it.
    pass: () => clock.advance(1_000),
  };
  const closer = createConnectionCloser({
    chargers: {
      find: () => Promise.resolve(world.stored),
      lastOrder: () => Promise.resolve(world.lastOrder),
    },
    gateways: { isDead: () => Promise.resolve(world.dead) },
    link: {
      close(connection) {
        asked.push(connection);
        return Promise.resolve(world.result);
      },
    },
    clock,
    logger,
  });
  return { ...world, world, closer };
}

describe('the connection closer', () => {
  it('70. orders the gateway in the record to close, once when it succeeds', async () => {
    const charger = chargerWith({});
    const { closer, asked, pass } = openWorld(charger);
    await closer.close(charger, 'credentials_changed');
    pass();
    const { chargerId } = charger;
    expect(asked).toEqual([{ gatewayId: 'g1', chargerId, connectionId: 'c1', reason: 'credentials_changed' }]);
  });

  it('70. closes a connection that was admitted before the change and is recorded after it', async () => {
    const charger = chargerWith({ active: false, position: [4, 9] });
    const { world, closer, asked, pass } = openWorld(charger);
    await closer.close(charger, 'credentials_changed');
    expect(asked).toEqual([]);
    world.stored = chargerWith({ gatewayId: 'g2', connectionId: 'c2' });
    await eventually(() => {
      pass();
      return asked.length === 1;
    });
    expect(asked).toMatchObject([{ gatewayId: 'g2', connectionId: 'c2' }]);
  });

  it('70. leaves a connection alone that was admitted after the change', async () => {
    const charger = chargerWith({});
    const { world, closer, asked } = openWorld(charger);
    world.stored = chargerWith({ connectionId: 'c2', position: [6, 1] });
    await closer.close(charger, 'credentials_changed');
    expect(asked).toEqual([]);
  });

  it('70. reads the record again when the gateway does not have the charger', async () => {
    const charger = chargerWith({});
    const { world, closer, asked, pass } = openWorld(charger);
    world.result = 'not_here';
    await closer.close(charger, 'credentials_changed');
    world.stored = chargerWith({ gatewayId: 'g2' });
    world.result = 'closed';
    await eventually(() => {
      pass();
      return asked.length === 2;
    });
    expect(asked.map(({ gatewayId }) => gatewayId)).toEqual(['g1', 'g2']);
  });

  it('70. uses the last record of a deleted charger while its gateway is unreachable, until that is dead', async () => {
    const charger = chargerWith({});
    const { world, closer, asked, pass } = openWorld(charger);
    world.stored = undefined;
    world.result = 'unreachable';
    await closer.close(charger, 'deleted');
    await eventually(() => {
      pass();
      return asked.length >= 3;
    });
    world.dead = true;
    // One attempt may be in flight, and one more finds the gateway dead.
    const most = asked.length + 1;
    for (let i = 0; i < 10; i += 1) {
      pass();
      await new Promise(setImmediate);
    }
    expect(asked.length).toBeLessThanOrEqual(most);
  });

  it('70. gives up, and logs it, when the broker stays unavailable', async () => {
    const charger = chargerWith({});
    const { world, closer, logger, pass } = openWorld(charger);
    world.result = 'unreachable';
    await closer.close(charger, 'credentials_changed');
    await eventually(() => {
      pass();
      return logger.lines.some(({ level }) => level === 'warn');
    });
  });
});
