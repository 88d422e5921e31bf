// The link that signs in to the web console once, for the person who started this process.
import { join } from 'node:path';
import type { Clock, Logger } from '@busbar/core';
import type { ApiKeyReader } from '@busbar/domain/clients';
import { CODE_MINUTES, createSignInCode, keyForLink, type SignInCodes } from '@busbar/domain/console';
import { writeSecretFile } from '@busbar/operations';
import { makeDataDirectory } from '@busbar/store';
import { CODE_FRAGMENT, type ShownConsole } from './banner';

const FILE = 'console-link';

export interface SignInLinkDeps {
  readonly apiKeys: Pick<ApiKeyReader, 'list'>;
  readonly signInCodes: SignInCodes;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface LinkPlace {
  readonly http: string;
  /** For the file, where no terminal shows the link. */
  readonly directory: string;
  readonly isTerminal: boolean;
}

/** Makes a link that signs in with a key of the client. Never rejects: the service runs without. */
export async function signInLink(
  deps: SignInLinkDeps,
  clientId: string,
  { http, directory, isTerminal }: LinkPlace,
): Promise<ShownConsole> {
  try {
    const key = await keyForLink(deps, clientId);
    if (key === undefined) return { kind: 'address' };
    const code = await createSignInCode(deps, key.keyId);
    if (isTerminal) return { kind: 'link', code, minutes: CODE_MINUTES };
    const file = join(directory, FILE);
    await makeDataDirectory(directory);
    await writeSecretFile(file, `${http}/console/${CODE_FRAGMENT}${code}\n`);
    return { kind: 'file', file, minutes: CODE_MINUTES };
  } catch (error) {
    deps.logger.warn({ err: error }, 'cannot make a sign-in link of the console: sign in with an API key');
    return { kind: 'address' };
  }
}
