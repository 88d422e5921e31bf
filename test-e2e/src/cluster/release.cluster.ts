// The chart in a real cluster. Run by `npm run test:cluster`.
import { connectCharger, eventually } from '@busbar/testing';
import { allInOne } from './all-in-one';
import { autoscaling } from './autoscaling';
import { examples } from './examples';
import { CHARGERS } from './load';
import { manyNodes } from './many-nodes';
import { otherPlannedDisruptions, shortPlannedDisruptions } from './planned-disruptions';
import { COMPONENTS, isReady } from './release';
import { restoreInOrder } from './restore';
import { restrictions } from './restrictions';
import { smokeTests } from './smoke';
import { uninstall } from './uninstall';
import { unplannedDisruptions } from './unplanned-disruptions';
import { wayIn } from './way-in';
import { openWorld, START_MS, type World } from './world';

const TEST_MS = 300_000;

let world: World | undefined;
const open = (): World => {
  if (world === undefined) throw new Error('the world is there only inside tests and their hooks');
  return world;
};
beforeAll(async () => {
  world = await openWorld();
}, START_MS);
afterAll(() => world?.stop(), START_MS);

describe('a release with production values in a namespace that enforces the level restricted', () => {
  it('has every pod ready, spread over both nodes', async () => {
    const pods = await open().release.pods();
    expect(pods.map(isReady)).toEqual(pods.map(() => true));
    for (const component of COMPONENTS) {
      const own = await open().release.pods(component);
      expect(own.map(({ spec }) => spec.nodeName).sort()).toEqual(['node1', 'node2']);
    }
  });

  it(
    'connects a charger through the Service, and shows it',
    async () => {
      const { v2, chargerAddress } = open().release;
      await v2.register('THIN_1', await v2.makeSite());
      const charger = await connectCharger({ url: `${chargerAddress}THIN_1` });
      expect(await charger.boot()).toMatchObject({ status: 'Accepted' });
      await eventually(async () => (await v2.read('THIN_1'))?.activeConnection === true);
      await charger.close();
      await eventually(async () => (await v2.read('THIN_1'))?.activeConnection === false);
    },
    TEST_MS,
  );

  it(
    'restarts nothing on an upgrade that changes nothing',
    async () => {
      const uids = async (): Promise<string[]> =>
        (await open().release.pods()).map(({ metadata }) => metadata.uid).sort();
      const before = await uids();
      await open().release.upgrade();
      expect(await uids()).toEqual(before);
    },
    TEST_MS,
  );

  restrictions(open);
});

describe(`a release under the load of ${String(CHARGERS)} chargers`, () => {
  shortPlannedDisruptions(open);
});

// By `--all` alone: minutes each.
if (process.env['CLUSTER_ALL'] === '1') {
  describe('an operator', () => {
    smokeTests(open);
    wayIn(open);
    restoreInOrder(open);
    uninstall(open);
    examples(open);
    manyNodes(open);
  });
  describe(`a release under the load of ${String(CHARGERS)} chargers`, () => {
    otherPlannedDisruptions(open);
    unplannedDisruptions(open);
    autoscaling(open);
    allInOne(open);
  });
}
