import type { Version } from '../router';

type Follower = Pick<Version, 'follow' | 'stop'>;

/** Several parts that follow a version's messages, as one. An absent one is left out. */
export function followersOf(...parts: readonly (Follower | undefined)[]): Follower {
  const followers = parts.filter((part) => part !== undefined);
  return {
    follow(applied) {
      for (const follower of followers) follower.follow(applied);
    },
    stop() {
      for (const follower of followers) follower.stop();
    },
  };
}
