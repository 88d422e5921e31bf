import { spawnSync } from 'node:child_process';

const ANSWER_MS = 5_000;

/** True when a container engine answers; a client without an engine does not count. */
export function containerEngineAnswers(): boolean {
  const answer = spawnSync('docker', ['info', '--format', '{{.ServerVersion}}'], {
    timeout: ANSWER_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return answer.status === 0 && answer.stdout.trim() !== '';
}
