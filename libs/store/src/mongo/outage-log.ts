import { createOutageReporter, type Clock, type Logger } from '@busbar/core';

import type { Link } from './link';

export interface OutageLogDeps {
  readonly link: Pick<Link, 'isUp' | 'listen'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Between start and stop: before and after, nobody expects an answer. */
  readonly isOpen: () => boolean;
}

/** Tells of an outage when it begins and when it ends. Gives what says whether the server answers: who asks is reminded. */
export function createOutageLog({ link, logger, clock, isOpen }: OutageLogDeps): () => boolean {
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'MongoDB does not answer; every call fails at once',
    ended: 'MongoDB answers again',
  });
  const isUp = (): boolean => {
    const up = link.isUp();
    if (!up && isOpen()) outages.report('store', 'no server that takes writes');
    return up;
  };
  link.listen((up) => {
    if (up) outages.clear('store');
    else isUp();
  });
  return isUp;
}
