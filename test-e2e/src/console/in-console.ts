import { describeWithBrowser, describeWithServers, freePort, type OpenPage } from '@busbar/testing';
import { openEmbeddedWorld } from '../harness/embedded';
import { openProxiedWorld } from '../harness/proxied';
import { proxyFound } from '../harness/proxy';
import { terminateChargers, type OwnWorld } from '../harness/world';

const START_MS = 120_000;
/** So that the console has its map in both. Nothing answers there: a test that shows the map answers in its place. */
export const TILES = 'https://127.0.0.1:1/';
const MAP = { CONSOLE_TILES_URL: `${TILES}{z}/{x}/{y}.svg` };

type Tests = (open: (url: string) => Promise<OpenPage>, world: () => OwnWorld) => void;

/**
 * Tests of the console of a one-process mode of their own, with these settings. Their chargers are cut off after each test.
 */
export function describeInConsole(
  title: string,
  tests: Tests,
  readSettings: () => Promise<Readonly<Record<string, string>>> = () => Promise.resolve({}),
): void {
  describeIn(title, async () => openEmbeddedWorld(await readSettings()), tests);
}

/**
 * The same tests on a one-process mode and on separate services behind the proxy. Without servers or proxy the second is skipped with the
 * reason, or fails with REQUIRE_REAL_SERVERS=1. Over a restart the address stays, so that the page finds the service again.
 */
export function describeInBothConsoles(tests: Tests): void {
  const inOneProcess = async () => openEmbeddedWorld({ PORT: String(await freePort()), ...MAP });
  describeIn('the console in one process', inOneProcess, tests);
  const describeProxied =
    proxyFound || process.env['REQUIRE_REAL_SERVERS'] === '1' ? describeWithServers : describe.skip;
  describeProxied('with RabbitMQ, a document server and nginx', () => {
    describeIn('the console on separate services behind the proxy', () => openProxiedWorld(MAP), tests);
  });
}

function describeIn(title: string, openWorld: () => Promise<OwnWorld>, tests: Tests): void {
  describeWithBrowser(title, (open) => {
    let world: OwnWorld;

    beforeAll(async () => {
      world = await openWorld();
    }, START_MS);

    afterEach(() => terminateChargers());
    afterAll(() => world.stop(), START_MS);

    tests(open, () => world);
  });
}
