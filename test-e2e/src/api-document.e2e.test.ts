// docs/api.md: its commands in order, as an integrator runs them against the one-process mode and a simulated charger.
import { eventually } from '@busbar/testing';
import { expectShown, linesOf, runScript, valueOf } from './harness/documented-commands';
import { openEmbeddedWorld } from './harness/embedded';
import { simulateCharger, type SimulatedCharger } from './harness/simulated-charger';
import type { OwnWorld } from './harness/world';

/** curl's exit code when its time is over: a stream has no end. */
const TIMED_OUT = 28;

let world: OwnWorld;
let charger: SimulatedCharger | undefined;
beforeAll(async () => {
  world = await openEmbeddedWorld();
}, 60_000);
afterAll(async () => {
  await charger?.stop();
  await world.stop();
});

it('runs every command of docs/api.md as shown', async () => {
  const lines = linesOf('docs/api.md');
  expect(lines.length).toBeGreaterThan(10);
  expect(lines.filter(({ shown }) => shown !== undefined).length).toBeGreaterThan(7);
  const variables: Record<string, string> = {};
  for (const line of lines) {
    const { command, variable } = line;
    if (variable !== undefined) variables[variable] = await valueOf(world, command, variable, variables);
    else if (command.includes('/stream')) {
      expect(await runScript(world, `${command} || test $? = ${String(TIMED_OUT)}`, variables)).toMatch(/^retry: /);
    } else if (command.includes(' -d ')) await expectShown(world, line, variables);
    // The charger begins and ends its session after its response.
    else await eventually(() => expectShown(world, line, variables).then(() => true));
    if (command.includes('"chargerId":"ACME_1"')) charger = await simulateCharger(world, 'ACME');
  }
  expect(variables).toEqual({ SITE_ID: '1', COMMAND_ID: expect.stringMatching(/^\w{26}$/) as string });
}, 120_000);
