// Runs a script: each step on one charger or on all of them together, and the next step when all have taken it.
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isAppError } from '@busbar/core';
import { UpgradeRejected } from '@busbar/testing';
import type { Charger } from '../charger/charger';
import { socketOf, type Socket } from '../charger/charger-state';
import { powerAt, statusOf } from '../charger/metering';
import { explainFailure } from '../connection-failure';
import { STEP_NAMES, type Expectation, type Script, type Step } from './format';

export interface ScriptRun {
  readonly script: Script;
  readonly chargers: readonly Charger[];
  readonly stop: AbortSignal;
  readonly print: (line: string) => void;
}

type StepName = (typeof STEP_NAMES)[number];
type Steps = {
  readonly [N in StepName]: (charger: Charger, input: NonNullable<Step[N]>, stop: AbortSignal) => unknown;
};

const DEFAULT_WITHIN_S = 10;
const PROBE_MS = 50;
const DEFAULT_SOCKET = 1;

/** True when every step succeeded; false at the first failure, or when it is stopped before its end. */
export async function runScript({ script, chargers, stop, print }: ScriptRun): Promise<boolean> {
  for (const [i, step] of script.steps.entries()) {
    const title = `${String(i + 1).padStart(3)}. ${titleOf(step)}`;
    const { on } = step;
    const concerned = on === undefined ? chargers : chargers.slice(on - 1, on);
    const issues = await Promise.all(concerned.map((each) => takeStep(each, step, stop)));
    const isNobody = concerned.length === 0;
    const issue = isNobody
      ? `there is no charger ${String(on)}`
      : stop.aborted
        ? 'the run was ended before'
        : issues.find((each) => each !== undefined);
    print(issue === undefined ? `ok     ${title}` : `FAILED ${title}\n            ${issue}`);
    if (issue !== undefined) return false;
  }
  return true;
}

/** Takes the step. Returns why it failed; undefined when it did not. */
async function takeStep(charger: Charger, step: Step, stop: AbortSignal): Promise<string | undefined> {
  const name = nameOf(step);
  const take = STEPS[name] as (charger: Charger, input: unknown, stop: AbortSignal) => unknown;
  try {
    await take(charger, step[name] ?? {}, stop);
    return undefined;
  } catch (error) {
    return `${charger.chargerId}: ${isAppError(error) ? error.message : explainFailure(error)}`;
  }
}

const STEPS: Steps = {
  async connect(charger, { refused }) {
    const status = await charger.connect().then(
      () => undefined,
      (error: unknown) => {
        if (refused === undefined || !(error instanceof UpgradeRejected)) throw error;
        return error.status;
      },
    );
    if (status !== refused) throw failure(`refused ${String(refused)}`, status ?? 'connected');
  },
  async boot(charger, { result = 'Accepted' }) {
    requireEqual('the result of the boot', result, await charger.boot());
  },
  status: (charger, { socket, status, errorCode }) =>
    charger.setStatus(socket, status, errorCode ?? (status === 'Faulted' ? 'OtherError' : 'NoError')),
  async authorize(charger, { tag, result = 'Accepted' }) {
    requireEqual('the result of the authorization', result, (await charger.sessions.authorize(tag)).status);
  },
  async start(charger, { socket = DEFAULT_SOCKET, tag, result = 'Accepted' }) {
    const outcome = await charger.sessions.start({ socketId: socket, idTag: tag });
    const issue = 'issue' in outcome ? outcome.issue : undefined;
    if (result === 'Accepted' && issue !== undefined) throw new AppError('conflict', `no session: ${issue}`);
    if (result === 'Refused' && issue === undefined) throw failure('a refused start', 'a session');
  },
  meter: (charger, { socket = DEFAULT_SOCKET }) => charger.sendReading(socket),
  async stop(charger, { socket = DEFAULT_SOCKET, tag, reason = 'Local' }) {
    const found = socketOf(charger.state, socket);
    const isStopped = found !== undefined && charger.sessions.stop(found, reason, tag);
    if (!isStopped) throw new AppError('conflict', `socket ${String(socket)} has no session`);
    await charger.drained();
  },
  async wait(_charger, seconds, stop) {
    await sleep(seconds * 1000, undefined, { signal: stop }).catch(() => undefined);
  },
  disconnect: (charger) => charger.disconnect(),
  expect: expectSoon,
};

