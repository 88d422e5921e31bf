import { askRunningProcess } from '@busbar/operations';
import { eventually } from '@busbar/testing';
import { openAllInOne, type AllInOneWorld } from './testing/open-all-in-one';

let world: AllInOneWorld;
beforeAll(async () => {
  world = await openAllInOne();
});
afterAll(() => world.close());

describe('a connected charger whose credentials change', () => {
  it('70. is disconnected, and must present the new password', async () => {
    const { id, charger } = await world.connected();
    const reply = await world.v2('PUT', `/chargers/${id}/authentication`, { password: 'a new password' });
    expect(reply.status).toBe(200);
    expect(await charger.waitForClose()).toMatchObject({ code: 1000, reason: 'credentials_changed' });
    await eventually(async () => !(await world.isActive(id)));
    await expect(world.connect(id)).rejects.toMatchObject({ status: 401 });

    const again = await world.connect(id, { password: 'a new password' });
    await eventually(() => world.isActive(id));
    expect((await world.v2('DELETE', `/chargers/${id}/authentication`)).status).toBe(200);
    expect(await again.waitForClose()).toMatchObject({ reason: 'credentials_changed' });
    await (await world.connect(id)).close();
  });

  it('70. is disconnected by the admin command line too', async () => {
    const { id, charger } = await world.connected();
    const words = ['charger', 'authentication', 'set', id, '--password', 'another password'];
    expect((await askRunningProcess(world.directory, words))?.lines).toContain('its open connection is closed');
    expect(await charger.waitForClose()).toMatchObject({ reason: 'credentials_changed' });
  });
});
