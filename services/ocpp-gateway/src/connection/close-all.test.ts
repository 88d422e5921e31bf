import { EventEmitter } from 'node:events';
import { createFakeClock } from '@busbar/testing';
import { closeAll } from './close-all';
import type { Connection } from './connection';

/** Sockets that note that they were told to close; those of half-open peers end only when they are cut. */
function openFleet(size: number, isHalfOpen: (n: number) => boolean) {
  const clock = createFakeClock();
  const told: number[] = [];
  const sockets = Array.from({ length: size }, (_, n) => {
    const socket = new EventEmitter();
    const close = (code: number) => {
      told.push(code);
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
  return { clock, told, sockets, connections, pass };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('the sockets of a gateway that stops', () => {
  it('are told to close no more than 200 at a time', async () => {
    const { clock, told, connections } = openFleet(500, () => false);
    const closing = closeAll(connections, clock);
    expect(told).toHaveLength(200);
    await closing;
    expect(told).toEqual(Array.from({ length: 500 }, () => 1001));
  });

  it('are all told within ten seconds, also when each of ten thousand has a peer that is half-open', async () => {
    const { clock, told, sockets, connections, pass } = openFleet(10_000, () => true);
    let ended = false;
    const closing = closeAll(connections, clock).then(() => (ended = true));
    await pass(5_000);
    expect(told.length).toBeLessThan(10_000);
    await pass(5_000);
    expect(told).toHaveLength(10_000);
    expect(ended).toBe(false);
    for (const socket of sockets) socket.terminate();
    await closing;
  });

  it('are not held up by one that is half-open', async () => {
    const { clock, told, sockets, connections } = openFleet(1_000, (n) => n === 0);
    const closing = closeAll(connections, clock);
    for (let round = 0; round < 100; round += 1) await turn();
    expect(told).toHaveLength(1_000);
    sockets[0]?.terminate();
    await closing;
  });
});
