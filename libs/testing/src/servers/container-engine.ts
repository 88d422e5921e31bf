import { spawnSync } from 'node:child_process';

const ANSWER_MS = 5_000;
/** Where each program shows the version of its engine. */
const VERSION = { docker: '{{.ServerVersion}}', podman: '{{.Version.Version}}' };

/** True when a container engine answers; a client without an engine does not count. */
export function containerEngineAnswers(program: keyof typeof VERSION = 'docker'): boolean {
  const answer = spawnSync(program, ['info', '--format', VERSION[program]], {
    timeout: ANSWER_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'utf8',
  });
  return answer.status === 0 && answer.stdout.trim() !== '';
}
