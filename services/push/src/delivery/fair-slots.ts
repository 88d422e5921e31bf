// The requests that this process may have in flight, given to webhooks in turn: one that has much to send does not delay the others.

export interface FairSlots {
  /**
   * Asks for a slot. `use` is called in the turn of this user, once for each call, and returns whether it uses the slot; it then
   * calls `release`.
   */
  request(user: string, use: () => boolean): void;
  release(): void;
  inUse(): number;
}

export function createFairSlots(max: number): FairSlots {
  /** Each user once, in the order in which they asked. */
  const waiting = new Map<string, () => boolean>();
  let inUse = 0;
  let isGranting = false;

  function grant(): void {
    if (isGranting) return;
    isGranting = true;
    while (inUse < max) {
      const [next] = waiting;
      if (next === undefined) break;
      const [user, use] = next;
      waiting.delete(user);
      inUse += 1;
      if (!use()) inUse -= 1;
    }
    isGranting = false;
  }

  return {
    request(user, use) {
      if (!waiting.has(user)) waiting.set(user, use);
      grant();
    },
    release() {
      inUse -= 1;
      grant();
    },
    inUse: () => inUse,
  };
}
