// `backup-every`: backups at an interval through the socket of the process that has the data file. The newest are kept.
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { AppError, messageOf, type Clock } from '@busbar/core';
import { errnoOf } from '@busbar/runtime';
import { askRunningProcess } from './admin/admin-client';

export interface BackupEveryOptions {
  /** The directory of the running process. */
  readonly dataDirectory: string;
  /** Absolute, and the same for the running process. */
  readonly directory: string;
  readonly everyMs: number;
  readonly keep: number;
  readonly clock: Pick<Clock, 'now'>;
  readonly signal: AbortSignal;
  readonly report: (event: BackupEvent) => void;
  /** Resolves after the time, or when the signal is aborted. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

export type BackupEvent =
  | { readonly kind: 'saved'; readonly file: string; readonly deleted: readonly string[] }
  /** No process runs on the data directory: the next try follows soon. */
  | { readonly kind: 'waiting'; readonly reason: string }
  /** Tried again at the next time. */
  | { readonly kind: 'failed'; readonly reason: string };

const HOUR_MS = 60 * 60 * 1000;
/** The process may start after this one, as the main container of a pod does. */
const RETRY_MS = 10_000;
/** The time of day may be set meanwhile, so it is read again. */
const MAX_WAIT_MS = 60_000;
/** Nothing else has such a name, so that only what this command created is deleted. */
const NAME = /^busbar-every-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/;
/** A backup, its checksum, and what a killed process leaves of them. */
const OWN_FILE =
  /^(?<backup>busbar-every-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.db)(?:\.sha256)?(?<unfinished>\.unfinished)?$/;

/**
 * Backs up at once unless a backup is younger than `everyMs`, then at each interval, until the signal is aborted. Rejects with
 * `invalid_request` where there is no such directory.
 */
export async function backupEvery(options: BackupEveryOptions): Promise<void> {
  const { directory, everyMs, clock, signal, report, wait = waitFor } = options;
  await requireDirectory(directory);
  let dueMs = firstDueMs(await ownBackups(directory), clock.now().getTime(), everyMs);
  let isWaiting = false;
  while (!signal.aborted) {
    const nowMs = clock.now().getTime();
    // A time of day that was set back must not delay a backup by more than the interval.
    dueMs = Math.min(dueMs, nowMs + everyMs);
    if (nowMs < dueMs) {
      await wait(Math.min(dueMs - nowMs, MAX_WAIT_MS), signal);
      continue;
    }
    const event = await backUpOnce(options, new Date(nowMs));
    if (event === undefined) return;
    if (event.kind !== 'waiting' || !isWaiting) report(event);
    isWaiting = event.kind === 'waiting';
    dueMs = nowMs + (isWaiting ? RETRY_MS : everyMs);
  }
}

/** When the first backup is due: at once, or an interval after the newest one. */
export function firstDueMs(backups: readonly string[], nowMs: number, everyMs: number): number {
  const times = backups.map(timeOf).filter((ms) => ms <= nowMs);
  return times.length === 0 ? nowMs : Math.max(nowMs, Math.max(...times) + everyMs);
}

/** The whole hours of a command line in milliseconds; undefined for anything else. */
export function intervalOf(text: string): number | undefined {
  const hours = Number(text);
  return /^\d{1,4}$/.test(text) && hours >= 1 && hours <= 8760 ? hours * HOUR_MS : undefined;
}

export function nameOf(at: Date): string {
  return `busbar-every-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`;
}

function timeOf(name: string): number {
  const [, date = '', hours = '', minutes = '', seconds = ''] = NAME.exec(name) ?? [];
  return Date.parse(`${date}T${hours}:${minutes}:${seconds}Z`);
}

/** Undefined where the signal was aborted meanwhile. */
async function backUpOnce(options: BackupEveryOptions, at: Date): Promise<BackupEvent | undefined> {
  const { dataDirectory, directory, keep, signal } = options;
  const name = nameOf(at);
  const file = join(directory, name);
  try {
    const answered = await askRunningProcess(dataDirectory, ['backup', file], signal);
    if (answered === undefined) {
      const reason = `No process runs on ${dataDirectory}: the backup follows when one does.`;
      return { kind: 'waiting', reason };
    }
    return { kind: 'saved', file, deleted: await deleteOld(directory, keep, name) };
  } catch (error) {
    if (signal.aborted) return undefined;
    return { kind: 'failed', reason: messageOf(error) };
  }
}

/** Deletes all but `saved` and the newest others, and what killed processes left of earlier ones. */
async function deleteOld(directory: string, keep: number, saved: string): Promise<readonly string[]> {
  const others = (await ownBackups(directory)).filter((name) => name !== saved);
  const old = new Set(others.slice(0, Math.max(0, others.length - (keep - 1))));
  const files = await filesOf(directory);
  // The longest names first: a killed process leaves no backup without its checksum.
  for (const name of files.toSorted((a, b) => b.length - a.length)) {
    const { backup, unfinished } = OWN_FILE.exec(name)?.groups ?? {};
    if (backup === undefined || backup === saved) continue;
    if (old.has(backup) || unfinished !== undefined) await rm(join(directory, name), { force: true });
  }
  return [...old];
}

/** The names of complete backups of this command, oldest first. */
async function ownBackups(directory: string): Promise<readonly string[]> {
  return (await filesOf(directory)).filter((name) => NAME.test(name)).sort();
}

/** Regular files alone. */
async function filesOf(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function requireDirectory(directory: string): Promise<void> {
  const stats = await stat(directory).catch((error: unknown) => errnoOf(error) ?? 'unknown');
  if (typeof stats !== 'string' && stats.isDirectory()) return;
  const reason = typeof stats === 'string' ? stats : 'no directory';
  throw new AppError('invalid_request', `${directory} cannot hold backups (${reason}): create the directory.`);
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  // A timer that keeps the process alive. It rejects where it is aborted.
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
