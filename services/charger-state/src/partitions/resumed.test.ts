import { createId } from '@busbar/core';
import type { Charger } from '@busbar/domain/chargers';
import { openWorld, type ChargerStateWorld } from '../testing/open-world';

describe('a partition that another replica consumed meanwhile', () => {
  let world: ChargerStateWorld;
  let charger: Charger;
  beforeAll(async () => {
    world = await openWorld({ openCharging: true });
    charger = await world.register();
  });
  afterAll(() => world.close());

  it('continues with the records of that replica: a session has the command that began it', async () => {
    const connection = await world.connect(charger);
    await connection.report('Heartbeat', {});
    const other = await world.otherReplica();
    await world.queues.lose();
    const commandId = createId();
    const request = { idTag: 'TAG', connectorId: 1 };
    await connection.outcome('RemoteStartTransaction', request, { status: 'Accepted' }, { commandId });
    expect((await world.read(charger)).reported.awaitedStarts).toHaveLength(1);

    await world.queues.regain();
    await other.queues.lose();
    await connection.ask('StartTransaction', {
      connectorId: 1,
      idTag: 'TAG',
      meterStart: 0,
      timestamp: new Date().toISOString(),
    });
    expect(await world.sessions(charger)).toMatchObject([{ idTag: 'TAG', commandId }]);
    await other.queues.regain();
  });
});
