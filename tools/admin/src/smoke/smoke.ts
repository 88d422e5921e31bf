// `smoke`: whether a deployment works, seen from outside. One step after the other; the first that fails ends it.
import { setTimeout } from 'node:timers/promises';
import { AppError, messageOf, randomToken } from '@busbar/core';
import { connectCharger, statusOfUpgrade, type SmokeCharger } from './charger';
import { call, certificateEnd, type Reply, type Request } from './connection';
import type { Target } from './target';

export interface SmokeOptions {
  readonly target: Target;
  /** Undefined: the steps that need a key are left out. */
  readonly key: string | undefined;
  readonly signal: AbortSignal;
  readonly report: (step: PassedStep) => void;
  /** For a change that chargers cause: over the broker into the store. Default 20 s. */
  readonly appliedWithinMs?: number;
}

export interface PassedStep {
  readonly step: string;
  readonly detail: string;
}

const APPLIED_WITHIN_MS = 20_000;
const LOOK_MS = 200;
const NOT_FOUND = 404;

/**
 * Runs the steps. Rejects with `unavailable` and the step that failed. Its records are deleted also after a failed step.
 */
export async function smoke(options: SmokeOptions): Promise<void> {
  const { target } = options;
  const run = createRunner(options);
  for (const { name, url } of target.internals)
    await run(`/readyz of ${name}`, async () => checkReady(await call(new URL(`${url}/readyz`), NO_PEER)));
  for (const url of securePorts(target))
    await run(`certificate of ${url.host}`, async () => {
      return `valid for ${target.host ?? url.hostname} until ${(await certificateEnd(url, target)).toISOString()}`;
    });
  await run('/v2/openapi.json', async () => {
    const reply = await call(new URL('/v2/openapi.json', target.v2), target);
    if (isRecord(reply.body) && typeof reply.body['openapi'] === 'string' && reply.status === 200) return '';
    throw unexpected(reply);
  });
  await run('unknown charger', async () => {
    const status = await statusOfUpgrade(chargerUrl(target, newId()), target);
    if (status === NOT_FOUND) return 'rejected with 404';
    throw new Error(`its upgrade got ${String(status)} and not 404`);
  });
  if (options.key !== undefined) await runCharger(run, options, options.key);
}

type Run = (step: string, work: () => Promise<string>) => Promise<void>;
type CallV2 = (path: string, request?: Request) => Promise<Reply>;

/** An interruption counts between two steps: each step ends soon by itself. */
function createRunner({ signal, report }: SmokeOptions): Run {
  return async (step, work) => {
    try {
      refuseInterrupted(signal);
      report({ step, detail: await work() });
    } catch (cause) {
      throw new AppError('unavailable', `The step "${step}" failed: ${messageOf(cause)}.`, { cause });
    }
  };
}

function refuseInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw new Error('it was interrupted');
}

/** Creates a charger, lets it connect and boot, and deletes it. */
async function runCharger(run: Run, options: SmokeOptions, key: string): Promise<void> {
  const { target } = options;
  const chargerId = newId();
  const callV2: CallV2 = (path, request = {}) =>
    call(new URL(`/v2${path}`, target.v2), target, { ...request, headers: { 'x-api-key': key } });
  const created: string[] = [];
  const read = (): Promise<Reply> => callV2(`/chargers/${chargerId}`);
  const sockets: SmokeCharger[] = [];
  const current = (): SmokeCharger => {
    const [charger] = sockets;
    if (charger === undefined) throw new Error('the charger is not connected');
    return charger;
  };
  try {
    await run('create a charger', () => createCharger(callV2, chargerId, created));
    await run('connect', async () => {
      sockets.push(await connectCharger(chargerUrl(target, chargerId), target));
      return '';
    });
    await run('boot', async () => {
      const status = await current().boot();
      if (status === 'Accepted') return status;
      throw new Error(`BootNotification was answered with ${status}`);
    });
    await run('read activeConnection: true', () => readActive(options, read, true));
    await run('close', async () => {
      await current().close();
      return '';
    });
    await run('read activeConnection: false', () => readActive(options, read, false));
    await run('delete the charger', () => deleteAll(callV2, created));
  } catch (cause) {
    for (const charger of sockets) charger.terminate();
    throw await withCleanUp(cause, () => deleteAll(callV2, created));
  }
}

