// A process as a kubelet keeps one: started, probed for readiness, ended by SIGTERM and, after its grace period, by SIGKILL.
import { request } from 'node:http';
import { setTimeout as last } from 'node:timers/promises';
import { eventually } from '@busbar/testing';
import { http } from '../harness/http';
import { startProgram, type Program } from '../harness/program';
import type { Environment, Probe } from './rendered';

export interface Pod {
  readonly name: string;
  readonly node: string;
  isRunning(): boolean;
  /** As its last probes found it. */
  isReady(): boolean;
  /** Resolves when it is ready; rejects when it has ended instead. */
  ready(): Promise<void>;
  /** SIGTERM. Resolves when it has ended; rejects when its grace period was too short or it ended with another code than 0. */
  terminate(): Promise<void>;
  program(): Program;
  metrics(): Promise<string>;
  output(): string;
}

export interface PodOptions {
  readonly name: string;
  readonly node: string;
  /** Folder below `services`. */
  readonly service: string;
  /** The folder of the checkout. Default: this one. */
  readonly folder?: string | undefined;
  readonly env: Environment;
  readonly probe: Probe;
  readonly graceSeconds: number;
  readonly onReadiness: (isReady: boolean) => void;
}

const START_MS = 60_000;

export function startPod({ name, node, service, folder, env, probe, graceSeconds, onReadiness }: PodOptions): Pod {
  const program = startProgram(service, env, folder);
  let isReady = false;
  let hasEnded = false;
  const set = (next: boolean): void => {
    if (isReady === next) return;
    isReady = next;
    onReadiness(next);
  };
  void program.exited().then(() => {
    hasEnded = true;
    set(false);
  });

  async function watch(): Promise<void> {
    const { host, port } = await program.bound('internal');
    const isEnded = (): boolean => hasEnded;
    for (let failures = 0; !isEnded(); await last(probe.periodSeconds * 1_000)) {
      const isOk = await responds(`http://${host}:${String(port)}/readyz`, probe.timeoutSeconds * 1_000);
      failures = isOk ? 0 : failures + 1;
      if (isOk && !isEnded()) set(true);
      if (failures >= probe.failureThreshold) set(false);
    }
  }
  // One that ended before it listened says so below.
  watch().catch(() => undefined);

  return {
    name,
    node,
    isRunning: () => !hasEnded,
    isReady: () => isReady,
    async ready() {
      const found = await eventually(() => isReady || (hasEnded ? 'ended' : undefined), START_MS);
      if (found === 'ended') throw new Error(`${name} ended while it started:\n${program.output()}`);
    },
    async terminate() {
      const timer = setTimeout(() => program.signal('SIGKILL'), graceSeconds * 1_000);
      const code = await program.end('SIGTERM');
      clearTimeout(timer);
      if (code !== 0) throw new Error(`${name} ended with ${String(code)} within ${String(graceSeconds)} s`);
    },
    program: () => program,
    async metrics() {
      const { host, port } = await program.bound('internal');
      return (await http(`http://${host}:${String(port)}/metrics`)).text;
    },
    output: program.output,
  };
}

/** Returns whether it responds with 200 within the time, on a connection of its own. */
function responds(url: string, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { agent: false, timeout: withinMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(false));
    asked.end();
  });
}
