export type Outcome = 'done' | 'too late';

/** Waits for work with a timeout. The work itself continues; a rejection after the timeout is dropped. */
export async function bounded(work: Promise<void>, withinMs: number): Promise<Outcome> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve('too late'), withinMs);
  });
  try {
    return await Promise.race([work.then((): Outcome => 'done'), deadline]);
  } finally {
    clearTimeout(timer);
  }
}
