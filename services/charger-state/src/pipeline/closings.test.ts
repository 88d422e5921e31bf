import { createMemoryBroker } from '@busbar/broker';
import { channels, type ReportEnvelope } from '@busbar/contracts';
import { createId } from '@busbar/core';
import { toTimestamp } from '@busbar/domain';
import { type Charger } from '@busbar/domain/chargers';
import { createPresenceStore } from '@busbar/store';
import { createFakeClock, createRecordingLogger, eventually } from '@busbar/testing';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';
import { createClosings } from './closings';

describe('a connection that must close', () => {
  const gatewayId = 'a gateway';

  async function openClosings(isDead: (gatewayId: string) => Promise<boolean>) {
    const clock = createFakeClock();
    const broker = createMemoryBroker({ clock });
    await broker.start();
    let asked = 0;
    const closings = createClosings({
      clock,
      logger: createRecordingLogger(),
      isDead,
      broker: { ...broker, request: (...args) => ((asked += 1), broker.request(...args)) },
    });
    const connection = { connectionId: createId(), gatewayId, order: 1 };
    const report = { ...connection, kind: 'report', chargerId: 'c' } as ReportEnvelope;
    return {
      broker,
      asked: () => asked,
      /** The charger is deleted, so that its connection must close. */
      follow: () => closings.follow([{ report, charger: undefined, isNew: false }]),
      second: () => clock.advance(1_000),
      async close() {
        closings.stop();
        await broker.stop();
      },
    };
  }

  it('is requested once where its gateway is dead, by the store alone', async () => {
    const questions: string[] = [];
    const world = await openClosings((id) => Promise.resolve(questions.push(id) > 0));
    world.follow();
    await eventually(() => questions.length === 1);
    // The first request is complete: a new report causes a new one.
    await eventually(() => (world.follow(), world.asked() === 2));
    expect(questions[0]).toBe(gatewayId);
    await world.close();
  });

  it('is requested again while its gateway may live, also while the store is unavailable, until it is answered', async () => {
    let questions = 0;
    const world = await openClosings(() => ((questions += 1), Promise.reject(new Error('the store is unavailable'))));
    world.follow();
    await eventually(() => (world.second(), questions >= 3));
    let answered = 0;
    await world.broker.respond(channels.closings, gatewayId, () =>
      Promise.resolve(((answered += 1), { connectionId: '', wasOpen: true })),
    );
    await eventually(() => (world.second(), answered === 1));
    await world.close();
  });
});

describe('many connections that must close at a gateway that does not listen', () => {
  const gatewayId = 'a gateway';
  const MANY = 500;

  async function openMany() {
    const clock = createFakeClock();
    const broker = createMemoryBroker({ clock });
    await broker.start();
    let asked = 0;
    let dead = false;
    const closings = createClosings({
      clock,
      logger: createRecordingLogger(),
      isDead: () => Promise.resolve(dead),
      broker: { ...broker, request: (...args) => ((asked += 1), broker.request(...args)) },
    });
    const ids = Array.from({ length: MANY }, () => createId());
    const follow = (from: number, to: number): void => {
      for (const connectionId of ids.slice(from, to)) {
        const report = { connectionId, gatewayId, order: 1, kind: 'report', chargerId: 'c' } as ReportEnvelope;
        closings.follow([{ report, charger: undefined, isNew: false }]);
      }
    };
    follow(0, 1);
    await eventually(() => asked === 1);
    await eventually(() => (clock.advance(1_000), asked === 2));
    follow(1, MANY);
    return {
      clock,
      broker,
      ids,
      follow,
      asked: () => asked,
      die: () => (dead = true),
      async close() {
        closings.stop();
        await broker.stop();
      },
    };
  }

  it('requests one of them until the gateway listens, and then all', async () => {
    const world = await openMany();
    await eventually(() => (world.clock.advance(1_000), world.asked() === 12));
    const closed = new Set<string>();
    await world.broker.respond(channels.closings, gatewayId, ({ connectionId }) =>
      Promise.resolve((closed.add(connectionId), { connectionId, wasOpen: true })),
    );
    await eventually(() => (world.clock.advance(1_000), closed.size === MANY));
    await world.close();
  });

  it('drops them together when the gateway is dead', async () => {
    const world = await openMany();
    world.die();
    // Dropped: a new report causes a new request of each.
    await eventually(() => (world.clock.advance(1_000), world.follow(0, MANY), world.asked() >= MANY));
    await world.close();
  });
});

describe('connections of a gateway that was killed', () => {
  let world: ChargerStateWorld;
  let charger: Charger;
  beforeAll(async () => {
    world = await openWorld();
    charger = await world.register();
  });
  afterAll(() => world.close());

  it('leaves none in the record when its death is known, also from before this replica started', async () => {
    const killed = createId();
    await world.connect(charger, { gatewayId: killed });
    const connection = await world.connect(charger);
    expect((await world.read(charger)).connection.replaced).toMatchObject([{ gatewayId: killed }]);
    const longAgo = toTimestamp(new Date(Date.now() - 3_600_000));
    await createPresenceStore(world.platform.store).markDead(killed, longAgo);
    await world.restart();
    // Announced again, as after each reconnect of its gateway to the broker: nothing new replaces the remembered
    // connection.
    await eventually(async () => {
      await connection.send('connected');
      return (await world.read(charger)).connection.replaced === null;
    });
  });
});
