import { channels, type ReplicaNotice } from '@busbar/contracts';
import { AppError } from '@busbar/core';
import { createFakeClock, createRecordingLogger } from '@busbar/testing';
import { createOwners } from './owners';
import { createParticipation } from './participation';
import { UNREACHABLE_TICKS } from './store-reach';

const OTHER = 'the other replica';
const unavailable = () => new AppError('unavailable', 'the store is unavailable');

it.each([
  ['one that is new here', [{ replicaId: OTHER, state: 'here' as const }], 2],
  ['none that is known', [1, 2].map(() => ({ replicaId: OTHER, state: 'here' as const })), 2],
  ['none that leaves', [{ replicaId: OTHER, state: 'leaving' as const }], 1],
  ['not itself', [{ replicaId: 'this replica', state: 'here' as const }], 1],
])('a replica answers with a notice of its own: %s', async (_title, notices, sent) => {
  const { received, notices: own } = await open();
  for (const notice of notices) received({ ...notice, at: '2026-01-01T00:00:00.000Z', reads: 1 });
  expect(own()).toBe(sent);
});

it('a replica that joins begins when the others had time to answer', async () => {
  let hasJoined = false;
  const { clock, joined } = await open(300);
  void joined.then(() => (hasJoined = true));
  clock.advance(299);
  await Promise.resolve();
  expect(hasJoined).toBe(false);
  clock.advance(1);
  await joined;
});

async function open(joinMs = 0) {
  const clock = createFakeClock();
  const changes: boolean[] = [];
  let isThere = true;
  let sent = 0;
  let received: (notice: ReplicaNotice) => void = () => undefined;
  const owners = createOwners('this replica');
  const participation = createParticipation({
    broker: {
      broadcast: () => void (sent += 1),
      listen: (_channel, handler) => {
        received = handler as typeof received;
        return Promise.resolve({ close: () => Promise.resolve() });
      },
    },
    clock,
    logger: createRecordingLogger(),
    replicaId: 'this replica',
    owners,
    channel: channels.replicas,
    probe: () => (isThere ? Promise.resolve() : Promise.reject(unavailable())),
    onChange: (isActive) => changes.push(isActive),
    joinMs,
  });
  const joined = participation.start();
  // The broker listens.
  await Promise.resolve();
  await Promise.resolve();
  return {
    clock,
    joined,
    received: (notice: ReplicaNotice) => received(notice),
    notices: () => sent,
    participation,
    owners,
    changes,
    setStore: (now: boolean) => (isThere = now),
    /** Advances by so many seconds; the probe is answered within each. */
    async seconds(count: number) {
      for (let second = 0; second < count; second += 1) {
        clock.advance(1_000);
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

describe('a replica on standby', () => {
  it('is active again when the store answers, though work in progress then failed later', async () => {
    const { participation, owners, changes, setStore, seconds } = await open();
    owners.renewed(OTHER, 'here');
    setStore(false);
    await seconds(UNREACHABLE_TICKS + 1);
    expect(changes).toEqual([false]);
    participation.workEnded(unavailable());
    setStore(true);
    await seconds(3);
    expect(changes).toEqual([false, true]);
    await participation.stop();
  });

  it('is active again also after its work failed for long, while it was alone', async () => {
    const { participation, owners, changes, setStore, seconds } = await open();
    setStore(false);
    participation.workEnded(unavailable());
    await seconds(UNREACHABLE_TICKS + 2);
    participation.workEnded(unavailable());
    expect(changes).toEqual([]);
    owners.renewed(OTHER, 'here');
    await seconds(1);
    expect(changes).toEqual([false]);
    setStore(true);
    await seconds(3);
    expect(changes).toEqual([false, true]);
    await participation.stop();
  });
});

it('goes on standby when its work fails, though the store answers the probe', async () => {
  const { participation, owners, changes, seconds } = await open();
  owners.renewed(OTHER, 'here');
  participation.workEnded(unavailable());
  await seconds(UNREACHABLE_TICKS);
  expect(changes).toEqual([false]);
  await participation.stop();
});
