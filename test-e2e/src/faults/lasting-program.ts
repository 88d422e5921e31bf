// A process of the service that a test ends and starts again: the same one for its callers.
import { http } from '../harness/http';
import { startProgram, type Program } from '../harness/program';
import type { Endable, Pausable } from './fault';
import type { TcpProxy } from './tcp-proxy';

export interface LastingProgram extends Endable, Pausable {
  running(): boolean;
  /** The one that runs now. Throws when none does. */
  program(): Program;
  metrics(): Promise<string>;
  /** Everything that it wrote, over all its starts. */
  output(): string;
}

export interface LastingProgramOptions {
  /** As in a test's output. */
  readonly name: string;
  /** Folder below `services`. */
  readonly service: string;
  readonly env: Readonly<Record<string, string>>;
  /** Between it and its chargers: led to the plain port of each start. */
  readonly chargers?: TcpProxy;
}

/** Starts of one process, one after the other, until the servers that it needs answer it. */
const MAX_STARTS = 5;

export function createLastingProgram({ name, service, env, chargers }: LastingProgramOptions): LastingProgram {
  let program: Program | undefined;
  const started: Program[] = [];
  const current = (): Program => {
    if (program === undefined) throw new Error(`${name} does not run`);
    return program;
  };
  const serves = async (launched: Program): Promise<undefined> => {
    chargers?.retarget(await launched.bound('plain'));
    await launched.ready();
  };
  return {
    name,
    running: () => program !== undefined,
    program: current,
    async start() {
      for (let attempt = 1; ; attempt += 1) {
        const launched = startProgram(service, env);
        program = launched;
        started.push(launched);
        const ended = await Promise.race([serves(launched), launched.exited().then((code) => ({ code }))]);
        if (ended === undefined) return;
        // A server that does not answer at once ends a start with that sentence; a supervisor restarts it.
        const isReported = ended.code === 1 && launched.output().includes('does not answer');
        if (!isReported || program !== launched || attempt === MAX_STARTS) {
          throw new Error(`${name} ended with ${String(ended.code)} while it started`);
        }
      }
    },
    async end(signal) {
      const ending = current();
      program = undefined;
      return ending.end(signal);
    },
    pause: () => current().signal('SIGSTOP'),
    resume: () => current().signal('SIGCONT'),
    output: () => started.map((each) => each.output()).join('— started again\n'),
    async metrics() {
      const { host, port } = await current().bound('internal');
      return (await http(`http://${host}:${String(port)}/metrics`)).text;
    },
  };
}
