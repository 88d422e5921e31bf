// Replays and drops dead letters, one request each: a letter that somebody else has dealt with meanwhile is done.
import { api, dataOf, type Schemas } from '../../api/client';
import { isFailure } from '../../api/problem';

type Letter = Schemas['DeadLetter'];

const PAGE = 100;

export interface Progress {
  /** Aborted: no further letter is begun, and the promise rejects. */
  readonly signal: AbortSignal;
  /** Called after each letter, with how many are done. */
  readonly onDone: (done: number) => void;
}

export async function replayLetters(ids: readonly string[], { signal, onDone }: Progress): Promise<void> {
  for (const [index, deadLetterId] of ids.entries()) {
    signal.throwIfAborted();
    const params = { path: { deadLetterId } };
    await unlessGone(dataOf(api.POST('/v2/operator/dead-letters/{deadLetterId}/replay', { params })));
    onDone(index + 1);
  }
}

export async function dropLetters(ids: readonly string[], { signal, onDone }: Progress): Promise<void> {
  for (const [index, deadLetterId] of ids.entries()) {
    signal.throwIfAborted();
    await unlessGone(
      dataOf(api.DELETE('/v2/operator/dead-letters/{deadLetterId}', { params: { path: { deadLetterId } } })),
    );
    onDone(index + 1);
  }
}

/**
 * Page by page, also letters that are not on the screen, but for those that came, or came back, after it began. A page is continued behind
 * the last letter that stays.
 */
export async function eachOfReason(
  reason: string,
  work: (ids: readonly string[], progress: Progress) => Promise<void>,
  { signal, onDone }: Progress,
): Promise<void> {
  let newest: string | undefined;
  for (let after: string | undefined, hasMore = true, done = 0; hasMore;) {
    const { items, nextAfter } = await readLetters(after, signal);
    const latest = (newest ??= items[0]?.at ?? '');
    const isDue = (letter: Letter) => letter.reason === reason && letter.at <= latest;
    const ids = items.filter(isDue).map(({ id }) => id);
    const before = done;
    await work(ids, { signal, onDone: (count) => onDone(before + count) });
    done += ids.length;
    after = items.findLast((letter) => !isDue(letter))?.id ?? after;
    hasMore = nextAfter !== null;
  }
}

export function readLetters(after: string | undefined, signal?: AbortSignal): Promise<Schemas['DeadLetters']> {
  const query = { limit: PAGE, ...(after === undefined ? {} : { after }) };
  return dataOf(api.GET('/v2/operator/dead-letters', { params: { query }, ...(signal && { signal }) }));
}

async function unlessGone(done: Promise<Pick<Letter, 'id'>>): Promise<void> {
  try {
    await done;
  } catch (error) {
    if (!isFailure(error) || error.code !== 'not_found') throw error;
  }
}
