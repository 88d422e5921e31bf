import { createOutageReporter, type Clock, type Logger } from '@busbar/core';

import type { Link } from './link';

export interface OutageLogDeps {
  readonly link: Pick<Link, 'isUp' | 'listen'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Between start and stop: before and after, no response is expected. */
  readonly isOpen: () => boolean;
}

/** Logs outages. Returns the check whether the server is available, which also reminds. */
export function createOutageLog({ link, logger, clock, isOpen }: OutageLogDeps): () => boolean {
  const outages = createOutageReporter({
    clock,
    logger,
    began: 'MongoDB is unavailable; every call fails at once',
    ended: 'MongoDB is available again',
  });
  const isUp = (): boolean => {
    const up = link.isUp();
    if (!up && isOpen()) outages.report('store', 'no server accepts writes');
    return up;
  };
  link.listen((up) => {
    if (up) outages.clear('store');
    else isUp();
  });
  return isUp;
}
