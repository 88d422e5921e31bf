// A Chromium without a driver: pages are visited over its protocol alone. A driver such as Playwright adds worlds and observers of its own to each
// page, which in a browser that is slowed down four times takes as long as half of a visit.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { keepAliveTimers, withDeadline } from '@busbar/core';
import { BROWSER_ARGUMENTS } from '@busbar/testing';
import { WebSocket } from 'ws';
import type { Resources } from '../processes/resources';

/** Sends a command and resolves with its result; rejects with the browser's error. */
export type Command = (method: string, params?: Record<string, unknown>) => Promise<Record<string, unknown>>;

export interface BareBrowser {
  /** Commands to the browser itself. */
  readonly command: Command;
  /** Opens a page without an address. */
  open(): Promise<BarePage>;
  /** Ends it, and deletes its profile. */
  close(): Promise<void>;
}

export interface BarePage {
  readonly command: Command;
  /** Resolves when the page and what it names are loaded. */
  goto(url: string): Promise<void>;
  /** Resolves with the value that the text, an expression or a promise, has in the page. */
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

/** The answer to a command, or an event. */
interface Message {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: unknown;
  readonly method?: string;
  readonly sessionId?: string;
}

/** For each answer of the browser, and for a page to be loaded and shown. */
const MAX_WAIT_MS = 60_000;
const MAX_BYTES = 16_777_216;
const LISTENING = /^DevTools listening on (ws:\S+)$/;

/** With an empty profile, as a reader has one: nothing is in its cache. Ends with `resources`. Rejects where it does not start. */
export async function openBareBrowser(
  program: string,
  more: readonly string[],
  resources: Resources,
): Promise<BareBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'busbar-browser-'));
  const options = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`];
  const child = spawn(program, [...BROWSER_ARGUMENTS, ...options, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  const held = resources.hold(child, async () => {
    kill();
    await ended;
    process.removeListener('exit', kill);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const socket = new WebSocket(await addressOf(child.stderr), { maxPayload: MAX_BYTES });
  // One that ends answers nothing more: each wait has its deadline.
  socket.on('error', () => undefined);
  await bounded('its connection', new Promise<void>((resolve) => socket.once('open', () => resolve())));
  const connection = createConnection(socket);
  const command = connection.to();
  return {
    command,
    close: () => held.release(),
    async open() {
      const { targetId } = await command('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await command('Target.attachToTarget', { targetId, flatten: true });
      const inPage = connection.to(String(sessionId));
      await inPage('Page.enable');
      return {
        command: inPage,
        async goto(url) {
          const loaded = connection.once('Page.loadEventFired', String(sessionId));
          const { errorText } = await inPage('Page.navigate', { url });
          if (errorText !== undefined) throw new Error(`${url}: ${JSON.stringify(errorText)}`);
          await loaded;
        },
        evaluate: (expression) => evaluate(inPage, expression),
        async close() {
          await command('Target.closeTarget', { targetId });
        },
      };
    },
  };
}

/** Rejects where the browser takes too long. */
function bounded<T>(what: string, work: Promise<T>): Promise<T> {
  const late = (ms: number): Error => new Error(`the browser did not come to ${what} within ${String(ms)} ms`);
  return withDeadline(keepAliveTimers, MAX_WAIT_MS, work, late);
}

/** Where the browser listens, which it prints. */
function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  const listening = new Promise<string>((resolve) => {
    createInterface(output).on('line', (line) => {
      const address = LISTENING.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  return bounded('the line with its address', listening);
}

interface Connection {
  /** Commands to the browser, or to the page of a session. */
  to(sessionId?: string): Command;
  /** Resolves at the next such event of that session. */
  once(method: string, sessionId: string): Promise<void>;
}

function createConnection(socket: WebSocket): Connection {
  const commands = new Map<number, (answer: Message) => void>();
  const events = new Map<string, () => void>();
  let lastId = 0;
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Message;
    if (message.id === undefined) {
      events.get(`${message.sessionId ?? ''} ${message.method ?? ''}`)?.();
      return;
    }
    commands.get(message.id)?.(message);
    commands.delete(message.id);
  });
  return {
    to: (sessionId) => (method, params) => {
      const answered = new Promise<Record<string, unknown>>((resolve, reject) => {
        lastId += 1;
        commands.set(lastId, ({ result, error }) => {
          if (result === undefined) reject(new Error(`${method}: ${JSON.stringify(error)}`));
          else resolve(result);
        });
        socket.send(JSON.stringify({ id: lastId, method, params, sessionId }));
      });
      return bounded(method, answered);
    },
    once(method, sessionId) {
      const happened = new Promise<void>((resolve) => {
        const key = `${sessionId} ${method}`;
        events.set(key, () => {
          events.delete(key);
          resolve();
        });
      });
      return bounded(method, happened);
    },
  };
}

async function evaluate<T>(command: Command, expression: string): Promise<T> {
  const options = { awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await command('Runtime.evaluate', { expression, ...options });
  if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
  return (result as { value: T }).value;
}
