// Chargers of OCPP 2.0.1 and 2.1 on stacks that others wrote. Run by `npm run test:interop`, which installs them.
import { openParty, shows } from './day';
import { morning2, operations2, resetAndOffline2, sessionFromAfar2, sessionOfADriver2 } from './day-2';
import { withInteropWorld } from './interop-world';
import { installedStacks } from './stacks';

const TEST_MS = 240_000;

const { world, kept } = withInteropWorld(TEST_MS);

/** Of what the machine can install. */
const STACKS = installedStacks().filter(({ skipped, versions2 }) => skipped === undefined && versions2.length > 0);
const PAIRS = STACKS.filter(({ failed }) => failed === undefined).flatMap((stack) =>
  stack.versions2.map((version) => [version, stack.name, stack] as const),
);

it('174. has every stack of 2.x installed that the machine has the means for', () => {
  expect(STACKS.flatMap(({ name, failed }) => (failed === undefined ? [] : [`${name}: ${failed}`]))).toEqual([]);
});

it.each([
  ['ocpp2.0.1', 'ocpp-rpc'],
  ['ocpp2.1', 'ocpp-ws-io'],
])('174. tries %s on %s, which needs nothing but npm', (version, stack) => {
  expect(PAIRS.some(([spoken, name]) => spoken === version && name.startsWith(stack))).toBe(true);
});

it.each(PAIRS)(
  '174. completes a day of %s on %s: boot, report, local, remote and offline sessions, variables, reset, reconnect',
  async (version, _name, stack) => {
    const party = { ...(await openParty(world(), stack)), version };
    kept(party.charger);
    await morning2(party);
    await sessionOfADriver2(party);
    await sessionFromAfar2(party);
    await operations2(party);
    await resetAndOffline2(party);
    expect(party.charger.complaints).toEqual([]);
    await shows(party, { deviations: [] });
  },
  TEST_MS,
);
