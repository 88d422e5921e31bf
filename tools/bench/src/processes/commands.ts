// Questions and answers between the bench and the processes that it starts, over Node's channel between parent and child.
// Both ends are built together, so what passes is trusted.
import type { ChildProcess } from 'node:child_process';

/** The commands of a process: each has a name, one input and one result. */
export type Commands<C> = { readonly [K in keyof C]: (input: never) => Promise<unknown> };

/** Asks; rejects when the other process fails, ends, or does not answer within so many milliseconds. */
export type Ask<C extends Commands<C>> = <K extends keyof C & string>(
  name: K,
  input: Parameters<C[K]>[0],
  withinMs: number,
) => Promise<Awaited<ReturnType<C[K]>>>;

interface Question {
  readonly busbarBench: number;
  readonly name: string;
  readonly input: unknown;
}

interface Answer {
  readonly busbarBench: number;
  readonly value?: unknown;
  readonly failure?: string;
}

type Handler = (input: unknown) => Promise<unknown>;

/** The child's end: answers questions, and ends the process when the parent has gone. */
export function serveCommands<C extends Commands<C>>(commands: C): void {
  const handlers = new Map(Object.entries(commands) as [string, Handler][]);
  process.on('message', (message) => {
    if (!isQuestion(message)) return;
    const { busbarBench, name, input } = message;
    void answer(handlers.get(name), name, input).then((outcome) => process.send?.({ busbarBench, ...outcome }));
  });
  // SIGKILL: a program that stops in order would continue for as long as that takes.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

/** The parent's end. */
export function asking<C extends Commands<C>>(child: ChildProcess, name: string): Ask<C> {
  let last = 0;
  return (command, input, withinMs) =>
    new Promise((resolve, reject) => {
      last += 1;
      const busbarBench = last;
      const timer = setTimeout(() => settle(() => reject(new Error(`${name}: no answer to ${command}`))), withinMs);
      const onMessage = (message: unknown): void => {
        if (!isAnswer(message) || message.busbarBench !== busbarBench) return;
        const { failure, value } = message;
        settle(() => {
          if (failure === undefined) resolve(value as never);
          else reject(new Error(`${name}: ${failure}`));
        });
      };
      const onEnd = (): void => settle(() => reject(new Error(`${name} ended while it was asked for ${command}`)));
      const settle = (outcome: () => void): void => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onEnd);
        outcome();
      };
      child.on('message', onMessage);
      child.on('exit', onEnd);
      if (child.connected) child.send({ busbarBench, name: command, input });
      else onEnd();
    });
}

async function answer(
  handler: Handler | undefined,
  name: string,
  input: unknown,
): Promise<Omit<Answer, 'busbarBench'>> {
  try {
    if (handler === undefined) throw new Error(`there is no command ${name}`);
    return { value: await handler(input) };
  } catch (error) {
    return { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function isQuestion(message: unknown): message is Question {
  return isObject(message) && 'busbarBench' in message && 'name' in message;
}

function isAnswer(message: unknown): message is Answer {
  return isObject(message) && 'busbarBench' in message && !('name' in message);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
