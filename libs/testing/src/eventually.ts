const STEP_MS = 5;

/**
 * Calls `probe` until it neither throws nor gives undefined or false, and resolves with what it gave. After `withinMs`
 * rejects with the last failure. The bound is only there so that a failing test ends: it asserts no duration.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  withinMs = 20_000,
): Promise<Exclude<T, undefined | false>> {
  const end = Date.now() + withinMs;
  let failure: unknown = new Error('the probe gave nothing');
  do {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value as Exclude<T, undefined | false>;
    } catch (error) {
      failure = error;
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  } while (Date.now() < end);
  throw new Error(`still not so after ${String(withinMs)} ms`, { cause: failure });
}
