export type Outcome = 'done' | 'too late';

/** Waits for work, at most so long. The work itself goes on; a rejection that comes too late is dropped. */
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
