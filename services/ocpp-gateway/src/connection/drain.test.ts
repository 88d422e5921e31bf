// The order of the closes alone; drain-plan.test.ts has their times, service.drain.test.ts what chargers notice.
import { EventEmitter } from 'node:events';
import { createFakeClock } from '@busbar/testing';
import type { Connection } from './connection';
import { drainSockets } from './drain';

/** So many have no order twice by chance. */
const CHARGERS = Array.from({ length: 60 }, (_, n) => `C${String(n)}`);

/** The chargers in the order of their closes, of a gateway that they connected to in the order of their names. */
async function closesOfADrain(): Promise<readonly string[]> {
  const closes: string[] = [];
  const connections = CHARGERS.map((chargerId) => connectionOf(chargerId, closes));
  await drainSockets(connections, { clock: createFakeClock(), drainMs: 0, code: 1001 });
  return closes;
}

function connectionOf(chargerId: string, closes: string[]): Connection {
  const socket = Object.assign(new EventEmitter(), {
    close: () => {
      closes.push(chargerId);
      queueMicrotask(() => socket.emit('close'));
    },
  });
  // These are the parts of a connection that a drain reads.
  return {
    chargerId,
    socket,
    closed: false,
    answers: [],
    calls: { pending: () => undefined },
  } as unknown as Connection;
}

it('closes sockets in random order', async () => {
  const [first, second] = [await closesOfADrain(), await closesOfADrain()];
  expect(first.toSorted()).toEqual(CHARGERS.toSorted());
  expect(first).not.toEqual(CHARGERS);
  expect(second).not.toEqual(first);
});
