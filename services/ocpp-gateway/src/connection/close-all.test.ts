import { EventEmitter } from 'node:events';
import { createFakeClock } from '@busbar/testing';
import { closeAll } from './close-all';
import type { Connection } from './connection';

/** Sockets that record their close codes; those of half-open peers end only when they are terminated. */
function openFleet(size: number, isHalfOpen: (n: number) => boolean) {
  const clock = createFakeClock();
  const closed: number[] = [];
  const sockets = Array.from({ length: size }, (_, n) => {
    const socket = new EventEmitter();
    const close = (code: number) => {
      closed.push(code);
      if (!isHalfOpen(n)) setImmediate(() => socket.emit('close'));
    };
    return Object.assign(socket, { close, terminate: () => void socket.emit('close') });
  });
  const connections = sockets.map((socket) => ({ socket, closed: false }) as unknown as Connection);
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50);
      await turn();
      await turn();
    }
  };
  return { clock, closed, sockets, connections, pass };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('closeAll', () => {
  it('closes at most 200 sockets at a time', async () => {
    const { clock, closed, connections } = openFleet(500, () => false);
    const closing = closeAll(connections, clock);
    expect(closed).toHaveLength(200);
    await closing;
    expect(closed).toEqual(Array.from({ length: 500 }, () => 1001));
  });

  it('closes ten thousand half-open sockets within ten seconds', async () => {
    const { clock, closed, sockets, connections, pass } = openFleet(10_000, () => true);
    let ended = false;
    const closing = closeAll(connections, clock).then(() => (ended = true));
    await pass(5_000);
    expect(closed.length).toBeLessThan(10_000);
    await pass(5_000);
    expect(closed).toHaveLength(10_000);
    expect(ended).toBe(false);
    for (const socket of sockets) socket.terminate();
    await closing;
  });

  it('does not wait for one half-open socket', async () => {
    const { clock, closed, sockets, connections } = openFleet(1_000, (n) => n === 0);
    const closing = closeAll(connections, clock);
    for (let round = 0; round < 100; round += 1) await turn();
    expect(closed).toHaveLength(1_000);
    sockets[0]?.terminate();
    await closing;
  });
});