/** Waits until everything holds that is expected. */
async function expectSoon(charger: Charger, expectation: Expectation, stop: AbortSignal): Promise<void> {
  const end = Date.now() + (expectation.within ?? DEFAULT_WITHIN_S) * 1000;
  let { command } = expectation;
  for (;;) {
    // A command is taken once, also where something else does not hold yet.
    if (command !== undefined && charger.takeReceived(command)) command = undefined;
    const issue =
      command === undefined ? unmet(charger, expectation) : `expected the command ${command}: it has not come`;
    if (issue === undefined) return;
    if (Date.now() >= end || stop.aborted) throw new AppError('conflict', issue);
    await sleep(PROBE_MS, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** The first condition that does not hold now. */
function unmet(charger: Charger, expected: Expectation): string | undefined {
  const socket = socketOf(charger.state, expected.socket ?? DEFAULT_SOCKET);
  if (socket === undefined) return `there is no socket ${String(expected.socket)}`;
  return unmetFact(charger, socket, expected) ?? unmetAmount(charger, socket, expected) ?? unmetKey(charger, expected);
}

function unmetFact(charger: Charger, socket: Socket, expected: Expectation): string | undefined {
  const actual = {
    connected: charger.isConnected(),
    booted: charger.isOnline(),
    status: statusOf(charger.state, socket, new Date()),
    charging: socket.phase === 'charging',
    tag: socket.session?.idTag,
  };
  for (const [name, value] of Object.entries(actual)) {
    const wanted = expected[name as keyof typeof actual];
    if (wanted !== undefined && wanted !== value) return `expected ${name} ${String(wanted)}, found ${String(value)}`;
  }
  return undefined;
}

function unmetAmount({ state, sessions }: Charger, socket: Socket, expected: Expectation): string | undefined {
  const { minPowerW = 0, maxPowerW = Infinity, minEnergyWh = 0 } = expected;
  const powerW = powerAt(state, socket, new Date());
  if (powerW < minPowerW || powerW > maxPowerW) return `expected another power, found ${String(Math.round(powerW))} W`;
  // The meter counts up to now when it is read.
  sessions.read(socket, 'Sample.Periodic');
  const energyWh = socket.session === undefined ? 0 : socket.meterWh - socket.session.meterStartWh;
  return energyWh < minEnergyWh ? `expected more energy, found ${energyWh.toFixed(1)} Wh` : undefined;
}

function unmetKey({ state }: Charger, { configuration = {} }: Expectation): string | undefined {
  const unequal = Object.entries(configuration).find(([key, value]) => state.configuration.get(key) !== value);
  if (unequal === undefined) return undefined;
  const [key, value] = unequal;
  return `expected ${key} ${value}, found ${state.configuration.get(key) ?? 'no such key'}`;
}

function requireEqual(what: string, expected: string, found: string): void {
  if (expected !== found) throw new AppError('conflict', `expected ${what} to be ${expected}, found ${found}`);
}

function failure(expected: string, found: string | number): AppError {
  return new AppError('conflict', `expected ${expected}, found ${String(found)}`);
}

function nameOf(step: Step): StepName {
  const name = STEP_NAMES.find((each) => step[each] !== undefined);
  if (name === undefined) throw new AppError('internal', 'The script was not checked.');
  return name;
}

function titleOf(step: Step): string {
  const name = nameOf(step);
  const input = step[name];
  const isEmpty = input === null || (typeof input === 'object' && Object.keys(input).length === 0);
  const on = step.on === undefined ? '' : ` on charger ${String(step.on)}`;
  return `${name}${on}${isEmpty ? '' : ` ${JSON.stringify(input)}`}`;
}
