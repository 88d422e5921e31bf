import { describeWithBrowser, type OpenPage } from '@busbar/testing';
import { openEmbeddedWorld } from '../harness/embedded';
import { terminateChargers, type OwnWorld } from '../harness/world';

const START_MS = 120_000;

/** Tests of the console of a one-process mode of their own. Their chargers are cut off after each test. */
export function describeInConsole(
  title: string,
  tests: (open: (url: string) => Promise<OpenPage>, world: () => OwnWorld) => void,
): void {
  describeWithBrowser(title, (open) => {
    let world: OwnWorld;

    beforeAll(async () => {
      world = await openEmbeddedWorld();
    }, START_MS);

    afterEach(() => terminateChargers());
    afterAll(() => world.stop());

    tests(open, () => world);
  });
}
