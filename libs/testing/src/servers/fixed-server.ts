import type { PrivateServer } from './private-server';

/** A server whose process is not ours: it can be used and let go, not killed or paused. */
export function fixedServer(url: string, letGo: () => Promise<void> = () => Promise.resolve()): PrivateServer {
  let released: Promise<void> | undefined;
  const notOurs = (): never => {
    throw new Error('this server is not a process of the test: it can be neither killed nor paused');
  };
  return {
    url,
    pid: () => undefined,
    kill: () => Promise.resolve().then(notOurs),
    restart: () => Promise.resolve().then(notOurs),
    pause: notOurs,
    resume: notOurs,
    stop: () => (released ??= letGo()),
  };
}
