import { EventEmitter } from 'node:events';
import { createRecordingLogger } from '@busbar/testing';
import type { Connection } from './connection';
import { createRegistry } from './registry';
import { createRevocations } from './revocations';

const closed: string[] = [];

function connectionOf(chargerId: string, serialNumber?: string): Connection {
  const socket = Object.assign(new EventEmitter(), {
    close(code: number) {
      closed.push(`${chargerId} ${String(code)}`);
      queueMicrotask(() => socket.emit('close'));
    },
  });
  const certificate = serialNumber === undefined ? undefined : { issuer: 'CN=Root', serialNumber };
  return { chargerId, connectionId: chargerId, order: 1, certificate, socket } as unknown as Connection;
}

it('closes open and new connections whose certificate is revoked', () => {
  const registry = createRegistry();
  const revocations = createRevocations(registry, createRecordingLogger());
  for (const connection of [connectionOf('REVOKED', '1'), connectionOf('OTHER', '2'), connectionOf('WITHOUT')]) {
    registry.add(connection);
    revocations.inspect(connection);
  }
  expect(closed).toEqual([]);
  revocations.apply(({ serialNumber }) => serialNumber === '1');
  expect(closed).toEqual(['REVOKED 1008']);
  revocations.inspect(connectionOf('LATE', '1'));
  revocations.inspect(connectionOf('LATER', '3'));
  expect(closed).toEqual(['REVOKED 1008', 'LATE 1008']);
});
