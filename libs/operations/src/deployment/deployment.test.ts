import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { channels } from '@busbar/contracts';
import { systemClock } from '@busbar/core';
import { createPlatform, type Platform } from '@busbar/runtime';
import { createRecordingLogger, eventually } from '@busbar/testing';
import { createDeployment, type Deployment } from './deployment';

const NOW = '2026-01-31T12:00:00.000Z';
const PARTITIONS = 4;
const ENVELOPE = {
  v: 1,
  id: 'one',
  kind: 'report',
  chargerId: 'ACME_1',
  incarnationId: 'i',
  connectionId: 'c',
  gatewayId: 'g',
  order: 3,
  seq: 7,
  ocppVersion: 'ocpp1.6',
  action: 'Heartbeat',
  messageId: 'm',
  payload: {},
  raw: '[2,"m","Heartbeat",{}]',
  receivedAt: NOW,
};
const LETTER = { deadLetterId: 'one', chargerId: 'ACME_1', action: 'Heartbeat', reason: 'x', at: NOW };

let directory: string;
let platform: Platform;
let deployment: Deployment;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'deployment-'));
  platform = createPlatform({
    brokerUrl: 'memory:',
    storeUrl: `file:${directory}`,
    logger: createRecordingLogger(),
    clock: systemClock,
    partitions: PARTITIONS,
  });
  deployment = createDeployment({
    ...platform,
    clock: systemClock,
    self: { service: 'busbar', program: '1.2.3', schema: 1 },
  });
  await platform.start();
  await deployment.start();
  await platform.broker.declareQueue(channels.reports, PARTITIONS);
});
afterEach(async () => {
  await deployment.stop();
  await platform.stop();
  await rm(directory, { recursive: true });
});

it('replays a dead letter into the queue of its charger, and removes it', async () => {
  const published: unknown[] = [];
  for (let partition = 0; partition < PARTITIONS; partition += 1) {
    await platform.broker.consume(channels.reports, partition, { maxBatch: 1 }, (deliveries) => {
      for (const { body } of deliveries) published.push(body);
      return Promise.resolve();
    });
  }
  const letter = { ...LETTER, report: JSON.stringify(ENVELOPE) };
  await deployment.deadLetters.insert(letter);
  await deployment.replay(letter);
  expect(published).toMatchObject([{ reports: [{ id: 'one', replayed: true }] }]);
  expect(await deployment.deadLetters.count()).toBe(0);
});

it('keeps an unreadable dead letter that cannot be replayed', async () => {
  const letter = { ...LETTER, chargerId: '', report: 'x' };
  await deployment.deadLetters.insert(letter);
  await expect(deployment.replay(letter)).rejects.toMatchObject({ code: 'invalid_request' });
  expect(await deployment.deadLetters.find('one')).toMatchObject(letter);
});

it('shows gateways with their sockets, replicas with their partitions, and push with what waits', async () => {
  const { broker } = platform;
  broker.broadcast(channels.leases, { gatewayId: 'gw_1', sockets: 7, schema: 1, program: '1.2.3' });
  broker.broadcast(channels.replicas, { replicaId: 'older', state: 'here', at: NOW });
  for (const replicaId of ['r_1', 'r_2', 'r_3'])
    broker.broadcast(channels.replicas, { replicaId, state: 'here', at: NOW, reads: 2 });
  broker.broadcast(channels.replicas, { replicaId: 'r_3', state: 'leaving', at: NOW });
  for (const [replicaId, waiting] of [['p_1', 3] as const, ['p_2', 4] as const])
    broker.broadcast(channels.pushReplicas, { replicaId, state: 'here', at: NOW, waiting });
  broker.broadcast(channels.pushReplicas, { replicaId: 'p_2', state: 'leaving', at: NOW });
  const report = await eventually(async () => {
    const found = await deployment.processes();
    return found.gateways.length === 1 && found.chargerState.length === 3 && found.push.length === 1 && found;
  });
  expect(report.gateways).toMatchObject([{ gatewayId: 'gw_1', sockets: 7, chargers: 0, isDead: false }]);
  expect(report.chargerState.map(({ replicaId }) => replicaId)).toEqual(['older', 'r_1', 'r_2']);
  // Replicas that read older messages own nothing beside newer ones.
  expect(report.chargerState[0]?.partitions).toEqual([]);
  expect(report.chargerState.flatMap(({ partitions }) => partitions).toSorted()).toEqual([0, 1, 2, 3]);
  expect(report.push).toEqual([{ replicaId: 'p_1', waiting: 3 }]);
  expect(report.partitions.map(({ depth }) => depth)).toEqual([0, 0, 0, 0]);
  expect(report.processes).toMatchObject([{ service: 'busbar', program: '1.2.3', schema: 1 }]);
  expect(report).toMatchObject({ storeReachable: true, brokerReachable: true });
});
