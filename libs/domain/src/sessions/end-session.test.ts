import { createFakeClock } from '@busbar/testing';
import type { Charger } from '../chargers/charger';
import { newCharger } from '../testing/charger';
import { newSession } from '../testing/session';
import { newSite } from '../testing/site';
import { storedChargers } from '../testing/stored-chargers';
import { storedSites } from '../testing/stored-sites';
import { MAX_ATTEMPTS } from '../retry-on-conflict';
import { endSession, type EndSessionDeps } from './end-session';
import type { Session } from './session';

const NOW = '2026-01-01T13:00:00.000Z';
const OWNED = { clientId: 'client', transactionId: 7 };
const ENTRY = { sessionId: 's7' } as Charger['reported']['ongoing'][string];
const OTHER_ENTRY = { sessionId: 's8' } as Charger['reported']['ongoing'][string];
const CHARGING = newCharger({ reported: { ongoing: { 1: ENTRY, 2: OTHER_ENTRY } } });
const CONTENDED = {
  code: 'conflict',
  message: 'Others keep changing the session. Try again.',
  details: { retryAfterS: 1 },
};
const unused = () => Promise.reject(new Error('not for this use case'));

/** `lost` of the first attempts to end the session fail. */
function open(session: Session, charger: Charger = CHARGING, lost = 0) {
  const stored = new Map([[session.sessionId, session]]);
  const chargers = storedChargers(charger);
  let attempts = 0;
  const sessions: EndSessionDeps['sessions'] = {
    list: unused,
    search: unused,
    meterValuesPage: unused,
    transactionEventsPage: unused,
    findByTransactions: (ids) =>
      Promise.resolve([...stored.values()].filter(({ transactionId }) => ids.includes(transactionId))),
    end: (ended, end) => {
      attempts += 1;
      if (attempts <= lost) return Promise.resolve(false);
      stored.set(ended.sessionId, { ...session, ...end, endedBy: 'operator' });
      return Promise.resolve(true);
    },
    endAnnounced(sessionId) {
      const ended = stored.get(sessionId);
      if (ended !== undefined) stored.set(sessionId, { ...ended, endUnannounced: false });
      return Promise.resolve();
    },
  };
  const deps = { sessions, chargers, sites: storedSites(newSite()), clock: createFakeClock(new Date(NOW)) };
  const ongoing = () => chargers.all.get('ACME_1')?.reported.ongoing;
  return { deps, chargers, ongoing, stored: () => stored.get('s7') };
}

describe('a session that its operator ends', () => {
  it.each<[string, Partial<Session>, string | undefined, Partial<Session>]>([
    ['ends now, without a reason where none is given', {}, undefined, { state: 'ended', stopReason: null }],
    ['ends now with the given reason', {}, 'Fault', { state: 'ended', stopReason: 'Fault' }],
    ['stays refused where it was', { state: 'refused' }, undefined, { state: 'refused', stopReason: null }],
    ['ends where it was superseded', { state: 'superseded' }, undefined, { state: 'ended', stopReason: null }],
  ])('%s', async (_title, part, reason, expected) => {
    const session = newSession(part);
    const { deps, ongoing } = open(session);
    const ended = { ...session, ...expected, endTime: NOW, endedBy: 'operator' };
    expect(await endSession(deps, OWNED, reason)).toEqual({ session: ended, siteName: 'Site 1' });
    expect(ongoing()).toEqual({ 2: OTHER_ENTRY });
  });

  it.each<[string, Charger | undefined]>([
    ['ends though its charger is deleted', undefined],
    ['leaves the charger alone that has its id since', { ...CHARGING, incarnationId: 'ACME_1-2' }],
    ['leaves the other sessions of its charger', newCharger({ reported: { ongoing: { 2: OTHER_ENTRY } } })],
  ])('%s', async (_title, charger) => {
    const { deps, stored, ongoing } = open(newSession(), charger);
    if (charger === undefined) deps.chargers.all.clear();
    await endSession(deps, OWNED);
    expect(stored()).toMatchObject({ state: 'ended', endTime: NOW });
    expect(ongoing()).toBe(charger?.reported.ongoing);
  });

  it('ends after attempts that were lost to others', async () => {
    const { deps, stored } = open(newSession(), CHARGING, 2);
    await endSession(deps, OWNED);
    expect(stored()).toMatchObject({ state: 'ended' });
  });

  it('leaves its charger again where that changes between', async () => {
    const { deps, chargers, ongoing } = open(newSession());
    const replaceOngoing = jest.fn(chargers.replaceOngoing).mockResolvedValueOnce(false);
    await endSession({ ...deps, chargers: { ...chargers, replaceOngoing } }, OWNED);
    expect(ongoing()).toEqual({ 2: OTHER_ENTRY });
  });
});

describe('an end that the record does not show', () => {
  const HIDDEN = newCharger({ reported: { ongoing: { 2: OTHER_ENTRY } } });

  it('is announced by the same request again, where the first one died after its row', async () => {
    const { deps, chargers, stored } = open(newSession(), HIDDEN);
    const dies = () => Promise.reject(new Error('killed'));
    await expect(endSession({ ...deps, chargers: { ...chargers, replaceOngoing: dies } }, OWNED)).rejects.toThrow();
    expect(stored()).toMatchObject({ state: 'ended', endUnannounced: true });
    const replaceOngoing = jest.fn(chargers.replaceOngoing);
    const again = () => endSession({ ...deps, chargers: { ...chargers, replaceOngoing } }, OWNED);
    await expect(again()).rejects.toMatchObject({ code: 'conflict' });
    expect(replaceOngoing).toHaveBeenCalledTimes(1);
    expect(stored()).toMatchObject({ endUnannounced: false });
    await expect(again()).rejects.toMatchObject({ code: 'conflict' });
    expect(replaceOngoing).toHaveBeenCalledTimes(1);
  });

  it('is not marked where the record shows it, which announces it', async () => {
    const { deps, stored } = open(newSession());
    await endSession(deps, OWNED);
    expect(stored()).not.toHaveProperty('endUnannounced');
  });
});

describe('a session that cannot be ended', () => {
  const NOT_FOUND = { code: 'not_found', message: 'There is no session 7.' };
  const ENDED = { code: 'conflict', message: 'The session 7 has ended already.' };

  it.each<[string, Partial<Session>, object, 'stays' | 'leaves']>([
    ['is unknown', { transactionId: 9 }, NOT_FOUND, 'stays'],
    ["is another client's", { clientId: 'other' }, NOT_FOUND, 'stays'],
    ['has ended, and then leaves its charger', { state: 'ended', endTime: NOW }, ENDED, 'leaves'],
    ['was refused and has ended', { state: 'refused', endTime: NOW }, ENDED, 'leaves'],
  ])('%s', async (_title, part, refusal, end) => {
    const { deps, ongoing } = open(newSession({ ...part, sessionId: 's7' }));
    await expect(endSession(deps, OWNED)).rejects.toMatchObject(refusal);
    expect(ongoing()).toEqual({ ...(end === 'stays' && { 1: ENTRY }), 2: OTHER_ENTRY });
  });

  it('loses every attempt to others', async () => {
    const { deps, stored } = open(newSession(), CHARGING, MAX_ATTEMPTS);
    await expect(endSession(deps, OWNED)).rejects.toMatchObject(CONTENDED);
    expect(stored()).toMatchObject({ state: 'ongoing' });
  });
});
