// The races themselves run in charger-state's tests with real stores; here each reading of the claims is a situation.
import { newSession } from '../testing/session';
import { tagId } from '../tags/tag';
import type { TagClaim, TagClaimStore } from '../tags/tag-claim';
import { resolveStarts } from './resolve-starts';
import type { Session } from './session';

const AT = '2026-01-01T12:00:00.000Z';
const START = newSession({ transactionId: 1 });
const RIVAL = newSession({ transactionId: 2, socketId: 2 });
const AFTER = newSession({ transactionId: 6 });

function claimOf({ clientId, idTagKey, sessionId }: Session): TagClaim {
  return { clientId, idTagKey, sessionId, at: AT };
}

/** Claims by compare-and-set. `between` comes first when claims are taken. */
function open(claims: readonly TagClaim[], stored: readonly Session[], between?: TagClaim) {
  const held = new Map(claims.map((claim) => [tagId(claim), claim]));
  let taken = 0;
  const store: TagClaimStore = {
    find: (tags) => Promise.resolve(tags.flatMap((tag) => held.get(tagId(tag)) ?? [])),
    take: (changes) => {
      taken += 1;
      if (between !== undefined) held.set(tagId(between), between);
      for (const { claim, insteadOf } of changes) {
        if (held.get(tagId(claim))?.sessionId === insteadOf) held.set(tagId(claim), claim);
      }
      return Promise.resolve();
    },
  };
  const findByIds = (ids: readonly string[]) =>
    Promise.resolve(stored.filter(({ sessionId }) => ids.includes(sessionId)));
  const holders = (): string[] => [...held.values()].map(({ sessionId }) => sessionId).sort();
  return { deps: { claims: store, sessions: { findByIds } }, holders, taken: () => taken };
}

describe('a start whose tag has a claim', () => {
  it.each<[string, Session | undefined, 'wins' | 'loses']>([
    ['wins where the session of the claim is unknown', undefined, 'wins'],
    ['wins where that session has ended', { ...RIVAL, state: 'ended' }, 'wins'],
    ['wins where that session was superseded', { ...RIVAL, state: 'superseded' }, 'wins'],
    ['wins where that session was refused', { ...RIVAL, state: 'refused' }, 'wins'],
    ['wins where that session released the tag', { ...RIVAL, tagReleased: true }, 'wins'],
    ['wins where that session is at the same socket', { ...RIVAL, socketId: 1 }, 'wins'],
    ['loses to an ongoing session at another socket', RIVAL, 'loses'],
    ['loses to an ongoing session at another charger', { ...RIVAL, socketId: 1, incarnationId: 'ACME_2-1' }, 'loses'],
  ])('61. %s', async (_title, holder, end) => {
    const { deps, holders } = open([claimOf(RIVAL)], holder === undefined ? [START] : [START, holder]);
    expect(await resolveStarts([START], AT, deps)).toEqual(end === 'wins' ? [] : ['s1']);
    expect(holders()).toEqual([end === 'wins' ? 's1' : 's2']);
  });
});

describe('simultaneous starts', () => {
  const otherTag = newSession({ transactionId: 3, idTag: 'Second' });
  const otherClient = newSession({ transactionId: 4, clientId: 'other' });

  it.each<[string, Session[], { claims?: TagClaim[]; between?: TagClaim }, { lost: string[]; holders: string[] }]>([
    ['takes the claim of a tag without one', [START], {}, { lost: [], holders: ['s1'] }],
    ['lets one claim win that came between', [START], { between: claimOf(RIVAL) }, { lost: ['s1'], holders: ['s2'] }],
    [
      'lets a start win beside a claim that came between from the same socket',
      [START],
      { between: claimOf(AFTER) },
      { lost: [], holders: ['s6'] },
    ],
    [
      'judges each tag and each client apart',
      [START, otherTag, otherClient],
      { claims: [claimOf(RIVAL)] },
      { lost: ['s1'], holders: ['s2', 's3', 's4'] },
    ],
    ['lets starts with one tag in one call win together', [START, RIVAL], {}, { lost: [], holders: ['s2'] }],
    [
      'lets starts with one tag in one call lose together',
      [START, { ...START, sessionId: 's5' }],
      { claims: [claimOf(RIVAL)] },
      { lost: ['s1', 's5'], holders: ['s2'] },
    ],
  ])('61. %s', async (_title, starts, { claims = [], between }, { lost, holders }) => {
    const world = open(claims, [...starts, RIVAL, AFTER], between);
    expect(await resolveStarts(starts, AT, world.deps)).toEqual(lost);
    expect(world.holders()).toEqual(holders);
  });

  it('61. has the same result when it is repeated, and takes the claim once', async () => {
    const { deps, taken } = open([], [START]);
    expect(await resolveStarts([START], AT, deps)).toEqual([]);
    expect(await resolveStarts([START], AT, deps)).toEqual([]);
    expect(taken()).toBe(1);
  });

  it('61. reads nothing where there are none', async () => {
    const unread = () => Promise.reject(new Error('nothing is to be read'));
    const deps = { claims: { find: unread, take: unread }, sessions: { findByIds: unread } };
    expect(await resolveStarts([], AT, deps)).toEqual([]);
  });
});
