import { AppError } from '@busbar/core';
import { createFakeClock } from '@busbar/testing';
import { answeringCharger, commandTo } from '../testing/answering-charger';
import { newCharger } from '../testing/charger';
import { storedChargers } from '../testing/stored-chargers';
import { storedDeviceModels } from '../testing/stored-device-models';
import { callInParts } from './call-in-parts';
import type { ChargerCommand } from './call-charger';
import type { ChargerCall, LinkOutcome } from './charger-link';

const OWNER = { clientId: 'client', chargerId: 'ACME_1' };
const LIMITS = {
  items: 'DeviceDataCtrlr.ItemsPerMessage[SetVariables]',
  bytes: 'devicedatactrlr.bytespermessage[setvariables]',
};

type Answer = Readonly<Record<string, unknown>>;
type Command = ChargerCommand<{ readonly variables: readonly { name: string; value: string | null }[] }>;

function command(action: string, items: readonly string[]): Command {
  const encode = () => ({
    action,
    payload: { setVariableData: items },
    read: ({ variables = [] }: Answer) => ({ variables: variables as [] }),
  });
  return { ...commandTo(action), encode: Object.assign(encode, { operation: action, input: {} }) };
}

interface Situation {
  readonly model?: Parameters<typeof storedDeviceModels>[0];
  readonly action?: string;
  readonly active?: boolean;
  readonly answer?: (call: ChargerCall, n: number) => LinkOutcome;
}

/** Sends the items and shows those of each CALL. */
function open({ model = {}, action = 'SetVariables', active = true, answer }: Situation = {}) {
  const clock = createFakeClock();
  const calls: ChargerCall[] = [];
  const connection = { active, gatewayId: 'gateway', ocppVersion: 'ocpp2.0.1' };
  const deps = {
    ...answeringCharger(),
    clock,
    chargers: storedChargers(newCharger({ connection })),
    deviceModels: storedDeviceModels(model),
    link: {
      call(_to: unknown, call: ChargerCall) {
        calls.push(call);
        const accepted = { outcome: 'answered', payload: { variables: call.payload['setVariableData'] } } as const;
        return Promise.resolve(answer?.(call, calls.length) ?? accepted);
      },
    },
  };
  const send = async (items: readonly string[]) => {
    const answers = await callInParts(deps, OWNER, {
      items,
      commandOf: (part) => command(action, part),
      reading: (names) => command('GetVariables', names),
    });
    return answers.flatMap(({ variables }) => variables as readonly unknown[]);
  };
  return { clock, calls, send, sent: () => calls.map(({ payload }) => payload['setVariableData']) };
}

const abc = (count: number) => Array.from('abcdefghij').slice(0, count);

it('153. sends as many variables in a CALL as the charger reported that it takes, and has one answer', async () => {
  const { send, sent, calls } = open({ model: { [LIMITS.items]: { value: '2' } } });
  expect(await send(abc(5))).toEqual(abc(5));
  expect(sent()).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  expect(new Set(calls.map(({ commandId }) => commandId)).size).toBe(3);
});

it.each([
  ['of a length that the charger takes', 205, [['a'.repeat(60), 'b'.repeat(60)], ['c']]],
  ['with one less where it is a byte too long', 204, [['a'.repeat(60)], ['b'.repeat(60), 'c']]],
  ['with an item by itself that alone is longer', 100, [['a'.repeat(60)], ['b'.repeat(60)], ['c']]],
])('153. sends a CALL %s', async (_title, bytes, parts) => {
  const model = { [LIMITS.items]: { value: '9' }, [LIMITS.bytes]: { value: String(bytes) } };
  const { send, sent } = open({ model });
  await send(parts.flat());
  expect(sent()).toEqual(parts);
});

it.each([
  ['its answer', '3', [3, 2]],
  ['four where it has none', null, [4, 1]],
  ['four where its answer is no number', 'many', [4, 1]],
])('153. reads an unknown limit before more than four variables, and then takes %s', async (_title, value, counts) => {
  const read = { outcome: 'answered', payload: { variables: [{ name: LIMITS.items, value }] } } as const;
  const { send, sent } = open({ answer: (_call, n) => (n === 1 ? read : { outcome: 'answered', payload: {} }) });
  await send(abc(5));
  const [names, ...parts] = sent() as string[][];
  expect(names).toEqual([LIMITS.items, 'DeviceDataCtrlr.BytesPerMessage[SetVariables]']);
  expect(parts.map(({ length }) => length)).toEqual(counts);
});

it.each([
  ['SetVariableMonitoring', 'MonitoringCtrlr'],
  ['ClearVariableMonitoring', 'MonitoringCtrlr'],
  ['GetVariables', 'DeviceDataCtrlr'],
])('153. has the limits of %s from %s', async (action, component) => {
  const name = `${component}.ItemsPerMessage[${action}]`;
  const { send, sent } = open({ action, model: { [name]: { value: '3' } } });
  await send(abc(4));
  expect(sent()).toEqual([['a', 'b', 'c'], ['d']]);
});

it('153. takes four where the charger refuses to read its limits', async () => {
  const error = { outcome: 'error', code: 'NotSupported', description: '' } as const;
  const { send, sent } = open({ answer: (_call, n) => (n === 1 ? error : { outcome: 'answered', payload: {} }) });
  await send(abc(5));
  expect(sent().slice(1)).toEqual([['a', 'b', 'c', 'd'], ['e']]);
});

it.each([
  ['with four variables and no known limit', abc(4), {}],
  ['of another action', abc(9), { action: 'GetConfiguration' }],
])('153. sends one CALL %s', async (_title, items, situation) => {
  const { send, sent } = open(situation);
  await send(items);
  expect(sent()).toEqual([items]);
});

it('153. refuses a charger that is offline, and reads nothing', async () => {
  const { send, calls } = open({ active: false });
  await expect(send(abc(9))).rejects.toMatchObject({ code: 'charger_offline' });
  expect(calls).toEqual([]);
});

it('153. ends with the first CALL that fails, and what was answered before it', async () => {
  const model = { [LIMITS.items]: { value: '2' } };
  const { send, calls } = open({
    model,
    answer: (_call, n) => ({ outcome: n === 2 ? 'timeout' : 'answered', payload: {} }),
  });
  const failed = await send(abc(5)).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: 'charger_timeout', details: { commandId: calls[1]?.commandId } });
  expect(failed).toBeInstanceOf(AppError);
  expect(String(failed)).toContain('The charger has answered the first 2 of 5 items.');
  expect(calls).toHaveLength(2);
});

it('153. has the time of one command for all CALLs', async () => {
  const model = { [LIMITS.items]: { value: '2' } };
  const world = open({
    model,
    answer() {
      world.clock.advance(600);
      return { outcome: 'answered', payload: {} };
    },
  });
  await expect(world.send(abc(5))).rejects.toMatchObject({ code: 'charger_timeout' });
  expect(world.calls.map(({ timeoutMs }) => timeoutMs)).toEqual([1_000, 400]);
});
