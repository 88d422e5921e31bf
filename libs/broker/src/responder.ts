// Responds to requests: the same for every adapter.
import { versionOf, type DirectChannel } from '@busbar/contracts';
import type { Logger } from '@busbar/core';
import { guardedAnswer } from './guarded';
import type { RequestOutcome } from './port';

export type Response<Answer> = Extract<
  RequestOutcome<Answer>,
  { readonly outcome: 'answered' | 'unsupported_version' }
>;

export interface ResponderDeps<Body, Answer> {
  readonly channel: DirectChannel<Body, Answer>;
  /** For logs. */
  readonly address: string;
  readonly handler: (body: Body) => Promise<Answer>;
  readonly logger: Logger;
}

const FIRST_VERSION = 1;

/** Resolves with undefined when the handler failed. Refuses a request of a newer version; each version is logged once. */
export function createResponder<Body, Answer>(
  deps: ResponderDeps<Body, Answer>,
): (body: unknown) => Promise<Response<Answer> | undefined> {
  const { channel, address, handler, logger } = deps;
  let reported = channel.version ?? FIRST_VERSION;
  return async (body) => {
    const version = versionOf(body);
    if (version > (channel.version ?? FIRST_VERSION)) {
      if (version > reported) {
        reported = version;
        logger.warn({ address, version }, 'requests of a newer version are refused; upgrade this process');
      }
      return { outcome: 'unsupported_version' };
    }
    // Bodies have the type of the channel.
    const given = await guardedAnswer(logger, address, () => handler(body as Body));
    return given && { outcome: 'answered', answer: given.answer };
  };
}
