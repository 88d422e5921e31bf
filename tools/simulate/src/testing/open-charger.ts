// A simulated charger on a connection without a socket: the service's side is a table of answers.
import {
  protocolOf,
  STRICT,
  validateRequest,
  validateResponse,
  type CallResult,
  type Protocol,
  type V16Action,
  type V16Requests,
  type V2Action,
  type V2Requests,
} from '@busbar/ocpp';
import { createFakeClock, type FakeClock } from '@busbar/testing';
import type { Version } from '../options';
import { createCharger, type Charger } from '../charger/charger';
import type { Closed, Connect, ConnectionEvents, Payload } from '../connection';

export interface OpenedCharger {
  readonly charger: Charger;
  readonly clock: FakeClock;
  /** Returns what the charger sent since the last `take`, as `Action` and payload. */
  take(): [string, Payload][];
  /** The same as texts: statuses as `1 Charging`, anything else as the action. */
  summary(): string[];
  /** Sends a CALL, whose payload and answer are validated. Resolves when the charger has done what follows. */
  command<A extends V16Action>(action: A, payload: V16Requests[A]): Promise<Payload | string>;
  /** The same for OCPP 2.x. */
  command2<A extends V2Action>(action: A, payload: V2Requests[A]): Promise<Payload | string>;
  readonly passwords: unknown[];
  readonly failures: string[];
  /** Answers of the service from now on. */
  readonly answers: Record<string, Payload>;
  /** The next such message is sent, and gets no answer since the connection ends. */
  lose(action: string): void;
  /** The service ends the connection. */
  endConnection(closed: Closed): void;
}

const ANSWERS: Readonly<Record<string, Payload>> = {
  BootNotification: { status: 'Accepted', currentTime: '2026-01-01T00:00:00.000Z', interval: 300 },
  Authorize: { idTagInfo: { status: 'Accepted' } },
  StartTransaction: { idTagInfo: { status: 'Accepted' }, transactionId: 7 },
};

const ANSWERS_2: Readonly<Record<string, Payload>> = {
  BootNotification: { status: 'Accepted', currentTime: '2026-01-01T00:00:00.000Z', interval: 300 },
  Authorize: { idTokenInfo: { status: 'Accepted' } },
  TransactionEvent: { idTokenInfo: { status: 'Accepted' } },
};

/** Connected and booted, with two sockets. Other versions than 1.6: by their own answers. */
export async function openCharger(version: Version = 'ocpp1.6'): Promise<OpenedCharger> {
  const clock = createFakeClock();
  const answers = { ...(version === 'ocpp1.6' ? ANSWERS : ANSWERS_2) };
  const sent: [string, Payload][] = [];
  const passwords: unknown[] = [];
  const failures: string[] = [];
  const service = fakeService(protocolNamed(version), answers, sent);
  const charger = createCharger({
    chargerId: 'SIM_1',
    version,
    sockets: 2,
    clock,
    connect: (password, events) => {
      passwords.push(password);
      return service.connect(password, events);
    },
    events: {
      onConnected: () => undefined,
      onDisconnected: () => undefined,
      onFrame: () => undefined,
      onFailure: (reason) => failures.push(reason),
      onStarted: () => undefined,
      onEnergy: () => undefined,
    },
  });
  await charger.connect();
  await charger.boot();
  await quiet();
  sent.length = 0;
  const take = () => sent.splice(0);
  const command = async (action: string, payload: Payload): Promise<Payload | string> => {
    const answer = await service.command(action, payload);
    await quiet();
    return answer;
  };
  return {
    charger,
    clock,
    answers,
    passwords,
    failures,
    take,
    summary: () => take().map(textOf),
    lose: (action) => service.lose(action),
    endConnection: (closed) => service.endConnection(closed),
    command,
    command2: command,
  };
}

/** Resolves when everything that waits for answers has continued: a macrotask runs after all microtasks. */
export async function quiet(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

function fakeService(protocol: Protocol, answers: Readonly<Record<string, Payload>>, sent: [string, Payload][]) {
  let current: ConnectionEvents | undefined;
  let lost: string | undefined;
  let endCurrent: (closed: Closed) => void = () => undefined;
  const connect: Connect = (_password, events) => {
    current = events;
    let end: (closed: Closed) => void = () => undefined;
    const ended = new Promise<Closed>((resolve) => (end = resolve));
    endCurrent = end;
    return Promise.resolve({
      call(action, payload): Promise<CallResult> {
        expectValid(validateRequest(protocol, action, payload, STRICT));
        sent.push([action, payload]);
        if (action === lost) {
          lost = undefined;
          return Promise.resolve({ outcome: 'disconnected' });
        }
        return Promise.resolve({ outcome: 'answered', payload: answers[action] ?? {}, deviations: [] });
      },
      sendUnanswered(action, payload) {
        expectValid(validateRequest(protocol, action, payload, STRICT));
        sent.push([action, payload]);
      },
      ping: () => undefined,
      close: (code = 1000) => {
        end({ code, reason: '' });
        return Promise.resolve();
      },
      terminate: () => end({ code: 1006, reason: '' }),
      ended,
    });
  };
  const command = async (action: string, payload: Payload): Promise<Payload | string> => {
    expectValid(validateRequest(protocol, action, payload, STRICT));
    const reply = current?.onCall(action, payload);
    if (reply === undefined) throw new Error('not connected');
    if (typeof reply.answer !== 'string') expectValid(validateResponse(protocol, action, reply.answer, STRICT));
    await reply.then?.();
    return reply.answer;
  };
  const lose = (action: string): void => void (lost = action);
  return { connect, command, lose, endConnection: (closed: Closed) => endCurrent(closed) };
}

function protocolNamed(version: Version): Protocol {
  const protocol = protocolOf(version);
  if (protocol === undefined) throw new Error(`${version} is missing`);
  return protocol;
}

function expectValid(validation: { readonly ok: boolean }): void {
  if (!validation.ok) throw new Error(JSON.stringify(validation));
}

function textOf([action, payload]: [string, Payload]): string {
  if (action !== 'StatusNotification') return action;
  const { evseId, connectorId, connectorStatus, status } = payload;
  return `${String(evseId ?? connectorId)} ${String(connectorStatus ?? status)}`;
}