/** In the client's oldest site; a client without one gets one for the test. `created` has the records that exist afterwards. */
async function createCharger(callV2: CallV2, chargerId: string, created: string[]): Promise<string> {
  const body = { chargerId, name: 'Smoke test' };
  // Before the request: one without a response may have been received.
  created.push(`/chargers/${chargerId}`);
  let reply = await callV2('/chargers', { method: 'POST', body });
  if (codeOf(reply) === 'site_required') {
    const site = await callV2('/sites', { method: 'POST', body: { name: 'Smoke test' } });
    const id = isRecord(site.body) ? site.body['id'] : undefined;
    if (site.status !== 200 || typeof id !== 'number') throw unexpected(site);
    created.push(`/sites/${String(id)}`);
    reply = await callV2('/chargers', { method: 'POST', body: { ...body, siteId: id } });
  }
  if (reply.status !== 200) throw unexpected(reply);
  return chargerId;
}

/** In the order of their creation: a site is deleted without chargers. */
async function deleteAll(callV2: CallV2, created: string[]): Promise<string> {
  for (let path = created[0]; path !== undefined; path = created[0]) {
    const reply = await callV2(path, { method: 'DELETE' });
    if (reply.status !== 200 && reply.status !== NOT_FOUND) throw unexpected(reply);
    created.shift();
  }
  return '';
}

/** The error of the step, and what could not be deleted after it. */
async function withCleanUp(error: unknown, cleanUp: () => Promise<unknown>): Promise<unknown> {
  try {
    await cleanUp();
    return error;
  } catch (cause) {
    const sentence = `${messageOf(error)} Its records could not be deleted: ${messageOf(cause)}.`;
    return new AppError('unavailable', sentence, { cause: error });
  }
}

async function readActive(
  { signal, appliedWithinMs = APPLIED_WITHIN_MS }: SmokeOptions,
  read: () => Promise<Reply>,
  expected: boolean,
): Promise<string> {
  const endsAt = performance.now() + appliedWithinMs;
  for (;;) {
    const reply = await read();
    if (reply.status !== 200 || !isRecord(reply.body)) throw unexpected(reply);
    const found = reply.body['activeConnection'];
    if (found === expected) return '';
    if (performance.now() > endsAt)
      throw new Error(`it is still ${String(found)} after ${String(appliedWithinMs / 1000)} s`);
    refuseInterrupted(signal);
    await setTimeout(LOOK_MS);
  }
}

function checkReady({ status, body }: Reply): string {
  if (status === 200) return '';
  const checks = isRecord(body) && Array.isArray(body['checks']) ? (body['checks'] as readonly unknown[]) : [];
  const failing = checks.filter(isRecord).filter(({ ok, required }) => ok === false && required === true);
  const reasons = failing.map(({ name, detail }) => `; ${String(name)}: ${String(detail)}`);
  throw new Error(`it responded ${String(status)}${reasons.join('')}`.replace(/\.$/, ''));
}

const NO_PEER = { ca: undefined, host: undefined };

/** Each port with TLS once. */
function securePorts({ v2, ocpp }: Target): readonly URL[] {
  const secure = [v2, ocpp].filter(({ protocol }) => protocol === 'https:' || protocol === 'wss:');
  return [...new Map(secure.map((url) => [url.host, url])).values()];
}

function chargerUrl({ ocpp }: Target, chargerId: string): URL {
  return new URL(`${ocpp.href.replace(/\/$/, '')}/${chargerId}`);
}

function newId(): string {
  return `SMOKE_${randomToken(9).replaceAll('-', '_')}`;
}

function unexpected(reply: Reply): Error {
  const detail = isRecord(reply.body) ? (reply.body['detail'] ?? reply.body['message']) : undefined;
  return new Error(
    `it got ${String(reply.status)}${typeof detail === 'string' ? `: ${detail.replace(/\.$/, '')}` : ''}`,
  );
}

function codeOf({ body }: Reply): unknown {
  return isRecord(body) ? body['code'] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
