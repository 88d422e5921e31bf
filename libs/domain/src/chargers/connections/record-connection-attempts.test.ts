import type { ConnectionAttempt, ConnectionAttemptLimits } from './connection-attempt';
import { CONNECTION_ATTEMPT_LIMITS, recordConnectionAttempts } from './record-connection-attempts';

/** The client `client` has the charger ACME_1, and the client `other` ACME_2. */
function open() {
  const owners = new Map([
    ['ACME_1', 'client'],
    ['ACME_2', 'other'],
  ]);
  const asked: (readonly string[])[] = [];
  const inserted: (readonly [readonly ConnectionAttempt[], ConnectionAttemptLimits])[] = [];
  return {
    asked,
    inserted,
    deps: {
      chargers: {
        ownersOf: (chargerIds: readonly string[]) => {
          asked.push(chargerIds);
          return Promise.resolve(new Map([...owners].filter(([chargerId]) => chargerIds.includes(chargerId))));
        },
      },
      attempts: {
        insert: (attempts: readonly ConnectionAttempt[], limits: ConnectionAttemptLimits) =>
          Promise.resolve(void inserted.push([attempts, limits])),
      },
    },
  };
}

function attempt(attemptId: string, chargerId: string | null): Omit<ConnectionAttempt, 'clientId'> {
  return {
    attemptId,
    chargerId,
    remoteAddress: '192.0.2.1',
    reason: 'wrong_password',
    protocols: ['ocpp1.6'],
    requestId: 'request',
    at: '2026-01-01T00:00:00.000Z',
    count: 3,
  };
}

describe('the rejected attempts of a gateway', () => {
  it.each<[string, string | null, string | null]>([
    ['the client of its charger', 'ACME_1', 'client'],
    ['another client for its charger', 'ACME_2', 'other'],
    ['no client for an unregistered charger', 'ACME_9', null],
    ['no client without a charger id', null, null],
  ])('are stored as they were reported, with %s', async (_title, chargerId, clientId) => {
    const { deps, inserted } = open();
    const reported = attempt('1', chargerId);
    await recordConnectionAttempts(deps, [reported]);
    expect(inserted).toEqual([[[{ ...reported, clientId }], CONNECTION_ATTEMPT_LIMITS]]);
  });

  it('are stored at once, in order, with one question for each charger', async () => {
    const { deps, asked, inserted } = open();
    const reported = ['ACME_2', null, 'ACME_1', 'ACME_2', 'ACME_9'].map((id, i) => attempt(String(i), id));
    await recordConnectionAttempts(deps, reported);
    expect(asked).toEqual([['ACME_2', 'ACME_1', 'ACME_9']]);
    const stored = inserted.flatMap(([attempts]) => attempts.map(({ attemptId, clientId }) => [attemptId, clientId]));
    expect(stored).toEqual([
      ['0', 'other'],
      ['1', null],
      ['2', 'client'],
      ['3', 'other'],
      ['4', null],
    ]);
    expect(inserted).toHaveLength(1);
  });
});
