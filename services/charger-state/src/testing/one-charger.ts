import type { Charger } from '@busbar/domain/chargers';
import { openWorld, type ChargerStateWorld, type FakeConnection } from './open-world';

export interface OneCharger {
  readonly world: ChargerStateWorld;
  readonly charger: Charger;
  readonly connection: FakeConnection;
}

/** Opens one world for the tests of a file or block; gives each test a connected charger of its own in it. */
export function eachWithCharger(assign: (its: OneCharger) => void): void {
  let world: ChargerStateWorld;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    const charger = await world.register();
    assign({ world, charger, connection: await world.connect(charger) });
  });
}
