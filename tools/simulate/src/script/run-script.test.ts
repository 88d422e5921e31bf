import { openCharger } from '../testing/open-charger';
import { parseScript } from './format';
import { runScript } from './run-script';

async function run(...steps: string[]): Promise<{ isSuccess: boolean; lines: string[] }> {
  const { charger } = await openCharger();
  const lines: string[] = [];
  const script = parseScript('a.yaml', ['steps:', ...steps.map((step) => `  - ${step}`)].join('\n'));
  const stop = new AbortController().signal;
  const isSuccess = await runScript({ script, chargers: [charger], stop, print: (line) => lines.push(line) });
  return { isSuccess, lines };
}

it('takes the steps in order and prints them', async () => {
  const { isSuccess, lines } = await run(
    'expect: { connected: true, booted: true, status: Available }',
    'authorize: { tag: TAG-1 }',
    'start: { socket: 2, tag: TAG-1 }',
    'expect: { socket: 2, charging: true, tag: TAG-1, minPowerW: 11000, maxPowerW: 11000 }',
    'meter: { socket: 2 }',
    'start: { socket: 2, tag: TAG-1, result: Refused }',
    'stop: { socket: 2, tag: TAG-1, reason: EVDisconnected }',
    'expect: { socket: 2, status: Finishing }',
    'status: { socket: 1, status: Faulted }',
    'expect: { status: Faulted, configuration: { NumberOfConnectors: "2" } }',
    'disconnect',
    'expect: { connected: false }',
  );
  expect(lines.filter((line) => !line.startsWith('ok '))).toEqual([]);
  expect(lines).toHaveLength(12);
  expect(lines[2]).toBe('ok       3. start {"socket":2,"tag":"TAG-1"}');
  expect(isSuccess).toBe(true);
});

it.each([
  ['expect: { status: Charging, within: 0 }', 'SIM_1: expected status Charging, found Available'],
  ['expect: { minPowerW: 1, within: 0 }', 'SIM_1: expected another power, found 0 W'],
  ['expect: { minEnergyWh: 1, within: 0 }', 'SIM_1: expected more energy, found 0.0 Wh'],
  ['expect: { command: Reset, within: 0 }', 'SIM_1: expected the command Reset: it has not come'],
  ['expect: { configuration: { Unheard: "1" }, within: 0 }', 'SIM_1: expected Unheard 1, found no such key'],
  ['expect: { socket: 3, within: 0 }', 'SIM_1: there is no socket 3'],
  [
    'authorize: { tag: TAG-1, result: Blocked }',
    'SIM_1: expected the result of the authorization to be Blocked, found Accepted',
  ],
  ['start: { tag: TAG-1, result: Refused }', 'SIM_1: expected a refused start, found a session'],
  ['start: { tag: TAG-1, socket: 3 }', 'SIM_1: no session: there is no socket 3'],
  ['stop', 'SIM_1: socket 1 has no session'],
  ['{ on: 2, boot: }', 'there is no charger 2'],
  ['connect', 'SIM_1: The charger is connected already.'],
])('ends at a step that fails: %s', async (step, issue) => {
  const { isSuccess, lines } = await run(step, 'wait: 0');
  expect(isSuccess).toBe(false);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`FAILED   1. `);
  expect(lines[0]).toContain(`\n            ${issue}`);
});
