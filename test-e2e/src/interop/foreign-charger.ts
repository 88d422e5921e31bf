// A charger on an OCPP stack that others wrote, as a process of its own. Orders go in and what it sees comes out by lines
// of JSON: test-e2e/interop/README.md.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createGuard, eventually } from '@busbar/testing';
import type { Stack } from './stacks';

export type Json = Readonly<Record<string, unknown>>;

export interface Connection {
  /** `wss://…/ocpp/`, without the identity. */
  readonly url: string;
  readonly chargerId: string;
  readonly password?: string;
  /** Asks the stack to reconnect by itself. Only a stack that can do so is asked. */
  readonly reconnect?: boolean;
  /** The subprotocol. Default: ocpp1.6. */
  readonly version?: string;
  /** Its answers to our CALLs, by action. */
  readonly answers: Readonly<Record<string, Json>>;
}

export interface CalledWith {
  readonly action: string;
  readonly payload: Json;
}

export interface ForeignCharger {
  connect(connection: Connection): Promise<void>;
  /** Sends a CALL; resolves with our answer as that stack understood it, rejects when it took it for a failure. */
  call(action: string, payload?: Json): Promise<Json>;
  /** Ends the connection as a charger that restarts does. Resolves when the stack says that it is closed. */
  close(): Promise<void>;
  /** The end of a connection that neither this function nor `close` has given before. */
  waitForClose(): Promise<void>;
  /** Our CALLs as that stack understood them, oldest first. */
  readonly called: readonly CalledWith[];
  /** The complaints of that stack about our messages. */
  readonly complaints: readonly string[];
  /** Our next CALL of this action that no earlier call of this function has given. */
  nextCall(action: string): Promise<Json>;
  /** A power cut: nothing is closed, nothing is errors. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

type Report =
  | { readonly id: number; readonly result: Json }
  | { readonly id: number; readonly error: { readonly code?: unknown; readonly text: string } }
  | ({ readonly event: 'call' } & CalledWith)
  | { readonly event: 'complaint'; readonly text: string }
  | { readonly event: 'closed' };

const ANSWER_MS = 60_000;
const STDERR_CAP = 10_000;

/** An order that the stack could not carry out, or a CALL that it took for refused. */
export class ForeignFailure extends Error {
  constructor(
    readonly code: string,
    text: string,
  ) {
    super(`${code}: ${text}`);
  }
}

/** Starts the process. `certificate` is the file of the one certificate that it is to trust. */
export function startForeignCharger(stack: Stack, certificate: string): ForeignCharger {
  const [program = '', ...args] = stack.command;
  const trust = { SSL_CERT_FILE: certificate, NODE_EXTRA_CA_CERTS: certificate };
  const child = spawn(program, args, {
    cwd: stack.folder,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...trust },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  return chargerOf(child, stack.name);
}

function chargerOf(child: ChildProcessWithoutNullStreams, name: string): ForeignCharger {
  const called: CalledWith[] = [];
  const taken = new Map<string, number>();
  const complaints: string[] = [];
  const pending = createPending();
  const closures = { reported: 0, taken: 0 };
  let errors = '';
  let ended = false;

  const hear = (line: string): void => {
    const report = JSON.parse(line) as Report;
    if ('id' in report) pending.settle(report);
    else if (report.event === 'call') called.push({ action: report.action, payload: report.payload });
    else if (report.event === 'complaint') complaints.push(report.text);
    else closures.reported += 1;
  };
  createInterface({ input: child.stdout }).on('line', hear);
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString('utf8')).slice(-STDERR_CAP)));
  // An order to a process that has ended fails by its exit, below.
  child.stdin.on('error', () => undefined);
  const guard = createGuard('busbar-interop');
  if (child.pid !== undefined) guard.watch(name, child.pid);
  const exit = new Promise<void>((resolve) => {
    const end = (how: string): void => {
      ended = true;
      pending.failAll(`${name} ended with ${how}: ${errors}`);
      guard.forget(name);
      void guard.release().then(resolve);
    };
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => end(String(code ?? signal)));
  });
  const order = (what: string, rest: object = {}): Promise<Json> => {
    if (ended) return Promise.reject(new Error(`${name} has ended: ${errors}`));
    const { id, outcome } = pending.add();
    child.stdin.write(`${JSON.stringify({ id, do: what, ...rest })}\n`);
    return outcome;
  };

  const waitForClose = async (): Promise<void> => {
    await eventually(() => closures.reported > closures.taken);
    closures.taken += 1;
  };

  return {
    called,
    complaints,
    waitForClose,
    async connect(connection) {
      await order('connect', connection);
    },
    call: (action, payload = {}) => order('call', { action, payload }),
    async close() {
      await order('close');
      await waitForClose();
    },
    nextCall: (action) =>
      eventually(() => {
        const found = called.filter((call) => call.action === action)[taken.get(action) ?? 0];
        if (found !== undefined) taken.set(action, (taken.get(action) ?? 0) + 1);
        return found?.payload;
      }).catch((cause: unknown) => {
        throw new Error(`no ${action} came to ${name}; it says: ${complaints.join('\n')} ${errors}`, { cause });
      }),
    kill() {
      child.kill('SIGKILL');
      return exit;
    },
    stop() {
      child.stdin.end();
      return exit;
    },
  };
}

function createPending() {
  const waiting = new Map<number, { settle(report: Extract<Report, { id: number }>): void; fail(why: string): void }>();
  let last = 0;
  return {
    add(): { readonly id: number; readonly outcome: Promise<Json> } {
      const id = (last += 1);
      const outcome = new Promise<Json>((resolve, reject) => {
        const fail = (why: string): void => {
          clearTimeout(timer);
          waiting.delete(id);
          reject(new Error(why));
        };
        const timer = setTimeout(() => fail('the stack did not say how the order ended'), ANSWER_MS);
        waiting.set(id, {
          fail,
          settle(report) {
            clearTimeout(timer);
            waiting.delete(id);
            if ('result' in report) resolve(report.result);
            else reject(new ForeignFailure(String(report.error.code), report.error.text));
          },
        });
      });
      return { id, outcome };
    },
    settle: (report: Extract<Report, { id: number }>): void => waiting.get(report.id)?.settle(report),
    failAll: (why: string): void => [...waiting.values()].forEach(({ fail }) => fail(why)),
  };
}
