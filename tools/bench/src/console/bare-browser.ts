// A Chromium without a driver: pages are visited over its protocol alone. A driver such as Playwright adds worlds and observers of its own to each
// page, which in a browser that is slowed down four times takes as long as half of a visit.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

const START_MS = 30_000;
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
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const held = resources.hold(child, async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  const socket = new WebSocket(await addressOf(child.stderr), { maxPayload: MAX_BYTES });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', () => resolve());
    socket.once('error', reject);
  });
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
          await inPage('Page.navigate', { url });
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

/** Where the browser listens, which it prints. */
function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the browser does not listen')), START_MS);
    createInterface(output).on('line', (line) => {
      const address = LISTENING.exec(line)?.[1];
      if (address === undefined) return;
      clearTimeout(late);
      resolve(address);
    });
  });
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
    to: (sessionId) => (method, params) =>
      new Promise((resolve, reject) => {
        lastId += 1;
        commands.set(lastId, ({ result, error }) => {
          if (result === undefined) reject(new Error(`${method}: ${JSON.stringify(error)}`));
          else resolve(result);
        });
        socket.send(JSON.stringify({ id: lastId, method, params, sessionId }));
      }),
    once: (method, sessionId) =>
      new Promise((resolve) => {
        const key = `${sessionId} ${method}`;
        events.set(key, () => {
          events.delete(key);
          resolve();
        });
      }),
  };
}

async function evaluate<T>(command: Command, expression: string): Promise<T> {
  const options = { awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await command('Runtime.evaluate', { expression, ...options });
  if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
  return (result as { value: T }).value;
}
