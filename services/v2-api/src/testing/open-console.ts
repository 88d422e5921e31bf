// The console and the v2 API on one port, as v2-api serves them, with a browser that keeps the cookie.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiApp, type ApiDeps } from '@busbar/api';
import { systemClock, type Clock } from '@busbar/core';
import { createRequestLimits } from '@busbar/http';
import { createAuthorizationLink, createChargerLink, createPushLink } from '@busbar/runtime';
import { ask, serve, type AskOptions, type HttpReply } from '@busbar/testing';
import { v2Api } from '../app';
import { consoleExtension } from '../console/console';
import { openApp, type TestApp } from './open-app';

const SECURE = { 'x-forwarded-proto': 'https' };
/** What a browser sends with a request of the console. */
export const OWN = { 'sec-fetch-site': 'same-origin', 'x-busbar-console': '1' };

export interface TestConsole {
  readonly api: TestApp;
  readonly origin: string;
  readonly directory: string;
  /** By which sessions, keys and links end. */
  readonly clock: Clock;
  /** A request over TLS without any other header. */
  send(method: string, path: string, options?: AskOptions): Promise<HttpReply>;
  signIn(input?: object, headers?: Readonly<Record<string, string>>): Promise<HttpReply>;
  /** Signs in, and returns the cookie to send. */
  cookie(input?: object): Promise<string>;
  /** A request of the console's page with the cookie. */
  asConsole(cookie: string, method: string, path: string, body?: unknown): Promise<HttpReply>;
  /** Advances the clock. Real time continues. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export interface OpenConsoleOptions {
  readonly console?: 'on' | 'off';
  readonly tilesUrl?: string;
  readonly ocppUrl?: string;
  /** Of the built files, by name. None: the console is not built. */
  readonly files?: Readonly<Record<string, string>>;
}

export async function openConsole(options: OpenConsoleOptions = {}): Promise<TestConsole> {
  const api = await openApp();
  const directory = mkdtempSync(join(tmpdir(), 'busbar-console-'));
  writeFiles(directory, options.files ?? {});
  let offsetMs = 0;
  const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + offsetMs) };
  const deps: ApiDeps = {
    records: api.platform.records,
    authorizationLink: createAuthorizationLink(api.platform.broker),
    pushLink: createPushLink(api.platform.broker),
    link: createChargerLink({ broker: api.platform.broker, clock }),
    clock,
    logger: api.logger,
    trustedProxies: ['127.0.0.1'],
    requestLimits: createRequestLimits({ perKey: 10_000, perAddress: 10_000 }, clock),
    commandTimeoutS: 30,
    maskKeys: [],
  };
  const settings = {
    console: options.console ?? 'on',
    consoleOcppUrl: options.ocppUrl,
    consoleTilesUrl: options.tilesUrl,
    consoleTilesAttribution: 'Surveyors',
    consoleDirectory: directory,
  } as const;
  const { front, hasConsole = true } = consoleExtension(settings)(deps);
  const { handle } = createApiApp(v2Api, { ...deps, hasConsole });
  const served = await serve(front?.(handle) ?? handle);
  const { origin } = served;

  const send: TestConsole['send'] = (method, path, { headers, ...rest } = {}) =>
    ask(`${origin}${path}`, { method, headers: { ...SECURE, ...headers }, ...rest });
  const signIn: TestConsole['signIn'] = (input, headers = OWN) => {
    const body = input ?? { clientId: api.own.client.clientId, apiKey: api.own.secret };
    return send('POST', '/console/session', { headers, body });
  };
  return {
    api,
    origin,
    directory,
    clock,
    send,
    signIn,
    async cookie(input) {
      const reply = await signIn(input);
      if (reply.status !== 204) throw new Error(reply.text);
      return reply.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    },
    asConsole: (cookie, method, path, body) =>
      send(method, path, { headers: { cookie, ...OWN }, ...(body === undefined ? {} : { body }) }),
    advance: (ms) => void (offsetMs += ms),
    async close() {
      await served.close();
      await api.close();
      rmSync(directory, { recursive: true });
    },
  };
}

export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(directory, name, '..'), { recursive: true });
    writeFileSync(join(directory, name), content);
  }
}
