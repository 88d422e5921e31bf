import { createFakeClock, eventually } from '@busbar/testing';
import { openWorld } from './testing/open-world';

it('leaves admissions to the other replica while it cannot reach the store, and resumes its share', async () => {
  const world = await openWorld();
  const charger = await world.register();
  const clock = createFakeClock(new Date());
  const other = await world.otherReplica({ clock });
  /** Admissions go to the replicas in turn. */
  const outcomes = async (): Promise<Set<string>> => {
    const asked = await Promise.all(Array.from({ length: 6 }, () => world.admission(charger)));
    return new Set(asked.map((each) => (each.outcome === 'answered' ? each.answer.outcome : each.outcome)));
  };
  expect(await outcomes()).toEqual(new Set(['accept']));

  other.cut(true);
  expect(await outcomes()).toEqual(new Set(['accept', 'unavailable']));
  await eventually(async () => {
    clock.advance(500);
    expect(await outcomes()).toEqual(new Set(['accept']));
    return true;
  });
  expect(other.ready()).toBe(false);
  const connection = await world.connect(charger);
  const report = await connection.report('Heartbeat', {});
  expect((await world.read(charger)).reported.lastMessage).toBe(report.raw);

  other.cut(false);
  await eventually(() => {
    clock.advance(500);
    return other.ready();
  });
  expect(await outcomes()).toEqual(new Set(['accept']));
  await world.close();
});
