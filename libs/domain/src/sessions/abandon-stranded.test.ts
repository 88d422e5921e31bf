import { newSession } from '../testing/session';
import { abandonStranded, type AbandonStrandedDeps } from './abandon-stranded';
import type { Session } from './session';

const BATCH = 10;
const OLD = 'ACME_1-0';

/** The chargers ACME_1 and ACME_2 are registered. The abandoned ones are those whose sessions were abandoned, in order. */
function open(...sessions: readonly Session[]) {
  const abandoned: string[] = [];
  const incarnations = new Map([
    ['ACME_1', 'ACME_1-1'],
    ['ACME_2', 'ACME_2-1'],
  ]);
  const asked: (readonly string[])[] = [];
  const deps: AbandonStrandedDeps = {
    sessions: {
      ongoingAfter: (after, limit) =>
        Promise.resolve(sessions.filter(({ transactionId }) => transactionId > after).slice(0, limit)),
      abandon: (chargerId, incarnationId) => Promise.resolve(void abandoned.push(`${chargerId} ${incarnationId}`)),
    },
    chargers: {
      incarnationsOf: (chargerIds) => {
        asked.push(chargerIds);
        return Promise.resolve(new Map([...incarnations].filter(([chargerId]) => chargerIds.includes(chargerId))));
      },
    },
  };
  return { deps, abandoned, asked };
}

describe('the sessions of deleted chargers', () => {
  it.each<[string, Partial<Session>[], string[]]>([
    ['are none where there are no sessions', [], []],
    ['are none where each charger is registered', [{ chargerId: 'ACME_1' }, { chargerId: 'ACME_2' }], []],
    ['are those of a charger that is not registered', [{ chargerId: 'GONE' }], ['GONE GONE-1']],
    ['are those of another incarnation', [{ incarnationId: OLD }], [`ACME_1 ${OLD}`]],
    ['are found beside those of its successor', [{ incarnationId: OLD }, {}], [`ACME_1 ${OLD}`]],
    ['are abandoned together', [{ chargerId: 'GONE' }, { chargerId: 'GONE', socketId: 2 }], ['GONE GONE-1']],
    [
      'are abandoned for each incarnation of one charger',
      [{ incarnationId: OLD }, { incarnationId: 'ACME_1-00' }],
      [`ACME_1 ${OLD}`, 'ACME_1 ACME_1-00'],
    ],
  ])('%s', async (_title, parts, expected) => {
    const { deps, abandoned } = open(...parts.map((part, i) => newSession({ ...part, transactionId: i + 1 })));
    const { chargerIds } = await abandonStranded(deps, 0, BATCH);
    expect(abandoned).toEqual(expected);
    expect(chargerIds).toEqual(expected.map((each) => each.split(' ')[0]));
  });

  it('are looked for with one read of each charger', async () => {
    const { deps, asked } = open(newSession({ transactionId: 1 }), newSession({ transactionId: 2, socketId: 2 }));
    await abandonStranded(deps, 0, BATCH);
    expect(asked).toEqual([['ACME_1']]);
  });

  it.each<[string, number, number, { readonly abandoned: string[]; readonly next: number | undefined }]>([
    ['first', 0, 2, { abandoned: ['A A-1', 'B B-1'], next: 5 }],
    ['last', 5, 2, { abandoned: ['C C-1'], next: undefined }],
    ['last, where it is full', 3, 2, { abandoned: ['B B-1', 'C C-1'], next: 8 }],
    ['empty one after it', 8, 2, { abandoned: [], next: undefined }],
  ])('are found in batches: the %s', async (_title, after, limit, { next, abandoned: expected }) => {
    const { deps, abandoned } = open(
      newSession({ transactionId: 3, chargerId: 'A' }),
      newSession({ transactionId: 5, chargerId: 'B' }),
      newSession({ transactionId: 8, chargerId: 'C' }),
    );
    expect((await abandonStranded(deps, after, limit)).next).toBe(next);
    expect(abandoned).toEqual(expected);
  });
});
