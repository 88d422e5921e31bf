import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { Machine } from './results';

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    processors: processors.length,
    model: processors[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: `${platform()} ${release()} ${arch()}`,
    node: process.version,
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  };
}
