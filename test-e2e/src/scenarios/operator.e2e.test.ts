// What an operator of the deployment sees, and imports of tags, on the stores and brokers of both ways of running.
import { eventually } from '@busbar/testing';
import { asNewClient, asOperator } from '../harness/clients';
import { inBothWorlds } from '../harness/in-both-worlds';
import { connect, registerCharger, uniqueId, v2 } from '../harness/world';

interface Processes {
  readonly gateways: readonly { readonly id: string; readonly chargers: number; readonly sockets: number | null }[];
  readonly chargerState: readonly { readonly partitions: readonly number[] }[];
  readonly partitions: readonly { readonly depth: number | null }[];
  readonly processes: readonly { readonly service: string }[];
}

inBothWorlds((world) => {
  it('shows an operator the gateways, partitions and processes, and no client', async () => {
    const operator = await asOperator(world(), ['tags:read']);
    const { chargerId } = await registerCharger(world());
    const charger = await connect(world(), chargerId);
    await charger.boot();
    const report = await eventually(async () => {
      const found = (await v2(operator, '/operator/processes')).json as Processes;
      const owned = found.chargerState.flatMap(({ partitions }) => partitions);
      const isComplete = found.gateways.some(({ sockets, chargers }) => (sockets ?? 0) > 0 && chargers > 0);
      return isComplete && owned.length === 16 && found;
    }, 40_000);
    expect(report.partitions).toHaveLength(16);
    expect(report.partitions.every(({ depth }) => depth !== null)).toBe(true);
    expect(report).toMatchObject({ storeReachable: true, brokerReachable: true });
    const services = report.processes.map(({ service }) => service);
    expect(services).toEqual(
      expect.arrayContaining(world().kind === 'one process' ? ['busbar'] : ['v2-api', 'charger-state']),
    );
    expect((await v2(operator, '/operator/dead-letters')).status).toBe(200);
    expect((await v2(operator, '/chargers')).status).toBe(403);
    for (const path of ['/operator/processes', '/operator/dead-letters'])
      expect((await v2(world(), path)).status).toBe(403);
    charger.terminate();
  }, 90_000);

  it('imports tags, and changes those that exist', async () => {
    const client = await asNewClient(world(), 'Importer');
    const word = uniqueId('t');
    const rows = Array.from({ length: 1_200 }, (_, n) => ({ idTag: `${word}_${String(n)}`, tokenName: 'Car' }));
    const send = (tags: readonly object[]) => v2(client, '/tags/import', { method: 'POST', body: { tags } });
    expect((await send(rows)).json).toEqual({ created: 1_200, changed: 0, unchanged: 0 });
    const more = [{ ...rows[0], blocked: true }, rows[1] ?? {}, { idTag: `${word}_new` }];
    expect((await send(more)).json).toEqual({ created: 1, changed: 1, unchanged: 1 });
    expect((await v2(client, `/tags/${word}_0`)).json).toMatchObject({ blocked: true, tokenName: 'Car' });
    expect((await v2(client, '/tags?limit=1')).json).toMatchObject({ totalRecords: 1_201 });
    expect((await send([{ idTag: 'ok' }, { idTag: ' no' }])).status).toBe(400);
    expect((await v2(client, '/tags/ok')).status).toBe(404);
  }, 60_000);
});
