import { delay, type Clock } from '@busbar/core';

/** Between two reads. */
const LOOK_MS = 100;
/** Storing the charger's answer takes less, except in an outage. */
const MAX_STORING_MS = 3_000;

/**
 * Resolves when the answer to a command is stored, or has not been for three seconds. `storedBy` reads the command of the last answer that
 * is: ids of commands ascend with time, and a later answer has what an earlier one has.
 */
export async function untilStored(
  { clock }: { readonly clock: Clock },
  commandId: string,
  storedBy: () => Promise<string | null | undefined>,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_STORING_MS; waitedMs += LOOK_MS) {
    if (((await storedBy()) ?? '') >= commandId) return;
    await delay(clock, LOOK_MS);
  }
}
