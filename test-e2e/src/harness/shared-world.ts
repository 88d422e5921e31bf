// Networks that the test files of one Jest worker share: to start one costs more than most files do with it. A process of
// its own keeps each (world-keeper.ts), because nothing that a test file starts itself may outlive the file.
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@busbar/testing';
import { createServedDocuments } from './served-documents';
import type { Addresses, OwnWorld, World, WorldKind } from './world';

const START_MS = 110_000;
export const PARTS = ['charger-state', 'push', 'gateway', 'v2-api', 'legacy-api'] as const;

/** A network of a process of its own. */
export interface SharedWorld extends World {
  /** Its keeper's process id. */
  readonly keeper: number;
  /** The process ids of its programs. */
  readonly programs: readonly number[];
}

/** A network as its keeper describes it. */
interface KeptWorld extends Pick<
  SharedWorld,
  'kind' | 'clientId' | 'apiKey' | 'storeUrl' | 'brokerUrl' | 'keeper' | 'programs'
> {
  readonly addresses: Addresses;
}

/** Returns what the keeper, which is this process, prints of its network. */
export function keptWorldOf({ addresses, program, ...world }: OwnWorld): KeptWorld {
  const { kind, clientId, apiKey, storeUrl, brokerUrl } = world;
  const programs = [...new Set(PARTS.map((part) => program(part).pid))];
  return { keeper: process.pid, programs, kind, clientId, apiKey, storeUrl, brokerUrl, addresses: addresses() };
}

/** The network of this kind that runs for this Jest worker: started by the first file that asks, stopped when the worker ends. */
export async function openSharedWorld(kind: WorldKind, directory = directoryOf(kind)): Promise<SharedWorld> {
  const { addresses, ...kept } = readKept(directory) ?? (await startKeeper(kind, directory));
  return { ...kept, served: createServedDocuments(), addresses: () => addresses };
}

/** Throws with the output of the program that ended where this worker's network of this kind has crashed. */
export function assertSharedWorld(kind: WorldKind, directory = directoryOf(kind)): void {
  readKept(directory);
}

function directoryOf(kind: WorldKind): string {
  return join(tmpdir(), `busbar-world-${String(process.pid)}-${kind.replace(' ', '-')}`);
}

async function startKeeper(kind: WorldKind, directory: string): Promise<KeptWorld> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const [printed, errors] = [openSync(printedFile(directory), 'w'), openSync(errorFile(directory), 'w')];
  const node = ['--conditions=source', '--require', require.resolve('tsx/cjs'), join(__dirname, 'world-keeper.ts')];
  const keeper = spawn(process.execPath, [...node, kind, directory], {
    stdio: ['pipe', printed, errors],
    // Ctrl-C ends the worker, and with it the keeper's input.
    detached: true,
  });
  closeSync(printed);
  closeSync(errors);
  letWorkerEnd(keeper);
  const outcome = await eventually(
    () => (keeper.exitCode === null && keeper.signalCode === null ? readKept(directory) : 'ended'),
    START_MS,
  );
  if (outcome === 'ended') throw new Error(`the network did not start: ${readFileSync(errorFile(directory), 'utf8')}`);
  return outcome;
}

/** Neither the keeper nor the pipe to it may keep a finished test run alive. */
function letWorkerEnd(keeper: ChildProcess): void {
  keeper.unref();
  (keeper.stdin as Socket | null)?.unref();
}

/**
 * Undefined until the keeper has printed all of it. The directory may be an earlier run's whose worker had the same id. Throws
 * where this worker's keeper has ended.
 */
function readKept(directory: string): KeptWorld | undefined {
  if (!existsSync(printedFile(directory))) return undefined;
  const text = readFileSync(printedFile(directory), 'utf8');
  if (!text.endsWith('\n')) return undefined;
  const kept = JSON.parse(text) as KeptWorld;
  if (isAlive(kept.keeper)) return kept;
  const workerStartMs = Date.now() - process.uptime() * 1_000;
  if (statSync(printedFile(directory)).mtimeMs < workerStartMs) return undefined;
  throw new Error(`the shared network ended: ${readFileSync(errorFile(directory), 'utf8')}`);
}

function printedFile(directory: string): string {
  return join(directory, 'world.json');
}

function errorFile(directory: string): string {
  return join(directory, 'errors');
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
