// A gateway that stops waits until the broker has confirmed the ends of its connections.
import { createFakeClock, eventually } from '@busbar/testing';
import { openWorld } from './testing/open-world';

const CHARGERS = 5;
const DRAIN_MS = 5_000;

/** A gateway that stops while the broker confirms nothing: every socket has ended, and each end waits for its confirm. */
async function stopUnconfirmed() {
  const clock = createFakeClock();
  const world = await openWorld({ clock });
  const chargers = await Promise.all(Array.from({ length: CHARGERS }, () => world.connect()));
  await eventually(() => world.reports.filter(({ kind }) => kind === 'connected').length === CHARGERS);
  const ends = () => world.reports.filter(({ kind }) => kind === 'disconnected').length;
  const release = world.hold();
  let endsAtLeave: number | undefined;
  const leaving = world.stopGateway().then(() => {
    endsAtLeave = ends();
  });
  for (const charger of chargers) expect(await charger.waitForClose()).toMatchObject({ code: 1001 });
  await eventually(async () => (await world.metric('busbar_gateway_unconfirmed')) === CHARGERS);
  // The stop needs these turns for its work beside waiting.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return { clock, world, release, leaving, ends, endsAtLeave: () => endsAtLeave };
}

it('stops once the broker has confirmed the ends of all connections', async () => {
  const { world, release, leaving, endsAtLeave } = await stopUnconfirmed();
  expect(endsAtLeave()).toBeUndefined();
  release();
  await leaving;
  expect(endsAtLeave()).toBe(CHARGERS);
  expect(world.logger.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await world.close();
});

it('stops after five seconds at the latest, and logs the unconfirmed reports', async () => {
  const { clock, world, leaving, endsAtLeave } = await stopUnconfirmed();
  clock.advance(DRAIN_MS - 1);
  await new Promise((resolve) => setImmediate(resolve));
  expect(endsAtLeave()).toBeUndefined();
  clock.advance(1);
  await leaving;
  expect(endsAtLeave()).toBe(0);
  expect(world.logger.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { unconfirmed: CHARGERS }, message: 'stopping with reports that the broker did not confirm' },
  ]);
  await world.close();
});
