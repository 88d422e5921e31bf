// Loaded into every process under measurement before its own program: profiles it, collects its garbage, and ends it when
// the bench has gone. Costs an idle channel.
import { writeFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { serveCommands } from './commands';

export interface AttendantCommands {
  /** Collects garbage, so that only referenced memory is counted. */
  readonly collectGarbage: (input: null) => Promise<null>;
  readonly startProfile: (input: null) => Promise<null>;
  /** Writes a `.cpuprofile` since `startProfile`. */
  readonly stopProfile: (input: { readonly file: string }) => Promise<null>;
}

let session: Session | undefined;

const commands: AttendantCommands = {
  collectGarbage() {
    // There with --expose-gc. Twice: the first run makes weak references go, the second what they held.
    (globalThis as { gc?: () => void }).gc?.();
    (globalThis as { gc?: () => void }).gc?.();
    return Promise.resolve(null);
  },
  async startProfile() {
    session = new Session();
    session.connect();
    await posted(session, 'Profiler.enable');
    await posted(session, 'Profiler.start');
    return null;
  },
  async stopProfile({ file }) {
    if (session === undefined) throw new Error('no profile was started');
    const { profile } = (await posted(session, 'Profiler.stop')) as { profile: Profiler.Profile };
    session.disconnect();
    session = undefined;
    writeFileSync(file, JSON.stringify(profile));
    return null;
  },
};

serveCommands(commands);
// The program must end as it would without us.
process.channel?.unref();

function posted(to: Session, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    to.post(method, (error, result) => {
      if (error === null) resolve(result);
      else reject(error);
    });
  });
}
